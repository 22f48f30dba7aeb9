// Holds what accepting a send needs of the request that brought it. Only the doors see a request:
// HTTP single, HTTP batch, and SMTP (docs/architecture.md §Accept). Everything behind them takes
// this context, so that all three are judged, submitted and answered by the same code.
import type { ApiRequest, Caller, NameInWarning, WarningHeader } from "../../endpoint.ts";
import type { Env } from "../../env.ts";

export interface SendContext {
  readonly env: Env;
  /** The team that sends, and the key that it presented. */
  readonly sender: Caller;
  /** Unix milliseconds of the request's arrival: the acceptance time of its messages. */
  readonly now: number;
  readonly requestId: string;
  /** Runs work that may finish after the response has left. */
  readonly defer: (work: Promise<unknown>) => void;
  /** Puts names on the response as that header. */
  readonly warn: (header: WarningHeader, names: Iterable<NameInWarning>) => void;
}

export function sendContextOf(request: ApiRequest): SendContext {
  const { env, caller, now, requestId, defer, warn } = request;
  return { env, sender: caller, now, requestId, defer, warn };
}
