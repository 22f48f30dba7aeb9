// A request to the API as the generated methods describe it, the options of every method, and the
// encoding of path, query and answer.

const FILE_TYPES: ReadonlySet<string> = new Set(["application/octet-stream", "message/rfc822"]);

export interface RequestOptions {
  /** Aborts the call and its retries. The call then throws the signal's reason. */
  readonly signal?: AbortSignal;
  /** The time limit for the whole call with its retries, in milliseconds. Default: the client's. */
  readonly timeoutMs?: number;
  /** The number of retries after the first attempt. Default: the client's. */
  readonly maxRetries?: number;
  /** Called with the response, for its headers. The response's body has already been read. */
  readonly onResponse?: (response: Response) => void;
}

export interface ChangeOptions extends RequestOptions {
  /**
   * The resource's `ETag` as it was read. If the resource has another one now, the change is not
   * made, and the call throws an error with the status 412.
   */
  readonly ifMatch?: string;
}

export interface SendOptions extends RequestOptions {
  /**
   * The idempotency key: 1 to 255 printable ASCII characters. By default the call generates a key,
   * so that its retries never send twice. Give your own key if your program may repeat the call.
   */
  readonly idempotencyKey?: string;
}

export interface ApiCall {
  readonly method: string;
  /** The path begins with a slash, and its parameters are encoded. */
  readonly path: string;
  readonly query?: object;
  readonly body?: unknown;
  /** The content type of a body that is not JSON. Such a body is sent unchanged. */
  readonly type?: string;
  /** True: the request takes an `Idempotency-Key`. */
  readonly isSend?: true;
  readonly options: (SendOptions & ChangeOptions) | undefined;
}

export type ApiCaller = <Result>(request: ApiCall) => Promise<Result>;

/**
 * Builds a path and encodes its parameters. Throws a TypeError for a parameter that is empty, `.`
 * or `..`, because such a segment would lead to another endpoint.
 */
export function at(parts: TemplateStringsArray, ...parameters: readonly string[]): string {
  const encoded = parameters.map((parameter) => {
    if (/^\.{0,2}$/.test(parameter))
      throw new TypeError(`"${parameter}" can't be part of a path of the API`);
    return encodeURIComponent(parameter);
  });
  return String.raw({ raw: parts }, ...encoded);
}

/** Turns `{tags: ["a", "b"]}` into `?tags=a&tags=b`. Undefined members are left out. */
export function searchOf(query: object | undefined): string {
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries(query ?? {}))
    for (const one of [value].flat()) if (one !== undefined) search.append(name, String(one));
  return search.size === 0 ? "" : `?${search.toString()}`;
}

/** Reads the body of an answer: the bytes of a file, or else text. */
export async function readBody(response: Response): Promise<Uint8Array | string> {
  const isFile = FILE_TYPES.has(response.headers.get("Content-Type") ?? "");
  return isFile ? new Uint8Array(await response.arrayBuffer()) : response.text();
}

/** Parses a successful answer: JSON, text, bytes, or undefined if the body is empty. */
export function bodyOf({ status, headers }: Response, body: Uint8Array | string): unknown {
  const isJson = headers.get("Content-Type")?.startsWith("application/json") ?? false;
  if (isJson) return JSON.parse(String(body));
  return status === 204 ? undefined : body;
}
