// Holds the facts of a request that are needed to accept its send. Only three handlers see a
// request: HTTP single, HTTP batch, and SMTP (docs/architecture.md §Accept). All further code takes
// this context, so the same code serves all three.
import type { ApiRequest, Caller, NameInWarning, WarningHeader } from "../../endpoint.ts";
import type { Env } from "../../env.ts";

export interface SendContext {
  readonly env: Env;
  /** The team that sends, and the key that it presented. */
  readonly sender: Caller;
  /** When the request arrived, Unix milliseconds: its messages are accepted at this time. */
  readonly now: number;
  readonly requestId: string;
  /** Runs work that may finish after the response has left. */
  readonly defer: (work: Promise<unknown>) => void;
  /** Lists names in that header of the response. */
  readonly warn: (header: WarningHeader, names: Iterable<NameInWarning>) => void;
}

export function sendContextOf(request: ApiRequest): SendContext {
  const { env, caller, now, requestId, defer, warn } = request;
  return { env, sender: caller, now, requestId, defer, warn };
}
