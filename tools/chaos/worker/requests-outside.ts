// Makes the worker's requests to the gateway fail or break off. Can also make the worker behave
// like an earlier version, which never asks about a copy by key and waits for every outcome. Part
// of the faulty worker's bundle.
import { applyFault, requestFault, type WorkerBindings, reach } from "./worker-faults.ts";

/** A request to the gateway may break off. Other requests go out unchanged. */
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

/** A consumer of an earlier version waits for every outcome as long as the consumer runs. */
function withoutPreference(init: RequestInit = {}): RequestInit {
  const headers = new Headers(init.headers);
  headers.delete("prefer");
  const { signal: _, ...rest } = init;
  return { ...rest, headers };
}
