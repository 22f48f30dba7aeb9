// Tests how a gateway drains. run-gateway.test.ts tests the signals.
import { once } from "node:events";
import { connect } from "node:net";
import { describe, expect, it } from "vitest";
import {
  askFor,
  eventually,
  frame,
  gateway,
  post,
  QUICK,
  TIME_LIMITS,
  startHarness,
  startHolding,
  startMx,
  openRequest,
} from "./gateway-harness.ts";

describe("a drain", () => {
  it("refuses new requests, finishes deliveries under way, sends QUIT and ends", async () => {
    const { mx, port, drain, release } = await startHolding();
    const idle = await fetch(`http://127.0.0.1:${port}/healthz`);
    expect(await idle.json()).toEqual({ status: "ok", checks: { journal: true } });
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

  it("answers the complete frames of a body that is still arriving", async () => {
    const { mx, port, drain, release } = await startHolding();
    const outgoing = openRequest(port);
    outgoing.on("error", () => {});
    outgoing.write(
      Buffer.concat([frame({ key: "whole" }), frame({ key: "half" }).subarray(0, 40)]),
    );
    await eventually(() => mx.messages.length === 1);
    const drained = drain();
    release("250 2.0.0 taken");
    const [incoming] = (await once(outgoing, "response")) as [NodeJS.ReadableStream];
    const [line] = (await once(incoming, "data")) as [Buffer];
    expect(JSON.parse(String(line))).toMatchObject({ key: "whole", code: 250 });
    await drained;
  });

  it("gives waiting messages back, cuts off messages before the final dot, and waits for the replies after it", async () => {
    const { mx, port, drain, release } = await startHolding(
      { connectionsPerHost: 2, drainMs: 300, timeouts: { ...TIME_LIMITS, wait: 60_000 } },
      { rcpt: (line) => (line.includes("silent") ? { act: "hang" } : "250 2.1.5 ok") },
    );
    const deliver = (key: string) => post(port, frame({ key, rcptTo: `${key}@example.net` }));
    const behind = deliver("behind");
    await eventually(() => mx.messages.length === 1);
    const silent = deliver("silent");
    await eventually(() => mx.lines.some((line) => line.startsWith("RCPT TO:<silent@")));
    const waits = deliver("waits");
    const keys = ["behind", "silent", "waits"];
    const kinds = async () =>
      (await askFor(port, keys)).map((line) => (line as { kind: string }).kind);
    await expect.poll(kinds).toEqual(["under_way", "under_way", "under_way"]);
    const drained = drain();
    expect((await waits).lines).toEqual([{ key: "waits", kind: "not_taken", why: "draining" }]);
    expect(await kinds()).toEqual(["under_way", "under_way", "never_heard"]);
    expect(await deliver("late")).toMatchObject({ status: 503, body: '{"error":"draining"}' });
    expect((await silent).lines).toMatchObject([{ kind: "failure", cause: "other" }]);
    expect(await kinds()).toEqual(["under_way", "failure", "never_heard"]);
    release("250 2.0.0 taken");
    expect((await behind).lines).toMatchObject([{ code: 250 }]);
    await drained;
    expect(mx.messages).toHaveLength(1);
  });

  it("gives messages back at once that still wait for DNS or for a connection", async () => {
    const never = () => new Promise<never>(() => undefined);
    const dns = { resolveMx: never, resolve4: never, resolve6: never, resolveTxt: never };
    const mx = await startMx({ greeting: { act: "hang" } });
    const routes = [{ pattern: "silent.test", host: "127.0.0.1", port: mx.port }];
    const timeouts = { ...TIME_LIMITS, greeting: 3_600_000 };
    const { port, drain } = await gateway(0, { routes, drainMs: 600_000, timeouts }, dns);
    const answer = post(port, [
      frame({ key: "dns", rcptTo: "a@example.net" }),
      frame({ key: "greeting", rcptTo: "a@silent.test" }),
    ]);
    await eventually(() => mx.connections.length === 1);
    await drain();
    expect((await answer).lines.map((line) => ({ ...line, key: undefined }))).toEqual([
      { kind: "not_taken", why: "draining" },
      { kind: "not_taken", why: "draining" },
    ]);
  });

  it("ends when a mail server has not answered the final dot within its time", async () => {
    const { mx, port, drain } = await startHarness(
      { end: { act: "hang" } },
      { drainMs: 50, timeouts: { ...TIME_LIMITS, final: QUICK } },
    );
    const answer = post(port, frame({ key: "k" }));
    await eventually(() => mx.messages.length === 1);
    await drain();
    expect((await answer).lines).toMatchObject([
      { kind: "failure", detail: "unknown fate: no answer in time after the final dot" },
    ]);
  });
});
