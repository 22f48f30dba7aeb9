// Tests `postern mcp` (docs/mcp.md §The protocol): how it turns input lines into requests for POST
// /mcp. test/stack/package.test.ts uses it as a program, with the SDK's client.
import { PassThrough } from "node:stream";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { CliHarness } from "./cli-harness.ts";

const VERSION_KEY = "io.modelcontextprotocol/protocolVersion";

interface Message {
  readonly id?: number;
  readonly method: string;
  readonly params?: Readonly<Record<string, unknown>>;
}

const cli = new CliHarness().use();
const input = new PassThrough();
let ended: ReturnType<typeof cli.postern>;

beforeAll(() => {
  ended = cli.postern("mcp", { input });
});

afterAll(async () => {
  input.end();
  expect((await ended).code).toBe(0);
});

const refusalOf = (id: number) => ({ jsonrpc: "2.0", id, error: { code: -32_601, message: "no" } });
const say = (one: Message) => input.write(`${JSON.stringify({ jsonrpc: "2.0", ...one })}\n`);
const answered = (id: number) => vi.waitFor(() => expect(cli.printed()).toContain(`"id":${id},`));

async function headersOf(message: Message & { readonly id: number }): Promise<unknown[]> {
  cli.answer(refusalOf(message.id));
  say(message);
  await answered(message.id);
  const { headers } = cli.requests.at(-1) ?? {};
  return ["mcp-protocol-version", "mcp-method", "mcp-name"].map((name) => headers?.[name]);
}

describe("postern mcp", () => {
  it("repeats members of a message of version 2026-07-28 in headers, and none of an older version's", async () => {
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
    cli.answers = [{ status: 404, body: refusalOf(20) }];
    say({ id: 20, method: "tools/call" });
    await answered(20);
    const line = cli.printed().trim().split("\n").at(-1) ?? "";
    expect(JSON.parse(line)).toEqual(refusalOf(20));
  });

  it("prints nothing more for a cancelled request, and continues with others", async () => {
    const endless = new PassThrough();
    const closed = new Promise((resolve) => {
      endless.on("error", () => undefined).once("close", resolve);
    });
    cli.answers = [{ status: 200, body: endless }];
    say({ id: 30, method: "slow" });
    await vi.waitFor(() => expect(cli.requests).toHaveLength(1));
    say({ method: "notifications/cancelled", params: { requestId: 30 } });
    await closed;
    cli.answer(refusalOf(31));
    say({ id: 31, method: "quick" });
    await answered(31);
    expect(cli.printed()).not.toContain('"id":30');
    expect(cli.bodies).toMatchObject([{ method: "slow" }, { method: "quick" }]);
  });
});
