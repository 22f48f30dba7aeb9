// Tests `postern mcp` (docs/mcp.md §The protocol): how it turns input lines into requests for POST
// /mcp. test/stack/package.test.ts uses it as a program, with the SDK's client.
import { once } from "node:events";
import {
  createServer,
  type IncomingHttpHeaders,
  type IncomingMessage,
  type Server,
  type ServerResponse,
} from "node:http";
import { PassThrough, Writable } from "node:stream";
import { text } from "node:stream/consumers";
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import { runCommandLine } from "../../../packages/postern/src/cli/command-line.ts";
import { listenOnLoopback } from "../../../tools/harness/loopback.ts";

const VERSION_KEY = "io.modelcontextprotocol/protocolVersion";

interface Message {
  readonly id?: number;
  readonly method: string;
  readonly params?: Readonly<Record<string, unknown>>;
}

let server: Server;
let url: string;
let asked: { readonly headers: IncomingHttpHeaders; readonly message: Message }[];
let held: ServerResponse[];
let input: PassThrough;
let ended: Promise<number>;
let out: string;

beforeAll(async () => {
  server = createServer((request, response) => void answerMessage(request, response));
  url = `http://127.0.0.1:${await listenOnLoopback(server)}`;
  input = new PassThrough();
  ended = runCommandLine(["mcp"], {
    environment: { POSTERN_URL: url, POSTERN_API_KEY: "ps_key" },
    input,
    output: new Writable({ write: (data: Buffer, _, done) => ((out += data.toString()), done()) }),
    errors: process.stderr,
    signals: process,
  });
});

beforeEach(() => {
  [asked, held, out] = [[], [], ""];
});

afterAll(async () => {
  input.end();
  expect(await ended).toBe(0);
  server.close();
});

/**
 * Answers a message by its method: `slow` only when the test ends, `refused` with 404, and any
 * other method at once.
 */
async function answerMessage(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const message = JSON.parse(await text(request)) as Message;
  asked.push({ headers: request.headers, message });
  if (message.method === "slow") return void held.push(response);
  const { id } = message;
  const answer = JSON.stringify({ jsonrpc: "2.0", id, error: { code: -32_601, message: "no" } });
  response.writeHead(message.method === "refused" ? 404 : 200).end(answer);
}

const say = (one: Message) => input.write(`${JSON.stringify({ jsonrpc: "2.0", ...one })}\n`);

const answered = (id: number) => vi.waitFor(() => expect(out).toContain(`"id":${id},`));

async function headersOf(message: Message): Promise<unknown[]> {
  say(message);
  await answered(message.id ?? 0);
  const { headers } = asked.at(-1) ?? {};
  return ["mcp-protocol-version", "mcp-method", "mcp-name"].map((name) => headers?.[name]);
}

describe("postern mcp", () => {
  it("repeats members of a message of 2026-07-28 in headers, and none of an older message", async () => {
    const meta = (version: unknown) => ({ _meta: { [VERSION_KEY]: version } });
    const params = (name: string) => ({ name, ...meta("2026-07-28") });
    const method = "tools/call";
    const of = (id: number, name: string) => headersOf({ id, method, params: params(name) });
    expect(await of(1, "why")).toEqual(["2026-07-28", method, "why"]);
    const inBase64 = (name: string) => `=?base64?${Buffer.from(name).toString("base64")}?=`;
    for (const [index, name] of [" why", "wörter", "=?base64?d2h5?="].entries())
      expect(await of(2 + index, name)).toEqual(["2026-07-28", method, inBase64(name)]);
    const none = [undefined, undefined, undefined];
    expect(await headersOf({ id: 6, method, params: { name: "why" } })).toEqual(none);
    // A version that is not valid as a header value is sent only in the body. The deployment
    // refuses it there.
    expect(await headersOf({ id: 7, method, params: meta("1\n2") })).toEqual(none);
    expect(await headersOf({ id: 8, method, params: meta(5) })).toEqual(none);
  });

  it("passes on an error of the protocol, whatever its status", async () => {
    say({ id: 20, method: "refused" });
    await answered(20);
    expect(JSON.parse(out)).toMatchObject({ id: 20, error: { code: -32_601 } });
  });

  it("prints nothing more for a cancelled request, and continues with others", async () => {
    say({ id: 30, method: "slow" });
    await vi.waitFor(() => expect(held).toHaveLength(1));
    const closed = once(held[0] ?? server, "close");
    say({ method: "notifications/cancelled", params: { requestId: 30 } });
    await closed;
    say({ id: 31, method: "quick" });
    await answered(31);
    expect(out).not.toContain('"id":30');
    expect(asked.map(({ message }) => message.method)).toEqual(["slow", "quick"]);
  });
});
