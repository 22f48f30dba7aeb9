// The client. Its methods are the API's operations (src/generated). This file sends their requests,
// repeats them after failures, and ends them at the time limit.
import { Resources } from "../generated/resources.ts";
import { type ApiCall, bodyOf, readBody, searchOf } from "../request/api-call.ts";
import {
  errorOf,
  PosternError,
  reasonOf,
  TimeoutError,
  UnreachableError,
} from "./client-errors.ts";
import { renderReact } from "../request/react-content.ts";
import { isRepeatable, waitBefore } from "./call-retry.ts";
import { targetKey, targetUrl } from "./client-target.ts";

export type { ChangeOptions, RequestOptions, SendOptions } from "../request/api-call.ts";
export {
  AbsentError,
  ApiError,
  ConflictError,
  type ErrorType,
  FaultError,
  ForbiddenError,
  InvalidRequestError,
  PosternError,
  QuotaError,
  RateError,
  TimeoutError,
  UnauthenticatedError,
  UnreachableError,
} from "./client-errors.ts";
export type { ItemPage, Pages } from "../request/item-pages.ts";
export type { SendBody } from "../request/send-body.ts";
export {
  type AnyWebhookDelivery,
  type DeliveryOfFormat,
  type HeaderBag,
  verifyWebhook,
  type VerifyOptions,
  WebhookSignatureError,
} from "./verify-webhook.ts";
export type * from "../generated/types.ts";

const TIMEOUT_MS = 60_000;
const ATTEMPT_TIMEOUT_MS = 20_000;
const MAX_RETRIES = 4;
/** A Worker's `fetch` sends no user agent of its own, and Cloudflare refuses such requests. */
const USER_AGENT = "postern-client";

export interface PosternOptions {
  /**
   * The deployment's URL, such as `https://post.example.com`. Default: the variable `POSTERN_URL`.
   */
  readonly baseUrl?: string | undefined;
  /** The time limit of a call with its retries, in milliseconds. Default: 60,000. */
  readonly timeoutMs?: number;
  /** The number of retries after the first attempt. Default: 4. */
  readonly maxRetries?: number;
  /** Replaces the platform's `fetch`. */
  readonly fetch?: (url: string, init: RequestInit) => Promise<Response>;
  /**
   * Called with every response, for `X-Ignored-Members` and other headers. The response's body has
   * already been read.
   */
  readonly onResponse?: (response: Response) => void;
}

export class Postern extends Resources {
  readonly #key: string;
  readonly #origin: string;
  readonly #options: PosternOptions;

  /**
   * `key`: an API key, `ps_…`. Default: the variable `POSTERN_API_KEY`. Throws a TypeError if the
   * key or the deployment's URL is missing, empty or malformed.
   */
  constructor(key?: string, options: PosternOptions = {}) {
    super((request) => this.#repeat(request));
    this.#key = targetKey(key);
    this.#origin = targetUrl(options.baseUrl);
    this.#options = options;
  }

  async #repeat<Result>(call: ApiCall): Promise<Result> {
    const { options } = call;
    const mine = new AbortController();
    const timeoutMs = options?.timeoutMs ?? this.#options.timeoutMs ?? TIMEOUT_MS;
    const ends = Date.now() + timeoutMs;
    const timer = setTimeout(() => mine.abort(), timeoutMs);
    const abort = () => mine.abort();
    options?.signal?.addEventListener("abort", abort);
    try {
      const init = await this.#requestOf(call);
      const retries = options?.maxRetries ?? this.#options.maxRetries ?? MAX_RETRIES;
      for (let attempt = 0; ; attempt += 1) {
        options?.signal?.throwIfAborted();
        const outcome = await this.#attempt(call, init, mine.signal);
        if (!(outcome instanceof PosternError)) return outcome.body as Result;
        options?.signal?.throwIfAborted();
        if (mine.signal.aborted) throw timeout(timeoutMs, outcome);
        const wait = waitBefore(attempt, outcome, Math.random());
        if (attempt >= retries || !isRepeatable(outcome, call) || Date.now() + wait > ends)
          throw outcome;
        await pause(wait, mine.signal);
      }
    } finally {
      clearTimeout(timer);
      options?.signal?.removeEventListener("abort", abort);
    }
  }

  /** The request's bytes and headers. Every attempt sends the same ones. */
  async #requestOf({ method, body, type, isSend, options }: ApiCall): Promise<RequestInit> {
    const headers: Record<string, string> = {
      Authorization: `Bearer ${this.#key}`,
      "User-Agent": USER_AGENT,
    };
    if (isSend) headers["Idempotency-Key"] = options?.idempotencyKey ?? crypto.randomUUID();
    if (options?.ifMatch !== undefined) headers["If-Match"] = options.ifMatch;
    if (body === undefined) return { method, headers };
    headers["Content-Type"] = type ?? "application/json";
    if (type !== undefined) return { method, headers, body: body as string };
    const content = isSend ? await renderReact(body as object) : body;
    return { method, headers, body: JSON.stringify(content) };
  }

  /** Returns the answer's body, or an error that another attempt may resolve. */
  async #attempt(
    { path, query, options }: ApiCall,
    init: RequestInit,
    signal: AbortSignal,
  ): Promise<{ readonly body: unknown } | PosternError> {
    const { fetch = globalThis.fetch, onResponse } = this.#options;
    const attempt = AbortSignal.any([signal, AbortSignal.timeout(ATTEMPT_TIMEOUT_MS)]);
    const url = this.#origin + path + searchOf(query);
    let response: Response;
    let body: Uint8Array | string;
    try {
      // Following a redirect would turn a POST into a GET.
      response = await fetch(url, { ...init, redirect: "manual", signal: attempt });
      body = await readBody(response);
    } catch (cause) {
      return new UnreachableError(`${this.#origin} gave no answer: ${reasonOf(cause)}`, { cause });
    }
    onResponse?.(response);
    options?.onResponse?.(response);
    return response.ok ? { body: bodyOf(response, body) } : errorOf(response, String(body));
  }
}

function timeout(timeoutMs: number, cause: PosternError): TimeoutError {
  return new TimeoutError(`the call took longer than ${timeoutMs} ms`, { cause });
}

function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const done = () => {
      clearTimeout(timer);
      signal.removeEventListener("abort", done);
      resolve();
    };
    const timer = setTimeout(done, ms);
    signal.addEventListener("abort", done);
  });
}
