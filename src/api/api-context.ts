// The variables of a request: its steps fill them one after another, and the handler at the end
// reads them.
import type { Context } from "hono";
import type { Caller, ListPage } from "../endpoint.ts";
import type { Env } from "../env.ts";

export interface ApiContext {
  readonly Bindings: Env;
  readonly Variables: {
    requestId: string;
    now: number;
    /** The request's headers, since each read of them from the request is a call of the platform. */
    headers: Headers;
    caller: Caller;
    page: ListPage;
    /** Headers for the response, whatever the answer is. */
    answerHeaders: Record<string, string>;
    /** Undefined: the token was not compared yet. */
    isGateway: boolean | undefined;
    /** The route's largest body, while the request has one of unknown length. */
    uncounted: number | undefined;
    /** Has a page's body in memory, where its length is not known. For pages that read one. */
    keepBody: () => void | Promise<void>;
  };
}

/**
 * A step of the middleware: it sets variables, or refuses by throwing. It returns a promise
 * only if it has to wait.
 */
export type RequestStep = (c: Context<ApiContext>) => void | Promise<void>;
