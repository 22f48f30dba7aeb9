// Tests a worker that leaves before a copy's outcome, and asks for the outcome later by the copy's
// key (docs/egress-protocol.md §Asking by key): `Prefer: wait` on POST /deliver, and POST /ask.
import { describe, expect, it } from "vitest";
import type { ScriptStep } from "../fake-mx.ts";
import {
  askFor,
  deliverOne,
  eventually,
  frame,
  gateway,
  pause,
  post,
  read,
  startHarness,
  startHolding,
  temporaryDirectory,
  TOKEN,
} from "../gateway-harness.ts";

const rcpt: ScriptStep = (line) => (line.includes("no@") ? "550 5.1.1 no" : "250 2.1.5 ok");

describe("a client that prefers to wait only for a time", () => {
  it.each(["wait=0", "respond-async, wait=0", 'WAIT="0"', "wait = 0; x=1", "wait=0, wait=9"])(
    "with `%s` gets the known outcomes, and the other deliveries continue",
    async (wait) => {
      const { mx, port, release } = await startHolding({}, { rcpt });
      const refused = await deliverOne(port, { key: "known", rcptTo: "no@example.net" });
      const body = [frame({ key: "known" }), frame({ key: "slow" }), frame({ key: "slow" })];
      const { status, lines } = await post(port, body, TOKEN, { wait });
      const slow = { key: "slow", kind: "under_way" };
      expect([status, lines]).toEqual([200, [refused, slow, slow]]);
      await eventually(() => mx.messages.length === 1);
      release("250 2.0.0 taken");
      await expect.poll(() => askFor(port, ["slow"])).toMatchObject([{ code: 250 }]);
      expect(mx.messages).toHaveLength(1);
    },
  );

  it("gets the outcomes that come in time", async () => {
    const { port } = await startHarness(
      { rcpt: (line) => (line.includes("slow@") ? { act: "hang" } : "250 2.1.5 ok") },
      { drainMs: 1 },
    );
    const body = ["quick", "slow"].map((key) => frame({ key, rcptTo: `${key}@example.net` }));
    const { lines } = await post(port, body, TOKEN, { wait: "wait=1" });
    expect(lines).toMatchObject([
      { key: "quick", code: 250 },
      { key: "slow", kind: "under_way" },
    ]);
  });

  it.each(["wait=3601", "wait=-1", "wait=1.5", "wait=", "wait", "await=0", "x; wait=0"])(
    "waits for every outcome if its preference is `%s`, which has no meaning",
    async (wait) => {
      const { mx, port, release } = await startHolding();
      const answer = post(port, frame({ key: "k" }), TOKEN, { wait });
      await eventually(() => mx.messages.length === 1);
      await pause(20);
      release("250 2.0.0 taken");
      expect((await answer).lines).toMatchObject([{ code: 250 }]);
    },
  );
});

describe("a key that is asked for", () => {
  it("is under way at first, and then has its outcome, after a restart too", async () => {
    const stateDirectory = temporaryDirectory();
    const { mx, release, ...first } = await startHolding({ stateDirectory }, { rcpt });
    const keys = ["taken", "refused", "other"];
    const answer = post(first.port, frame({ key: "taken" }));
    await eventually(() => mx.messages.length === 1);
    const other = { key: "other", kind: "never_heard" };
    const unheard = { key: "refused", kind: "never_heard" };
    const before = await askFor(first.port, keys);
    expect(before).toEqual([{ key: "taken", kind: "under_way" }, unheard, other]);
    await pause(100);
    release("250 2.0.0 taken");
    const taken = (await answer).lines[0]!;
    const refused = await deliverOne(first.port, { key: "refused", rcptTo: "no@example.net" });
    expect(await askFor(first.port, keys)).toEqual([taken, refused, other]);
    await first.drain();
    const second = await gateway(mx.port, { stateDirectory });
    expect(await askFor(second.port, keys)).toEqual([taken, unheard, other]);
    // The journal stores both times, so the outcome still tells how long the message took until the
    // server's reply.
    const { ages } = await post(second.port, frame({ key: "taken" }));
    expect(ages[0]!.taken - ages[0]!.replied).toBeGreaterThan(50);
    expect(mx.messages).toHaveLength(1);
  });

  it("has a reply whose age grows, while the time between message and reply stays the same", async () => {
    const { port } = await startHarness();
    const [before] = (await post(port, frame({ key: "k" }))).ages;
    await pause(60);
    const [after] = (await post(port, frame({ key: "k" }))).ages;
    expect(after!.replied).toBeGreaterThan(before!.replied + 30);
    const grown = after!.taken - after!.replied - (before!.taken - before!.replied);
    expect(Math.abs(grown)).toBeLessThanOrEqual(2);
  });

  it("is answered in a question with ten thousand keys", async () => {
    const { port } = await startHarness();
    const known = await deliverOne(port, { key: "k9999" });
    const keys = Array.from({ length: 10_000 }, (_, at) => `k${at}`);
    const body = Buffer.from(JSON.stringify({ keys, note: "é" }));
    const { status, lines } = await post(port, body, TOKEN, { path: "/ask" });
    expect([status, lines.length, lines.at(-1)]).toEqual([200, 10_000, known]);
    const kinds = lines.slice(0, 9_999).map(({ kind }) => kind);
    expect(new Set(kinds)).toEqual(new Set(["never_heard"]));
  });
});

describe("a question", () => {
  const object = "the body must be a JSON object";
  const list = "keys must be a list of 1 to 10000 keys";
  const form = "must be a string of 1 to 256 characters";

  it.each<[string, string | Buffer, string]>([
    ["no body", "", object],
    ["half an object", '{"keys": ["a"', object],
    ["a list", '["a"]', object],
    ["null", "null", object],
    ["text that is not UTF-8", Buffer.from([0x7b, 0x22, 0xff, 0x22, 0x7d]), object],
    ["no keys", "{}", list],
    ["an empty list", '{"keys": []}', list],
    ["keys that are a string", '{"keys": "a"}', list],
    ["10,001 keys", JSON.stringify({ keys: Array.from({ length: 10_001 }, String) }), list],
    ["a number among its keys", '{"keys": ["a", 1]}', `keys[1] ${form}`],
    ["an empty key", '{"keys": [""]}', `keys[0] ${form}`],
    ["a key of 257 characters", JSON.stringify({ keys: ["k".repeat(257)] }), `keys[0] ${form}`],
  ])("with %s is refused with 400", async (_what, body, error) => {
    const { port } = await startHarness();
    const { status, body: text } = await post(port, Buffer.from(body), TOKEN, { path: "/ask" });
    expect([status, JSON.parse(text)]).toEqual([400, { error }]);
  });

  it("gets 413 over 4 MB, 401 without its token, and 405 as GET", async () => {
    const { port } = await startHarness();
    const mb = Buffer.alloc(1024 * 1024, " ");
    const long = await post(port, [mb, mb, mb, mb, Buffer.from(" ")], TOKEN, { path: "/ask" });
    const error = "the body has more than 4194304 bytes";
    expect([long.status, JSON.parse(long.body)]).toEqual([413, { error }]);
    const body = Buffer.from('{"keys":["k"]}');
    expect((await post(port, body, "wrong", { path: "/ask" })).status).toBe(401);
    expect((await read(port, "/ask")).status).toBe(405);
  });
});
