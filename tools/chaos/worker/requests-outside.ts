// Makes the worker's requests to the gateway fail or break off. It can also make the worker behave
// like an earlier version, which waits for every outcome and never asks about a copy by key. This
// file is a part of the faulty worker's bundle.
import { applyFault, requestFault, type WorkerBindings, reach } from "./worker-faults.ts";

/** Makes a request. A request to the gateway may break off. All other requests are unchanged. */
export async function fetchOutside(
  env: WorkerBindings,
  input: Request,
  init?: RequestInit,
): Promise<Response> {
  const url = typeof input === "string" ? input : input.url;
  if (!hostsOf(env).some((host) => url.startsWith(host))) return reach(input, init);
  const isAsk = url.endsWith("/ask");
  const { kind } = await requestFault(env, "egress.version");
  if (kind === "earlier_worker" && isAsk) return new Response(null, { status: 404 });
  const made = kind === "earlier_worker" ? withoutPreference(init) : init;
  const operation = isAsk ? "egress.ask" : "egress";
  const fault = await requestFault(env, operation);
  if (fault.kind !== "cut") return applyFault(fault, operation, () => reach(input, made));
  const signals = [AbortSignal.timeout(fault.ms), ...(made?.signal ? [made.signal] : [])];
  return reach(input, { ...made, signal: AbortSignal.any(signals) });
}

function hostsOf(env: WorkerBindings): string[] {
  return [env["EGRESS_URL"], env["EGRESS_LEAVING"]]
    .flatMap((urls) => (typeof urls === "string" ? urls.split(",") : []))
    .filter((url) => url !== "");
}

/**
 * Removes the header `Prefer`, because a consumer of an earlier version waits for every outcome.
 */
function withoutPreference(init: RequestInit = {}): RequestInit {
  const headers = new Headers(init.headers);
  headers.delete("prefer");
  const { signal: _, ...rest } = init;
  return { ...rest, headers };
}
