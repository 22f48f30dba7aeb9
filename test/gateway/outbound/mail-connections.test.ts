// Tests the gateway's connections to mail servers: reuse, limits, fairness, and source addresses by
// IP pool.
import { queryObjects } from "node:v8";
import { describe, expect, it } from "vitest";
import { FairQueue } from "../../../smtp-gateway/src/outbound/fair-queue.ts";
import type { MailPriority } from "../../../smtp-gateway/src/outcome.ts";
import { SmtpConnection } from "../../../smtp-gateway/src/smtp/smtp-connection.ts";
import type { FakeMx } from "../fake-mx.ts";
import {
  deliverOne,
  eventually,
  frame,
  frames,
  gateway,
  pause,
  post,
  TIME_LIMITS,
  startHarness,
  startMx,
} from "../gateway-harness.ts";
import { LANES, REUSE_CASES, type ReuseRunner, runReuseCase } from "../reuse-cases.ts";

const countsOf = (mx: FakeMx, command: string): number[] =>
  mx.connections.map(({ verbs }) => verbs.filter((verb) => verb === command).length);

const EHLOS = [
  ["with pipelining", undefined],
  ["without", "250-mx.test\r\n250 SIZE"],
] as const;

describe("a connection to a mail server", () => {
  it("is retired after its number of messages", async () => {
    const caps = { connectionsPerHost: 1, messagesPerConnection: 5 };
    const { mx, port } = await startHarness({}, caps);
    const { lines } = await post(port, frames(12));
    expect(lines).toHaveLength(12);
    expect(countsOf(mx, "end")).toEqual([5, 5, 2]);
    expect(mx.connections[0]!.verbs.at(-1)).toBe("quit");
  });

  it("leaves nothing in memory when it has ended", async () => {
    const held = queryObjects(SmtpConnection, { format: "count" });
    const caps = { messagesPerConnection: 1, connectionsPerHost: 4 };
    const { mx, port } = await startHarness({}, caps);
    await post(port, frames(50));
    expect(mx.connections).toHaveLength(50);
    await eventually(() => mx.open() === 0);
    // The count takes long, because it collects all garbage first.
    await expect
      .poll(() => queryObjects(SmtpConnection, { format: "count" }) - held, { interval: 500 })
      .toBeLessThan(8);
  });

  it("ends with QUIT after some idle time", async () => {
    const { mx, port } = await startHarness({}, { timeouts: { ...TIME_LIMITS, idle: 50 } });
    await deliverOne(port, { key: "a" });
    await eventually(() => mx.open() === 0);
    expect(mx.connections[0]!.verbs.at(-1)).toBe("quit");
  });

  it("is never used again if the server closed it while it was idle", async () => {
    const { mx, port } = await startHarness();
    await deliverOne(port, { key: "a" });
    mx.hangUp();
    await pause(20);
    expect(await deliverOne(port, { key: "b" })).toMatchObject({ code: 250 });
    expect(mx.connections).toHaveLength(2);
  });
});

describe.each(EHLOS)("the messages of a used connection, %s,", (_way, ehlo) => {
  const run: ReuseRunner = async (script, mails) => {
    const { mx, port } = await startHarness(script, {
      connectionsPerHost: LANES,
      timeouts: { ...TIME_LIMITS, wait: 60_000 },
    });
    const { lines } = await post(port, Buffer.concat(mails.map(frame)));
    return { mx, outcomes: new Map(lines.map((line) => [line.key, { ...line }])) };
  };

  it.each(REUSE_CASES)(
    "get the outcome of a fresh connection from a server that %s",
    async (_name, one) => {
      const { found, expected } = await runReuseCase(run, one, ehlo);
      expect(found).toMatchObject(expected);
    },
  );
});

describe("a server that takes one message a connection", () => {
  it("is remembered without an open connection, and later messages meet no refusal", async () => {
    const { mx, port } = await startHarness({
      mail: (_line, count) => (count === 1 ? "250 ok" : "550 5.5.1 one only"),
    });
    for (const key of ["a", "b", "c", "d"]) {
      expect(await deliverOne(port, { key })).toMatchObject({ code: 250 });
      // The server refuses the second message on a connection once. The gateway then opens a
      // connection for each message.
      if (key !== "a") await eventually(() => mx.open() === 0);
    }
    expect(countsOf(mx, "mail")).toEqual([2, 1, 1, 1]);
  });

  it("gets a refused message again over a fresh connection, and a used connection ends to make room for it", async () => {
    let answerSecond = (): void => {};
    const { mx, port } = await startHarness(
      {
        greeting: (_line, _count, connection) =>
          connection === 3 ? { act: "say_and_drop", text: "421 4.7.0 too many" } : "220 hi",
        mail: (_line, count) => (count === 1 ? "250 ok" : "550 5.5.1 one only"),
        end: (_line, _count, connection) =>
          connection === 2
            ? { act: "later", give: (say) => (answerSecond = () => say("250 ok")) }
            : "250 ok",
      },
      { connectionsPerHost: 2, timeouts: { ...TIME_LIMITS, idle: 60_000, wait: 60_000 } },
    );
    const answer = post(port, frames(3));
    // The server refuses the third message on the first connection, and then turns away the third
    // connection.
    await eventually(() => mx.connections.length === 3);
    await eventually(() => mx.open() === 1);
    answerSecond();
    const { lines } = await answer;
    expect(lines.map((line) => line.kind === "reply" && line.code)).toEqual([250, 250, 250]);
    expect(countsOf(mx, "mail")).toEqual([2, 1, 0, 1]);
  });
});

describe("the caps on connections", () => {
  it("limit the connections to one server, and the gateway uses all of them", async () => {
    let busy = 0;
    const say: (() => void)[] = [];
    const { mx, port } = await startHarness(
      { end: () => ({ act: "later", give: (reply) => (busy++, say.push(() => reply("250 ok"))) }) },
      { connectionsPerHost: 4 },
    );
    const answer = post(port, frames(12));
    for (let round = 0; round < 3; round++) {
      await eventually(() => say.length === 4);
      await pause(30);
      expect(mx.open()).toBe(4);
      for (const reply of say.splice(0)) reply();
    }
    expect((await answer).lines).toHaveLength(12);
    expect(mx.connections).toHaveLength(4);
    expect(busy).toBe(12);
  });

  it("count for the whole process: an idle connection makes room for another server", async () => {
    const [one, two] = [await startMx(), await startMx()];
    const host = "127.0.0.1";
    const routes = [one, two].map(({ port }, at) => ({ pattern: `d${at}.test`, host, port }));
    const timeouts = { ...TIME_LIMITS, idle: 60_000 };
    const { port } = await gateway(0, { routes, connections: 1, timeouts });
    for (const [key, to] of ["x@d0.test", "x@d1.test", "x@d0.test"].entries())
      expect(await deliverOne(port, { key: `${key}`, rcptTo: to })).toMatchObject({ code: 250 });
    expect([one.connections.length, two.connections.length]).toEqual([2, 1]);
  });

  it("let the waiting senders take turns", async () => {
    const { mx, port } = await startHarness({}, { connectionsPerHost: 1 });
    const many = frames(20, { mailFrom: "b@bounces.flood.test" });
    await post(port, [many, frame({ key: "other", mailFrom: "b@bounces.quiet.test" })]);
    const mails = mx.lines.filter((line) => line.startsWith("MAIL"));
    expect(mails.findIndex((line) => line.includes("quiet"))).toBeLessThanOrEqual(3);
  });
});

describe("the fair queue", () => {
  /** Makes an item of the team that the name's first letter names. */
  const item = (name: string, since: number, priority: MailPriority = "normal") => {
    return { team: name[0]!, priority, since, name };
  };
  const shifted = (queue: FairQueue<ReturnType<typeof item>>) => queue.shift()?.name;

  it("takes turns among teams, serves each team's items by arrival, and knows their number", () => {
    const queue = new FairQueue<ReturnType<typeof item>>(() => "high");
    for (const [since, name] of ["a3", "a1", "a2", "b1", "c1", "c2"].entries())
      queue.push(item(name, name === "a3" ? 2.5 : since));
    queue.putBack(queue.shift()!);
    const served = queue.shiftUnserved()!;
    expect(served.name).toBe("b1");
    queue.putBack(served);
    expect(queue.remove(({ name }) => name === "a2")).toMatchObject([{ name: "a2" }]);
    const order: string[] = [];
    for (let name = shifted(queue); name !== undefined; name = shifted(queue)) order.push(name);
    expect(order).toEqual(["a1", "b1", "c1", "a3", "c2"]);
    expect(queue.length).toBe(0);
  });

  it("serves a team's item of the preferred priority first, if the team has both priorities", () => {
    let preferred: MailPriority = "high";
    const queue = new FairQueue<ReturnType<typeof item>>(() => preferred);
    for (const priority of ["normal", "high"] as const)
      for (const at of [1, 2, 3]) queue.push(item(`a ${priority} ${at}`, at, priority));
    queue.push(item("b1", 0));
    expect([shifted(queue), shifted(queue), queue.next?.name]).toEqual([
      "a high 1",
      "b1",
      "a high 2",
    ]);
    preferred = "normal";
    expect(queue.remove(({ name }) => name === "a normal 1")).toHaveLength(1);
    const order = Array.from({ length: 4 }, () => shifted(queue));
    expect(order).toEqual(["a normal 2", "a normal 3", "a high 2", "a high 3"]);
    expect([queue.length, queue.next]).toEqual([0, undefined]);
  });
});

describe("the gateway with IP pools", () => {
  const sources = new Map([
    ["default", ["127.0.0.4"]],
    ["marketing", ["127.0.0.2", "127.0.0.3", "::1"]],
    ["elsewhere", ["192.0.2.1"]],
    ["six", ["::1"]],
  ]);

  it("connects from the addresses of the IP pool that the message names, in turn", async () => {
    const { mx, port } = await startHarness({}, { sources, messagesPerConnection: 1 });
    for (const [at, pool] of ["marketing", "marketing", null].entries())
      expect(await deliverOne(port, { key: `k${at}`, pool })).toMatchObject({ code: 250 });
    const from = mx.connections.map(({ remoteAddress }) => remoteAddress);
    expect(from).toEqual(["127.0.0.2", "127.0.0.3", "127.0.0.4"]);
  });

  it("never reuses a connection of another IP pool", async () => {
    const { mx, port } = await startHarness({}, { sources });
    await deliverOne(port, { key: "a", pool: "marketing" });
    await deliverOne(port, { key: "b" });
    expect(mx.connections).toHaveLength(2);
  });

  it.each([
    ["unheard-of", "other", "this gateway does not have the message's IP pool"],
    ["elsewhere", "other", "connecting: EADDRNOTAVAIL"],
    ["six", "connect", "no address of the IP pool can reach IPv4"],
  ])("fails a message whose IP pool is unknown or has no usable address: %s", async (...row) => {
    const [pool, cause, detail] = row;
    const { mx, port } = await startHarness({}, { sources });
    const line = await deliverOne(port, { key: pool, pool });
    expect(line).toMatchObject({ kind: "failure", cause, detail });
    expect(mx.connections).toEqual([]);
  });
});
