// Tests a message that waits for a connection to its mail server (docs/egress-protocol.md §What is
// not taken): when the gateway returns it to the worker, and when it fails.
import { describe, expect, it } from "vitest";
import {
  askFor,
  eventually,
  frame,
  frames,
  pause,
  post,
  QUICK,
  TIME_LIMITS,
  startHarness,
  startHolding,
  TOKEN,
} from "../gateway-harness.ts";

describe("a message that waits for a connection", () => {
  it("is given back with its turn after it waited too long for the only connection", async () => {
    const { mx, port, release } = await startHolding({
      connectionsPerHost: 1,
      timeouts: { ...TIME_LIMITS, wait: QUICK },
    });
    const answer = post(port, frames(2));
    await eventually(() => mx.messages.length === 1);
    const back = post(port, frame({ key: "k1" }));
    const turn = { why: "waited", room_in_ms: 0, waited_ms: expect.any(Number) };
    expect((await back).lines).toEqual([{ key: "k1", kind: "not_taken", ...turn }]);
    expect(await askFor(port, ["k0", "k1", "k2"])).toEqual([
      { key: "k0", kind: "under_way" },
      { key: "k1", kind: "not_taken", ...turn },
      { key: "k2", kind: "never_heard" },
    ]);
    release("250 2.0.0 taken");
    expect((await answer).lines).toMatchObject([{ why: "waited" }, { key: "k0", code: 250 }]);
    const again = post(port, frame({ key: "k1" }));
    await eventually(() => mx.messages.length === 2);
    expect(await askFor(port, ["k1"])).toEqual([{ key: "k1", kind: "under_way" }]);
    release("250 2.0.0 taken");
    expect((await again).lines).toMatchObject([{ key: "k1", code: 250 }]);
  });

  it("is sent before later messages when it comes again, and so is a message that waited at another gateway", async () => {
    const { mx, port, release } = await startHolding({
      connectionsPerHost: 1,
      timeouts: { ...TIME_LIMITS, wait: QUICK },
    });
    const to = (name: string, waitedMs?: number): Buffer =>
      frame({ key: name, rcptTo: `${name}@example.net`, waitedMs });
    const deliveries = [post(port, to("first"))];
    await eventually(() => mx.messages.length === 1);
    await post(port, to("back"));
    for (const one of [to("late"), to("back"), to("elsewhere", 3_600_000)]) {
      const { lines } = await post(port, one, TOKEN, { wait: "wait=0" });
      expect(lines).toMatchObject([{ kind: "under_way" }]);
    }
    const waiting = (await askFor(port, ["elsewhere"])) as { waited_ms: number }[];
    expect(waiting[0]!.waited_ms).toBeGreaterThanOrEqual(3_600_000);
    for (let sent = 1; sent <= 4; sent += 1) {
      await eventually(() => mx.messages.length === sent);
      release("250 2.0.0 taken");
    }
    await Promise.all(deliveries);
    const recipients = mx.lines.filter((line) => line.startsWith("RCPT"));
    const order = ["first", "elsewhere", "back", "late"];
    expect(recipients).toEqual(order.map((name) => `RCPT TO:<${name}@example.net>`));
  });

  it("is given back, without a failure, if its server had announced a limit", async () => {
    const greetings = ["220 hi", "421 4.7.0 too many connections"];
    const { mx, port, release } = await startHolding(
      { timeouts: { ...TIME_LIMITS, wait: QUICK } },
      { greeting: () => greetings.shift() ?? "220 hi" },
    );
    const answer = post(port, frames(1));
    await eventually(() => mx.messages.length === 1);
    const delayed = post(port, frame({ key: "k1" }));
    expect((await delayed).lines).toMatchObject([{ kind: "not_taken", why: "waited" }]);
    expect(mx.connections).toHaveLength(2);
    release("250 2.0.0 taken");
    expect((await answer).lines).toMatchObject([{ key: "k0", code: 250 }]);
  });

  it("waits while one connection is tried for all waiting messages, and fails with the others", async () => {
    const { port } = await startHarness(
      { greeting: { act: "hang" } },
      { connectionsPerHost: 1, timeouts: { ...TIME_LIMITS, greeting: QUICK, wait: 50 } },
    );
    const { lines } = await post(port, frames(3));
    expect(lines.map((line) => line.kind === "failure" && line.cause)).toEqual([
      "connect",
      "connect",
      "connect",
    ]);
  });

  it("ends with a refusal that came meanwhile, although a newer connection is still being opened", async () => {
    const greet: ((text: string) => void)[] = [];
    const { port } = await startHarness(
      { greeting: () => ({ act: "later", give: (say) => greet.push(say) }) },
      { timeouts: { ...TIME_LIMITS, wait: 50 } },
    );
    const first = post(port, frames(1));
    await eventually(() => greet.length === 1);
    const second = post(port, frame({ key: "k1" }));
    await eventually(() => greet.length === 2);
    greet[0]!("450 4.3.2 busy");
    for (const answer of [first, second])
      expect((await answer).lines).toMatchObject([{ code: 450, stage: "connect" }]);
  });

  it("is given back if its server greets only after the message waited too long", async () => {
    const greet: ((text: string) => void)[] = [];
    const { mx, port } = await startHarness(
      { greeting: () => ({ act: "later", give: (say) => greet.push(say) }) },
      { connectionsPerHost: 1, timeouts: { ...TIME_LIMITS, wait: 50 } },
    );
    const answer = post(port, frames(2));
    await eventually(() => greet.length === 1);
    await pause(150);
    greet[0]!("220 hi");
    expect((await answer).lines).toMatchObject([{ why: "waited" }, { why: "waited" }]);
    expect(mx.lines.filter((line) => line.startsWith("MAIL"))).toEqual([]);
  });
});
