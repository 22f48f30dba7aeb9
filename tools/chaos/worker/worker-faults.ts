// Applies faults in the worker. The worker asks the harness before an operation which fault to
// inject (fault-server.ts). This file is a part of the faulty worker's bundle.

/** The harness's answer. `fail_after` means that the operation is done, but its answer is lost. */
export type WorkerFault =
  | { readonly kind: "pass" | "fail" | "fail_after" }
  | { readonly kind: "slow" | "hang"; readonly ms: number }
  /** Faults of an alarm or of a part of a queue batch. `salt` in [0, 1) chooses that part. */
  | { readonly kind: "lose" | "duplicate" | "late"; readonly salt: number }
  /** Refusals of the Email Service. The binding throws an error that has a message but no code. */
  | { readonly kind: "rate_limit" | "daily_limit" | "internal_error" }
  /** Fault of a streamed answer: the connection breaks off after this time. */
  | { readonly kind: "cut"; readonly ms: number }
  /** No fault. The request is made as a worker of an earlier version makes it. */
  | { readonly kind: "earlier_worker" };

/** The worker's bindings. */
export type WorkerBindings = Readonly<Record<string, unknown>>;

/** The platform's own fetch, which the faulty worker replaces. */
export const reach = globalThis.fetch;

export async function callWithFault<Result>(
  env: WorkerBindings,
  operation: string,
  perform: () => Result | Promise<Result>,
): Promise<Result> {
  return applyFault(await requestFault(env, operation), operation, perform);
}

export async function applyFault<Result>(
  fault: WorkerFault,
  operation: string,
  perform: () => Result | Promise<Result>,
): Promise<Result> {
  if (fault.kind === "slow" || fault.kind === "hang")
    await new Promise((resolve) => setTimeout(resolve, fault.ms));
  if (fault.kind === "fail" || fault.kind === "hang")
    throw new Error(`chaos: ${operation} ${fault.kind}`);
  const result = await perform();
  if (fault.kind === "fail_after") throw new Error(`chaos: the answer of ${operation} got lost`);
  return result;
}

export async function requestFault(
  env: WorkerBindings,
  operation: string,
  about = "",
): Promise<WorkerFault> {
  const url = `${String(env["CRASH_POINT_URL"])}/fault/${operation}?${encodeURIComponent(about)}`;
  const response = await reach(url, { method: "POST" });
  return response.json() as Promise<WorkerFault>;
}
