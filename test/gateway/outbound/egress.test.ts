// Tests the egress over HTTP (docs/egress-protocol.md), where the worker hands mail to the gateway:
// the token, frames that arrive in pieces, refusals, streaming, and memory.
import {
  holdFinalReply,
  deliverOne,
  eventually,
  frame,
  gateway,
  post,
  rawFrame,
  read,
  startHarness,
  startMx,
  TOKEN,
  openRequest,
} from "../gateway-harness.ts";
import { once } from "node:events";
import { Agent, type IncomingMessage } from "node:http";
import { describe, expect, it } from "vitest";
import { ByteBudget, type Room } from "../../../smtp-gateway/src/outbound/byte-budget.ts";
import type { MailPriority } from "../../../smtp-gateway/src/outcome.ts";
import type { FakeMx } from "../fake-mx.ts";

describe("the egress", () => {
  it("refuses a wrong token with 401 and sends nothing", async () => {
    const { mx, port } = await startHarness();
    for (const token of ["", "x", `${TOKEN}x`, TOKEN.slice(1)])
      expect((await post(port, frame({ key: "k" }), token)).status).toBe(401);
    expect(mx.connections).toEqual([]);
  });

  it("answers a wrong token before a client has sent all its megabytes", async () => {
    const { port } = await startHarness();
    const chunks = Array.from({ length: 40 }, () => Buffer.alloc(256 * 1024));
    expect((await post(port, chunks, "wrong")).status).toBe(401);
  });

  it("refuses unknown paths and methods", async () => {
    const { port } = await startHarness();
    const ask = async (path: string, method: string): Promise<number> =>
      (await fetch(`http://127.0.0.1:${port}${path}`, { method })).status;
    expect(await ask("/healthz", "GET")).toBe(200);
    expect(await ask("/readyz?now", "HEAD")).toBe(200);
    for (const path of ["/healthz", "/readyz", "/metrics"])
      expect(await ask(path, "POST")).toBe(405);
    expect(await ask("/deliver", "GET")).toBe(405);
    expect(await ask("/", "GET")).toBe(404);
  });

  it("shows the present destinations in /watch", async () => {
    const { port } = await startHarness();
    const destinations = async (): Promise<unknown> => {
      const report = await (await read(port, "/watch")).json();
      return (report as { destinations: unknown }).destinations;
    };
    expect(await destinations()).toEqual([]);
    await deliverOne(port, { key: "k" });
    const numbers = { open: 1, waiting: 0, refused: 0, concurrency: 5, why: "answers" };
    expect(await destinations()).toMatchObject([{ pool: "default", ...numbers }]);
  });
});

describe("the memory for messages", () => {
  const MB = 1024 * 1024;

  const holdersOf = (domain: string, team: string, priority: MailPriority = "normal") => {
    return { domain, team, priority };
  };
  const fill = (budget: ByteBudget, domain: string, team = domain): Room[] => {
    const room = budget.tryTake(holdersOf(domain, team), MB);
    return room ? [room, ...fill(budget, domain, team)] : [];
  };

  it("is shared by domains that hang: each further domain gets some, and none takes all", () => {
    const budget = new ByteBudget(64 * MB);
    const rooms = ["a", "b", "c", "d", "e"].map((domain) => fill(budget, domain));
    expect(rooms.map(({ length }) => length)).toEqual([32, 16, 8, 4, 2]);
    expect(budget.taken).toBe(62 * MB);
    for (const { release } of rooms[0]!) release();
    expect([fill(budget, "e").length, fill(budget, "a").length]).toEqual([16, 9]);
  });

  it("takes the largest message when it is empty, however small its setting is", () => {
    const budget = new ByteBudget(64 * MB);
    expect(budget.tryTake(holdersOf("a", "t"), 40 * MB + 4096)).not.toBeNull();
    expect(budget.tryTake(holdersOf("a", "t"), 1)).toBeNull();
    expect(budget.tryTake(holdersOf("b", "t"), 20 * MB)).not.toBeNull();
  });

  it("is left for other destinations when ten thousand domains lead to one", () => {
    const budget = new ByteBudget(64 * MB);
    const kept: Room[] = [];
    for (let at = 0; at < 64; at += 1) {
      const room = budget.tryTake(holdersOf(`domain-${at}`, "a"), MB);
      if (room?.headFor("198.51.100.0/24")) kept.push(room);
      else room?.release();
    }
    expect(kept).toHaveLength(32);
    expect(budget.tryTake(holdersOf("domain-1", "a"), MB)).toBeNull();
    expect(budget.tryTake(holdersOf("elsewhere", "b"), MB)).not.toBeNull();
  });

  it("is left for other teams when one team sends to many domains", () => {
    const budget = new ByteBudget(64 * MB);
    const domains = Array.from({ length: 64 }, (_, at) => `domain-${at}`);
    const rooms = domains.map((domain) => budget.tryTake(holdersOf(domain, "flood"), MB));
    expect(rooms.filter((room) => room !== null)).toHaveLength(48);
    expect(budget.tryTake(holdersOf("domain-0", "quiet"), MB)).not.toBeNull();
  });

  it("is left for each further team when other teams flood one destination", () => {
    const budget = new ByteBudget(64 * MB);
    const teams = Array.from({ length: 20 }, (_, at) => `team-${at}`);
    const counts = teams.map((team) => fill(budget, "provider.test", team).length);
    expect(counts.slice(0, 3)).toEqual([32, 12, 3]);
    const single = holdersOf("provider.test", "quiet");
    for (let at = 0; at < 100; at += 1) {
      const room = budget.tryTake(single, 100_000);
      expect(room).not.toBeNull();
      room?.release();
      fill(budget, "provider.test", teams[0]);
    }
  });

  it("is left for a team's mail of high priority beside its other mail, and high priority does not take all", () => {
    const budget = new ByteBudget(64 * MB);
    const other = fill(budget, "a", "t");
    const high = holdersOf("a", "t", "high");
    const rooms: Room[] = [];
    for (let room = budget.tryTake(high, MB); room; room = budget.tryTake(high, MB)) {
      expect(room.headFor("198.51.100.0/24")).toBe(true);
      rooms.push(room);
    }
    expect([other.length, rooms.length]).toEqual([32, 16]);
    for (const { release } of [...other, ...rooms]) release();
    expect(budget.taken).toBe(0);
  });
});

describe("frames of a request", () => {
  const messages = { a: "one\r\n", b: "two\r\n", c: "" };
  const frames = Object.entries(messages).map(([key, message]) => frame({ key, message }));
  const whole = Buffer.concat(frames);
  const asSent = (mx: FakeMx): string[] => mx.messages.map(String).sort();

  it("are read the same however the network cuts them", async () => {
    for (const size of [1, 2, 3, 5, 64, whole.length]) {
      const { mx, port } = await startHarness();
      const chunks = Array.from({ length: Math.ceil(whole.length / size) }, (_, at) =>
        whole.subarray(at * size, (at + 1) * size),
      );
      const { status, lines } = await post(port, chunks);
      expect(status).toBe(200);
      expect(lines.map(({ key }) => key).sort()).toEqual(["a", "b", "c"]);
      expect(asSent(mx)).toEqual(["", "one\r\n", "two\r\n"]);
    }
  });

  it("may be absent", async () => {
    const { port } = await startHarness();
    expect(await post(port, Buffer.alloc(0))).toMatchObject({ status: 200, body: "" });
  });

  const HEAD = { key: "k", mail_from: "a@b.test", rcpt_to: "b@example.net", pool: null, size: 5 };
  const HELLO = Buffer.from("hello");
  const headed = (changes: object, bytes = HELLO): Buffer =>
    rawFrame(JSON.stringify({ ...HEAD, ...changes }), bytes);
  it.each<[string, Buffer]>([
    ["a head of no bytes", Buffer.alloc(4)],
    ["a head over 16 KB", headed({ filler: "x".repeat(17_000) })],
    ["a head of 4 GB", Buffer.from([255, 255, 255, 255, 1, 2, 3])],
    ["a head that is no JSON", rawFrame("{", Buffer.alloc(0))],
    ["a head that is no object", rawFrame("[]", Buffer.alloc(0))],
    ["a head that is not UTF-8", Buffer.from([0, 0, 0, 3, 0x22, 0xff, 0x22])],
    ["a head without a key", headed({ key: "" })],
    ["a key of a thousand characters", headed({ key: "k".repeat(1000) })],
    ["a recipient that is a number", headed({ rcpt_to: 1 })],
    ["a sender that is missing", headed({ mail_from: undefined })],
    ["a pool that is a list", headed({ pool: [] })],
    ["a priority of another name", headed({ priority: "low" })],
    ["a priority that is null", headed({ priority: null })],
    ["a size below zero", headed({ size: -1 })],
    ["a size with a fraction", headed({ size: 1.5 })],
    ["a message over 40 MB", headed({ size: 40 * 1024 * 1024 + 1 })],
    ["a body that ends inside a length", Buffer.from([0, 0])],
    ["a body that ends inside a head", headed({}, Buffer.alloc(0)).subarray(0, 20)],
    ["a body that ends inside a message", headed({ size: 6 })],
  ])("with %s are refused with 400", async (_name, body) => {
    const { mx, port } = await startHarness();
    expect((await post(port, body)).status).toBe(400);
    expect(mx.connections).toEqual([]);
  });

  it("before an unreadable frame are still sent and answered", async () => {
    const { mx, port } = await startHarness();
    const { promise, resolve } = Promise.withResolvers<string>();
    const outgoing = openRequest(port);
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

  it("fail alone if their envelope would inject commands", async () => {
    const { mx, port } = await startHarness();
    const unreachable = ["a@b.test>\r\nRSET", "a@b.test> SIZE=1", "nobody", "a@[127.0.0.1]"];
    const { lines } = await post(port, [
      ...unreachable.map((rcptTo) => frame({ key: rcptTo, rcptTo })),
      frame({ key: "from", mailFrom: "a\n@example.test" }),
      frame({ key: "good", rcptTo: '"a b>"@example.net', mailFrom: "" }),
    ]);
    const causes = lines.map((one) => [one.key, one.kind === "failure" ? one.cause : one.code]);
    expect(Object.fromEntries(causes)).toEqual({
      ...Object.fromEntries(unreachable.map((rcptTo) => [rcptTo, "no_mail_server"])),
      from: "other",
      good: 250,
    });
    expect(mx.lines).toContain('RCPT TO:<"a b>"@example.net>');
    expect(mx.lines).toContain("MAIL FROM:<> SIZE=47");
  });

  it("are sent, and answered, one by one while the body is still arriving", async () => {
    const { mx, port } = await startHarness();
    const outgoing = openRequest(port);
    const second = frame({ key: "second" });
    outgoing.write(Buffer.concat([frame({ key: "first" }), second.subarray(0, 30)]));
    const [incoming] = (await once(outgoing, "response")) as [NodeJS.ReadableStream];
    const [line] = (await once(incoming, "data")) as [Buffer];
    expect(JSON.parse(String(line))).toMatchObject({ key: "first", code: 250 });
    expect(mx.messages).toHaveLength(1);
    outgoing.end(second.subarray(30));
    const [next] = (await once(incoming, "data")) as [Buffer];
    expect(JSON.parse(String(next))).toMatchObject({ key: "second", code: 250 });
  });

  it("are answered at once when a domain that hangs has used its share of the memory; other domains still have room", async () => {
    const { script, release } = holdFinalReply();
    const [mx, quiet] = [await startMx(script), await startMx()];
    const host = "127.0.0.1";
    const routes = [
      { pattern: "hangs.test", host, port: mx.port },
      { pattern: "quiet.test", host, port: quiet.port },
    ];
    const { port } = await gateway(0, { bytesInFlight: 400_000, routes });
    const message = Buffer.alloc(40_000, "x\r\n");
    const toDomain = (domain: string, copies: number): Buffer[] =>
      Array.from({ length: copies }, (_, at) =>
        frame({ key: `${domain}/${at}`, rcptTo: `x@${domain}`, message }),
      );

    // The memory limit is 400 KB. Five messages take 220 KB, so 180 KB stay free.
    const { lines } = await post(port, toDomain("hangs.test", 9), TOKEN, { wait: "wait=0" });
    expect(lines).toHaveLength(9);
    const full = { kind: "not_taken", why: "memory" };
    expect(lines).toMatchObject(lines.map((_, at) => (at < 4 ? full : { kind: "under_way" })));
    expect((await post(port, toDomain("quiet.test", 1))).lines).toMatchObject([{ code: 250 }]);
    release("250 2.0.0 taken");
    const again = post(port, toDomain("hangs.test", 9).slice(8));
    await eventually(() => mx.messages.length === 6);
    release("250 2.0.0 taken");
    expect((await again).lines).toMatchObject([{ key: "hangs.test/8", code: 250 }]);
  });

  it("are dropped when the client pauses for too long, and their memory is free again", async () => {
    const { port } = await startHarness({}, { stallMs: 100, bytesInFlight: 60_000 });
    const stalled = openRequest(port);
    stalled.write(frame({ key: "slow", message: "x".repeat(50_000) }).subarray(0, 10_000));
    const [error] = (await once(stalled, "error")) as [NodeJS.ErrnoException];
    expect(error.code).toBe("ECONNRESET");
    const quick = await deliverOne(port, { key: "quick", message: "x".repeat(50_000) });
    expect(quick).toMatchObject({ code: 250 });
  });
});

it("the egress serves a client on the same connection after refusals", async () => {
  const { port } = await startHarness();
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  const statuses: (number | undefined)[] = [];
  for (const body of [
    Buffer.concat([Buffer.alloc(4), Buffer.alloc(300_000)]),
    frame({ key: "k" }),
    Buffer.from([0]),
    frame({ key: "l" }),
  ]) {
    const outgoing = openRequest(port, { agent }).end(body);
    const [incoming] = (await once(outgoing, "response")) as [IncomingMessage];
    statuses.push(incoming.statusCode);
    await once(incoming.resume(), "end");
  }
  agent.destroy();
  expect(statuses).toEqual([400, 200, 400, 200]);
});
