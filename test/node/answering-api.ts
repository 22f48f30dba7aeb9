// An API on a real socket whose answers the test chooses.
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { text } from "node:stream/consumers";
import { pipeline } from "node:stream/promises";
import { afterAll, beforeAll, beforeEach } from "vitest";
import { listenOnLoopback } from "../../tools/harness/loopback.ts";

interface ChosenAnswer {
  readonly status: number;
  /** The response body. An object is sent as JSON. An iterable's pieces are sent one by one. */
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}

interface AnsweredRequest {
  /** Method and path, such as `GET /v1/whoami`. */
  readonly line: string;
  readonly headers: IncomingMessage["headers"];
  readonly body: string;
}

export class AnsweringApi {
  requests: AnsweredRequest[] = [];
  /** The API's answers to the requests, in order. The last answer is repeated. */
  answers: ChosenAnswer[] = [];
  url = "";
  readonly #server = createServer((request, response) => void this.#respond(request, response));

  async #respond(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const line = `${request.method} ${request.url}`;
    this.requests.push({ line, headers: request.headers, body: await text(request) });
    const [first] = this.answers.length > 1 ? this.answers.splice(0, 1) : this.answers;
    const { status, body, headers } = first ?? { status: 500 };
    if (typeof body === "object" && body !== null && Symbol.asyncIterator in body)
      return pipeline(body as AsyncIterable<string>, response).catch(() => undefined);
    const isJson = typeof body === "object";
    response
      .writeHead(status, { ...(isJson && { "Content-Type": "application/json" }), ...headers })
      .end(isJson ? JSON.stringify(body) : body);
  }

  /** Starts the API for the tests of the calling file. Forgets the requests before each test. */
  use(): this {
    beforeAll(async () => {
      this.url = `http://127.0.0.1:${await listenOnLoopback(this.#server)}`;
    });
    afterAll(() => void this.#server.close());
    beforeEach(() => {
      this.requests = [];
      this.answers = [{ status: 200, body: {} }];
    });
    return this;
  }

  get lines(): readonly string[] {
    return this.requests.map(({ line }) => line);
  }

  get bodies(): readonly unknown[] {
    return this.requests.map(({ body }) => (body === "" ? null : (JSON.parse(body) as unknown)));
  }

  answer(...bodies: readonly unknown[]): void {
    this.answers = bodies.map((body) => ({ status: 200, body }));
  }
}
