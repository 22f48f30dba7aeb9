// A request to the API as the generated methods state it, the options that every method takes, and
// how its path, query and answer are written.

export interface RequestOptions {
  /** Ends the call, its retries too, with the signal's reason. */
  readonly signal?: AbortSignal;
  /** Milliseconds for the whole call with its retries, instead of the client's. */
  readonly timeoutMs?: number;
  /** Retries after the first attempt, instead of the client's. */
  readonly maxRetries?: number;
}

export interface SendOptions extends RequestOptions {
  /**
   * 1 to 255 printable ASCII characters. A call makes one for itself if none is given, so that its
   * retries never send twice. Give your own where your program may repeat the call itself.
   */
  readonly idempotencyKey?: string;
}

export interface ApiCall {
  readonly method: string;
  /** Begins with a slash, and has its parameters encoded. */
  readonly path: string;
  readonly query?: object;
  readonly body?: unknown;
  /** The body's type where it is not JSON: the body is then sent as it is. */
  readonly type?: string;
  /** True: the request takes an Idempotency-Key. */
  readonly isSend?: true;
  readonly options: SendOptions | undefined;
}

/** Makes a request and returns its answer's body. */
export type ApiCaller = <Result>(request: ApiCall) => Promise<Result>;

/**
 * Makes a path from parameters that it encodes. Throws a TypeError for an empty parameter and for
 * one of dots, which would lead to another endpoint.
 */
export function at(parts: TemplateStringsArray, ...parameters: readonly string[]): string {
  const encoded = parameters.map((parameter) => {
    if (/^\.{0,2}$/.test(parameter))
      throw new TypeError(`"${parameter}" can't be part of a path of the API`);
    return encodeURIComponent(parameter);
  });
  return String.raw({ raw: parts }, ...encoded);
}

/** Turns `{tags: ["a", "b"]}` into `?tags=a&tags=b`. Members that are undefined are left out. */
export function searchOf(query: object | undefined): string {
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries(query ?? {}))
    for (const one of [value].flat()) if (one !== undefined) search.append(name, String(one));
  return search.size === 0 ? "" : `?${search.toString()}`;
}

/** Reads a successful answer: JSON, text, or undefined for none. */
export function bodyOf({ status, headers }: Response, text: string): unknown {
  const isJson = headers.get("Content-Type")?.startsWith("application/json") ?? false;
  if (isJson) return JSON.parse(text);
  return status === 204 ? undefined : text;
}
