// A fake API for the client's tests. The test gives a list of answers, one for each request in
// turn.
import {
  type ErrorType,
  Postern,
  type PosternOptions,
} from "../../../packages/postern/src/client/postern.ts";

export interface FakeAnswer {
  readonly status: number;
  readonly body?: object | string;
  readonly headers?: Readonly<Record<string, string>>;
}

export interface AskedRequest {
  readonly method: string;
  readonly url: string;
  readonly headers: Headers;
  readonly body: string;
}

/** `"none"`: the request gets no answer. */
export type FakeReaction = FakeAnswer | "none";

export class FakeApi {
  readonly asked: AskedRequest[] = [];
  readonly client: Postern;
  readonly #reactions: FakeReaction[];

  /** Each reaction answers one request. The last one also answers all further requests. */
  constructor(reactions: readonly FakeReaction[], options: Partial<PosternOptions> = {}) {
    this.#reactions = [...reactions];
    this.client = new Postern("ps_key", {
      baseUrl: "https://api.example.com/",
      fetch: (url, init) => this.#fetch(url, init),
      ...options,
    });
  }

  #fetch(url: string, init: RequestInit): Promise<Response> {
    this.asked.push({
      method: init.method ?? "GET",
      url,
      headers: new Headers(init.headers),
      body: typeof init.body === "string" ? init.body : "",
    });
    const [reaction] = this.#reactions.length > 1 ? this.#reactions.splice(0, 1) : this.#reactions;
    if (reaction === undefined || reaction === "none")
      return Promise.reject(new TypeError("fetch failed", { cause: { code: "ECONNRESET" } }));
    const { status, body, headers = {} } = reaction;
    const isJson = typeof body === "object";
    return Promise.resolve(
      new Response(body === undefined ? null : isJson ? JSON.stringify(body) : body, {
        status,
        headers: { ...(isJson && { "Content-Type": "application/json" }), ...headers },
      }),
    );
  }
}

export function refusal(status: number, type: ErrorType): FakeAnswer {
  const error = { type, message: "No." };
  return { status, body: { error }, headers: { "X-Request-Id": "req_1" } };
}
