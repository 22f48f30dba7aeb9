// Runs the command line inside the test's process, against an API whose answers the test chooses.
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import { EventEmitter } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { PassThrough, type Readable, Writable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { text } from "node:stream/consumers";
import { afterAll, beforeAll, beforeEach } from "vitest";
import { runCommandLine } from "../../../packages/postern/src/cli/command-line.ts";
import { listenOnLoopback } from "../../../tools/harness/loopback.ts";

export interface CliAnswer {
  readonly status: number;
  /** The response body. An object is sent as JSON. An iterable's pieces are sent one by one. */
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}

export interface CliRequest {
  /** Method and path, such as `GET /v1/whoami`. */
  readonly line: string;
  readonly headers: IncomingMessage["headers"];
  readonly body: string;
}

interface CliRun {
  readonly code: number;
  readonly out: string;
  readonly err: string;
}

interface CliSetting {
  readonly environment?: Readonly<Record<string, string>>;
  readonly input?: string;
  /** True: input and output are those of a terminal. */
  readonly isTerminal?: boolean;
}

export class CliHarness {
  requests: CliRequest[] = [];
  /** The API's answers to the requests, in order. The last answer is repeated. */
  answers: CliAnswer[] = [];
  url = "";
  /** The output of the command's last run, so far. */
  printed: () => string = () => "";
  /** The home folder of the test file's runs. The command line saves its login there. */
  readonly home = mkdtempSync(join(tmpdir(), "postern-cli-"));
  readonly #folders = { XDG_CONFIG_HOME: this.home, POSTERN_STATE: join(this.home, "stack") };
  readonly #server: Server = createServer(
    (request, response) => void this.#respond(request, response),
  );

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

  /**
   * Starts the fake API for the tests of the calling file. Forgets the received requests before
   * each test.
   */
  use(): this {
    beforeAll(async () => {
      this.url = `http://127.0.0.1:${await listenOnLoopback(this.#server)}`;
    });
    afterAll(() => {
      this.#server.close();
      rmSync(this.home, { recursive: true });
    });
    beforeEach(() => {
      this.requests = [];
      this.answers = [{ status: 200, body: {} }];
      for (const folder of ["postern", "stack"])
        rmSync(join(this.home, folder), { recursive: true, force: true });
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

  /** Runs a command with the key in the environment. A text is split at its spaces. */
  postern(args: string | readonly string[], setting: CliSetting = {}): Promise<CliRun> {
    const key = { POSTERN_URL: this.url, POSTERN_API_KEY: "ps_environment" };
    return this.keyless(args, { ...setting, environment: { ...key, ...setting.environment } });
  }

  async keyless(
    args: string | readonly string[],
    { environment, input = "", isTerminal = false }: CliSetting = {},
  ): Promise<CliRun> {
    const source: Readable & { isTTY?: boolean } = new PassThrough().end(input);
    const output = collector();
    const errors = collector();
    this.printed = output.text;
    const code = await runCommandLine(typeof args === "string" ? args.split(" ") : args, {
      environment: { ...this.#folders, ...environment },
      input: Object.assign(source, { isTTY: isTerminal }),
      output: Object.assign(output.stream, { isTTY: isTerminal }),
      errors: errors.stream,
      signals: new EventEmitter(),
    });
    return { code, out: output.text(), err: errors.text() };
  }
}

function collector() {
  const chunks: Buffer[] = [];
  const stream = new Writable({ write: (chunk: Buffer, _, done) => (chunks.push(chunk), done()) });
  return { stream, text: () => Buffer.concat(chunks).toString() };
}
