// The facts of a request that are needed to accept its send. Only the handlers of a send, a batch,
// an SMTP submission, a repeated send and a check see the request itself (docs/architecture.md
// §Accept). All other code takes this context, so the same code serves all of them.
import type { ApiRequest, Caller, NameInWarning, WarningHeader } from "../../endpoint.ts";
import type { NotedChange } from "../../audit.ts";
import type { Env } from "../../env.ts";
import type { CallerLocation } from "../../regions.ts";

export interface SendContext {
  readonly env: Env;
  /** The team that sends, and the API key of the request. */
  readonly sender: Caller;
  /**
   * The arrival time of the request in Unix milliseconds. Its messages are accepted at this time.
   */
  readonly now: number;
  readonly requestId: string;
  /** Returns the place that the request came from. */
  readonly location: () => CallerLocation;
  /** Runs work that may end after the response is sent. */
  readonly defer: (work: Promise<unknown>) => void;
  /** Adds names to `header`, a response header with warnings. */
  readonly warn: (header: WarningHeader, names: Iterable<NameInWarning>) => void;
  /**
   * The entry that an accepted message leaves in the trail. Absent if the message leaves no entry.
   */
  readonly audit?: NotedChange;
}

export function sendContextOf(request: ApiRequest): SendContext {
  const { env, caller, now, requestId, location, defer, warn } = request;
  return { env, sender: caller, now, requestId, location, defer, warn };
}
