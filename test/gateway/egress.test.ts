// The egress over HTTP (docs/egress-protocol.md): token, frames cut anywhere, refusals, streaming, one send a key, drain, health.
import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { readdirSync } from "node:fs";
import { request } from "node:http";
import { connect } from "node:net";
import { createInterface } from "node:readline";
import { join } from "node:path";
import { afterEach, describe, expect, it } from "vitest";
import { fakeMx, type FakeMx, type Script } from "./fake-mx.ts";
import { deliverOne, eventually, frame, gateway, MESSAGE, pause, post, rawFrame, SHORT, temporaryDirectory, TOKEN } from "./support.ts";
import type { Settings } from "../../smtp-gateway/src/config.ts";

const closing: (() => Promise<unknown>)[] = [];

afterEach(async () => {
  for (const close of closing.splice(0)) await close();
});

async function stand(
  script: Script = {},
  overrides: Partial<Settings> = {},
): Promise<{ mx: FakeMx; port: number; drain: () => Promise<void> }> {
  const mx = await fakeMx(script);
  const { port, drain } = await gateway(mx.port, overrides);
  closing.push(drain, mx.close);
  return { mx, port, drain };
}

/** The final dot is answered when `release` is called. */
function held(): { script: Script; release: (reply: string) => void } {
  const sockets: ((reply: string) => void)[] = [];
  return {
    script: { end: () => ({ act: "later", give: (say) => sockets.push(say) }) },
    release: (reply) => {
      for (const say of sockets.splice(0)) say(reply);
    },
  };
}

describe("who may ask what", () => {
  it("refuses a wrong token with 401 and sends nothing", async () => {
    const { mx, port } = await stand();
    for (const token of ["", "x", `${TOKEN}x`, TOKEN.slice(1)]) expect((await post(port, frame({ key: "k" }), token)).status).toBe(401);
    expect(mx.connections).toEqual([]);
  });

  it("answers a wrong token even to a client with megabytes still to send", async () => {
    const { port } = await stand();
    const chunks = Array.from({ length: 40 }, () => Buffer.alloc(256 * 1024));
    expect((await post(port, chunks, "wrong")).status).toBe(401);
  });

  it("knows its two paths and their methods", async () => {
    const { port } = await stand();
    const ask = async (path: string, method: string): Promise<number> =>
      (await fetch(`http://127.0.0.1:${port}${path}`, { method })).status;
    expect(await ask("/healthz", "GET")).toBe(200);
    expect(await ask("/healthz", "POST")).toBe(405);
    expect(await ask("/deliver", "GET")).toBe(405);
    expect(await ask("/", "GET")).toBe(404);
  });
});

describe("frames", () => {
  const three = (): Buffer =>
    Buffer.concat([frame({ key: "a", message: "one\r\n" }), frame({ key: "b", message: "two\r\n" }), frame({ key: "c", message: "" })]);
  const asSent = (mx: FakeMx): string[] => mx.messages.map(String).sort();

  it("are read the same however the network cuts them", async () => {
    const whole = three();
    for (const size of [1, 2, 3, 5, 64, whole.length]) {
      const { mx, port } = await stand();
      const chunks = Array.from({ length: Math.ceil(whole.length / size) }, (_, at) => whole.subarray(at * size, (at + 1) * size));
      const { status, lines } = await post(port, chunks);
      expect(status).toBe(200);
      expect(lines.map(({ key }) => key).sort()).toEqual(["a", "b", "c"]);
      expect(asSent(mx)).toEqual(["", "one\r\n", "two\r\n"]);
    }
  });

  it("may be none at all", async () => {
    const { port } = await stand();
    expect(await post(port, Buffer.alloc(0))).toEqual({ status: 200, body: "", lines: [] });
  });

  const head = (changes: object): string =>
    JSON.stringify({ key: "k", mail_from: "a@example.test", rcpt_to: "b@example.net", pool: null, size: 5, ...changes });
  it.each<[string, Buffer]>([
    ["a head of no bytes", Buffer.alloc(4)],
    ["a head over 16 KB", rawFrame(head({ key: "k", filler: "x".repeat(17_000) }), Buffer.from("hello"))],
    ["a head of 4 GB", Buffer.from([255, 255, 255, 255, 1, 2, 3])],
    ["a head that is no JSON", rawFrame("{", Buffer.alloc(0))],
    ["a head that is no object", rawFrame("[]", Buffer.alloc(0))],
    ["a head that is no UTF-8", Buffer.concat([Buffer.from([0, 0, 0, 3]), Buffer.from([0x22, 0xff, 0x22])])],
    ["a head without a key", rawFrame(head({ key: "" }), Buffer.from("hello"))],
    ["a key of a thousand characters", rawFrame(head({ key: "k".repeat(1000) }), Buffer.from("hello"))],
    ["a recipient that is a number", rawFrame(head({ rcpt_to: 1 }), Buffer.from("hello"))],
    ["a sender that is missing", rawFrame(head({ mail_from: undefined }), Buffer.from("hello"))],
    ["a pool that is a list", rawFrame(head({ pool: [] }), Buffer.from("hello"))],
    ["a size below zero", rawFrame(head({ size: -1 }), Buffer.from("hello"))],
    ["a size with a fraction", rawFrame(head({ size: 1.5 }), Buffer.from("hello"))],
    ["a message over 40 MB", rawFrame(head({ size: 40 * 1024 * 1024 + 1 }), Buffer.from("hello"))],
    ["a body that ends inside a length", Buffer.from([0, 0])],
    ["a body that ends inside a head", rawFrame(head({}), Buffer.alloc(0)).subarray(0, 20)],
    ["a body that ends inside a message", rawFrame(head({ size: 6 }), Buffer.from("hello"))],
  ])("with %s are refused with 400", async (_name, body) => {
    const { mx, port } = await stand();
    const { status } = await post(port, body);
    expect(status).toBe(400);
    expect(mx.connections).toEqual([]);
  });

  it("behind which one can't be read are sent and answered all the same", async () => {
    const { mx, port } = await stand();
    const { promise, resolve } = Promise.withResolvers<string>();
    const outgoing = request({
      port,
      host: "127.0.0.1",
      path: "/deliver",
      method: "POST",
      agent: false,
      headers: { authorization: `Bearer ${TOKEN}` },
    });
    outgoing.on("error", () => {});
    outgoing.on("response", (incoming) => {
      let text = "";
      incoming.on("data", (chunk: Buffer) => {
        text += String(chunk);
        if (!outgoing.writableEnded) outgoing.end(Buffer.alloc(4));
      });
      incoming.on("close", () => resolve(text));
    });
    outgoing.write(frame({ key: "good" }));
    expect(await promise).toContain('"key":"good"');
    expect(mx.messages).toHaveLength(1);
  });

  it("refuse an envelope that would inject commands, message by message", async () => {
    const { mx, port } = await stand();
    const bad = (key: string, envelope: object): Buffer => frame({ key, ...envelope });
    const { lines } = await post(port, [
      bad("cr", { rcptTo: "a@example.net>\r\nRSET" }),
      bad("angle", { rcptTo: "a@example.net> SIZE=1" }),
      bad("none", { rcptTo: "nobody" }),
      bad("from", { mailFrom: "a\n@example.test" }),
      bad("literal", { rcptTo: "a@[127.0.0.1]" }),
      bad("good", { rcptTo: '"a b>"@example.net', mailFrom: "" }),
    ]);
    const causes = Object.fromEntries(lines.map((line) => [line.key, line.kind === "failure" ? line.cause : line.code]));
    expect(causes).toEqual({
      cr: "no_mail_server",
      angle: "no_mail_server",
      none: "no_mail_server",
      from: "other",
      literal: "no_mail_server",
      good: 250,
    });
    expect(mx.lines).toContain('RCPT TO:<"a b>"@example.net>');
    expect(mx.lines).toContain("MAIL FROM:<> SIZE=47");
  });

  it("go on their way one by one while the body is still coming, and outcomes come back one by one", async () => {
    const { mx, port } = await stand();
    const outgoing = request({
      port,
      host: "127.0.0.1",
      path: "/deliver",
      method: "POST",
      agent: false,
      headers: { authorization: `Bearer ${TOKEN}` },
    });
    outgoing.write(Buffer.concat([frame({ key: "first" }), frame({ key: "second" }).subarray(0, 30)]));
    const [incoming] = (await once(outgoing, "response")) as [NodeJS.ReadableStream];
    const [line] = (await once(incoming, "data")) as [Buffer];
    expect(JSON.parse(String(line))).toMatchObject({ key: "first", code: 250 });
    expect(mx.messages).toHaveLength(1);
    outgoing.end(frame({ key: "second" }).subarray(30));
    const [next] = (await once(incoming, "data")) as [Buffer];
    expect(JSON.parse(String(next))).toMatchObject({ key: "second", code: 250 });
  });

  it("are read no faster than there is room for their messages", async () => {
    const { script, release } = held();
    const { mx, port } = await stand(script, { bytesInFlight: 100_000 });
    const answer = post(
      port,
      ["a", "b", "c"].map((key) => frame({ key, message: "x".repeat(40_000) })),
    );
    await eventually(() => mx.messages.length === 2);
    await pause(100);
    expect(mx.messages).toHaveLength(2);
    release("250 ok");
    await eventually(() => mx.messages.length === 3);
    release("250 ok");
    expect((await answer).lines).toHaveLength(3);
  });

  it("of a client that pauses for too long are given up, without losing the room they took", async () => {
    const { port } = await stand({}, { stallMs: 100, bytesInFlight: 60_000 });
    const stalled = request({
      port,
      host: "127.0.0.1",
      path: "/deliver",
      method: "POST",
      agent: false,
      headers: { authorization: `Bearer ${TOKEN}` },
    });
    stalled.write(frame({ key: "slow", message: "x".repeat(50_000) }).subarray(0, 10_000));
    const [error] = (await once(stalled, "error")) as [NodeJS.ErrnoException];
    expect(error.code).toBe("ECONNRESET");
    expect(await deliverOne(port, { key: "quick", message: "x".repeat(50_000) })).toMatchObject({ code: 250 });
  });
});

describe("asking twice never sends twice", () => {
  it("joins a key that is under way, within a request and across two", async () => {
    const { script, release } = held();
    const { mx, port } = await stand(script);
    const first = post(port, [frame({ key: "k" }), frame({ key: "k" })]);
    await eventually(() => mx.messages.length === 1);
    const second = post(port, frame({ key: "k" }));
    await pause(50);
    release("250 2.0.0 once");
    const lines = [...(await first).lines, ...(await second).lines];
    expect(lines).toHaveLength(3);
    for (const line of lines) expect(line).toMatchObject({ key: "k", code: 250, text: "once" });
    expect(mx.messages).toHaveLength(1);
  });

  it.each<[string, Script[string]]>([
    ["a delivery", "250 2.0.0 taken"],
    ["a refusal of the message", "554 5.7.1 spam"],
    ["a fate that is unknown", { act: "drop" }],
  ])("answers %s from the journal", async (_name, end) => {
    const { mx, port } = await stand({ end: end! });
    const first = await deliverOne(port, { key: "k" });
    expect(await deliverOne(port, { key: "k" })).toEqual(first);
    expect(mx.messages).toHaveLength(1);
  });

  it("tries again what was refused before the final dot", async () => {
    const { port } = await stand({ rcpt: (_line, count) => (count === 1 ? "451 4.7.1 later" : "250 ok") });
    expect(await deliverOne(port, { key: "k" })).toMatchObject({ code: 451 });
    expect(await deliverOne(port, { key: "k" })).toMatchObject({ code: 250, stage: "end" });
  });

  it("finishes and remembers what a client that left had asked for", async () => {
    const { script, release } = held();
    const { mx, port } = await stand(script);
    const leaving = request({
      port,
      host: "127.0.0.1",
      path: "/deliver",
      method: "POST",
      agent: false,
      headers: { authorization: `Bearer ${TOKEN}` },
    });
    leaving.on("error", () => {});
    leaving.end(frame({ key: "k" }));
    await eventually(() => mx.messages.length === 1);
    leaving.destroy();
    await pause(50);
    release("250 2.0.0 taken");
    await pause(50);
    expect(await deliverOne(port, { key: "k" })).toMatchObject({ code: 250, text: "taken" });
    expect(mx.messages).toHaveLength(1);
  });
});

describe("a drain", () => {
  it("takes nothing new, finishes what is under way, says QUIT and ends", async () => {
    const { script, release } = held();
    const { mx, port, drain } = await stand(script);
    const idle = await fetch(`http://127.0.0.1:${port}/healthz`);
    expect(await idle.json()).toEqual({ status: "ok" });
    const answer = post(port, frame({ key: "k" }));
    await eventually(() => mx.messages.length === 1);
    const waiting = connect(port, "127.0.0.1");
    await once(waiting, "connect");
    const drained = drain();
    waiting.write(`GET /healthz HTTP/1.1\r\nhost: x\r\n\r\n`);
    expect(String((await once(waiting, "data"))[0])).toContain("503");
    release("250 2.0.0 taken");
    expect((await answer).lines[0]).toMatchObject({ code: 250 });
    await drained;
    expect(mx.lines).toContain("QUIT");
    await expect(post(port, frame({ key: "l" }))).rejects.toThrow("ECONNREFUSED");
  });

  it("answers the complete frames of a body that is still coming", async () => {
    const { script, release } = held();
    const { mx, port, drain } = await stand(script);
    const outgoing = request({
      port,
      host: "127.0.0.1",
      path: "/deliver",
      method: "POST",
      agent: false,
      headers: { authorization: `Bearer ${TOKEN}` },
    });
    outgoing.on("error", () => {});
    outgoing.write(Buffer.concat([frame({ key: "whole" }), frame({ key: "half" }).subarray(0, 40)]));
    await eventually(() => mx.messages.length === 1);
    const drained = drain();
    release("250 2.0.0 taken");
    const [incoming] = (await once(outgoing, "response")) as [NodeJS.ReadableStream];
    const [line] = (await once(incoming, "data")) as [Buffer];
    expect(JSON.parse(String(line))).toMatchObject({ key: "whole", code: 250 });
    await drained;
  });

  it("is over in bounded time, whatever a server does", async () => {
    const { mx, port, drain } = await stand({ end: { act: "hang" } }, { drainMs: 200, timeouts: { ...SHORT, final: 60_000 } });
    const answer = post(port, frame({ key: "k" }));
    await eventually(() => mx.messages.length === 1);
    const started = Date.now();
    await drain();
    expect(Date.now() - started).toBeLessThan(2000);
    expect((await answer).lines[0]).toMatchObject({ kind: "failure", cause: "other", detail: expect.stringMatching(/^unknown fate/) });
  });
});

describe("a gateway process", () => {
  const children: ChildProcess[] = [];
  afterEach(() => {
    for (const child of children.splice(0)) child.kill("SIGKILL");
  });

  async function start(
    mxPort: number,
    directory: string,
    environment: Record<string, string> = {},
  ): Promise<{ port: number; child: ChildProcess }> {
    const child = spawn(process.execPath, [join(import.meta.dirname, "../../smtp-gateway/src/main.ts")], {
      env: { GATEWAY_TOKEN: TOKEN, EGRESS_PORT: "0", EGRESS_STATE: directory, EGRESS_ROUTES: `*=127.0.0.1:${mxPort}`, ...environment },
      stdio: ["ignore", "ignore", "pipe"],
    });
    children.push(child);
    for await (const line of createInterface(child.stderr)) {
      const entry = JSON.parse(line) as { event: string; port?: number };
      if (entry.event === "started") return { port: entry.port!, child };
    }
    throw new Error("did not start");
  }

  it("killed behind the outcome still knows it when it is back", async () => {
    const mx = await fakeMx();
    closing.push(mx.close);
    const directory = temporaryDirectory();
    const first = await start(mx.port, directory);
    const keys = Array.from({ length: 20 }, (_, at) => `k${at}`);
    const before = await post(first.port, Buffer.concat(keys.map((key) => frame({ key }))));
    first.child.kill("SIGKILL");
    await once(first.child, "exit");
    const second = await start(mx.port, directory);
    const after = await post(second.port, Buffer.concat(keys.map((key) => frame({ key }))));
    expect(after.lines.toSorted((a, b) => a.key.localeCompare(b.key))).toEqual(before.lines.toSorted((a, b) => a.key.localeCompare(b.key)));
    expect(after.lines).toHaveLength(20);
    expect(mx.messages).toHaveLength(20);
    expect(readdirSync(directory)).toHaveLength(1);
  });

  it("ends with 0 on SIGTERM, its transactions finished", async () => {
    const { script, release } = held();
    const mx = await fakeMx(script);
    closing.push(mx.close);
    const { port, child } = await start(mx.port, temporaryDirectory());
    const answer = post(port, frame({ key: "k" }));
    await eventually(() => mx.messages.length === 1);
    const exit = once(child, "exit");
    child.kill("SIGTERM");
    await pause(100);
    release("250 2.0.0 taken");
    expect((await answer).lines[0]).toMatchObject({ code: 250 });
    expect((await exit)[0]).toBe(0);
  });

  it("does not start without a token, and says why in one line", async () => {
    const child = spawn(process.execPath, [join(import.meta.dirname, "../../smtp-gateway/src/main.ts")], {
      env: {},
      stdio: ["ignore", "ignore", "pipe"],
    });
    const lines: string[] = [];
    createInterface(child.stderr).on("line", (line) => lines.push(line));
    expect((await once(child, "close"))[0]).toBe(1);
    expect(lines.map((line) => (JSON.parse(line) as { error: string }).error)).toEqual(["setting GATEWAY_TOKEN: is missing"]);
  });

  it("logs no local part, no reply text and no body", async () => {
    const mx = await fakeMx({ rcpt: "550 5.1.1 <secret-person@example.net> unknown" });
    closing.push(mx.close);
    const { port, child } = await start(mx.port, temporaryDirectory());
    let logged = "";
    child.stderr!.on("data", (chunk: Buffer) => {
      logged += String(chunk);
    });
    await deliverOne(port, { key: "k", rcptTo: "secret-person@example.net", message: MESSAGE });
    child.kill("SIGTERM");
    await once(child, "close");
    expect(logged).toContain('"event":"outcome","key":"k","domain":"example.net"');
    expect(logged).not.toMatch(/secret-person|unknown|hello|token-for|b\+token/);
  });
});
