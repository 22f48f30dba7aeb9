// The variables of a request. The middleware's steps fill them in order, and the handler reads
// them.
import type { Context } from "hono";
import type { Caller, ListPage } from "../endpoint.ts";
import type { Env } from "../env.ts";

export interface ApiContext {
  readonly Bindings: Env;
  readonly Variables: {
    requestId: string;
    now: number;
    /**
     * The request's headers. They are stored here because each read of `request.headers` is a call
     * of the platform.
     */
    headers: Headers;
    /**
     * The request as it arrived, with `cf`. A copy of the request with another body has no `cf`.
     */
    arrived: Request;
    caller: Caller;
    page: ListPage;
    /** Headers that the response gets, whether it is a success or an error. */
    answerHeaders: Record<string, string>;
    /**
     * Tells whether the request presented the GATEWAY_TOKEN. Undefined: the token has not been
     * compared yet.
     */
    isGateway: boolean | undefined;
    /** True: the handler of Resend's API rewrites errors and records the request itself. */
    recordsItself: boolean | undefined;
    /**
     * Maximum size of the route's body, in bytes. Undefined: the body's length is known, or the
     * body was counted already.
     */
    uncounted: number | undefined;
    /** Reads a body of unknown length into memory, for pages that need the body. */
    bufferBody: () => void | Promise<void>;
  };
}

/**
 * A step of the middleware. It sets variables, or throws to refuse the request. It returns a
 * promise only if it has to wait.
 */
export type RequestStep = (c: Context<ApiContext>) => void | Promise<void>;
