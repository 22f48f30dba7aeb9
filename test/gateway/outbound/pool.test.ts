// Connections to mail servers: reuse, caps, fairness, fail-over between servers, source addresses
// by IP pool.
import { queryObjects } from "node:v8";
import { afterEach, describe, expect, it } from "vitest";
import type { GatewaySettings } from "../../../smtp-gateway/src/config.ts";
import { deliver } from "../../../smtp-gateway/src/outbound/delivery.ts";
import { FairQueue } from "../../../smtp-gateway/src/outbound/fair-queue.ts";
import type { EgressOutcome } from "../../../smtp-gateway/src/outbound/outcome.ts";
import { Pool } from "../../../smtp-gateway/src/outbound/pool.ts";
import { SmtpConnection } from "../../../smtp-gateway/src/smtp/smtp-connection.ts";
import type { MailServer } from "../../../smtp-gateway/src/outbound/server-connection.ts";
import { fakeMx, type FakeMx, type Script } from "../fake-mx.ts";
import {
  deliverOne,
  eventually,
  frame,
  gateway,
  MESSAGE,
  pause,
  post,
  settings,
  SHORT,
} from "../gateway-harness.ts";

const closing: (() => Promise<unknown>)[] = [];

afterEach(async () => {
  for (const close of closing.splice(0)) await close();
});

async function stand(
  script: Script = {},
  overrides: Partial<GatewaySettings> = {},
): Promise<{ mx: FakeMx; port: number }> {
  const mx = await fakeMx(script);
  const { port, drain } = await gateway(mx.port, overrides);
  closing.push(drain, mx.close);
  return { mx, port };
}

const frames = (count: number, changes: object = {}): Buffer =>
  Buffer.concat(Array.from({ length: count }, (_, at) => frame({ key: `k${at}`, ...changes })));

describe("reuse", () => {
  it.each([
    ["with pipelining", undefined],
    ["without", "250-mx.test\r\n250 SIZE"],
  ])("sends message after message over one connection, %s", async (_name, ehlo) => {
    const { mx, port } = await stand(ehlo === undefined ? {} : { ehlo }, { connectionsPerHost: 1 });
    const { lines } = await post(port, frames(30));
    expect(lines.every((line) => line.kind === "reply" && line.code === 250)).toBe(true);
    expect(mx.connections).toHaveLength(1);
    expect(mx.connections[0]!.verbs.filter((verb) => verb === "rset")).toEqual([]);
  });

  it("says RSET before the next message when one was refused half way", async () => {
    const { mx, port } = await stand({
      rcpt: (_line, count) => (count === 1 ? "550 5.1.1 no" : "250 ok"),
    });
    expect(await deliverOne(port, { key: "a" })).toMatchObject({ code: 550 });
    expect(await deliverOne(port, { key: "b" })).toMatchObject({ code: 250, stage: "end" });
    expect(mx.connections).toHaveLength(1);
    expect(mx.connections[0]!.verbs.join(" ")).toBe(
      "greeting ehlo mail rcpt data rset mail rcpt data end",
    );
  });

  it("retires a connection after its share of messages", async () => {
    const { mx, port } = await stand({}, { connectionsPerHost: 1, messagesPerConnection: 5 });
    const { lines } = await post(port, frames(12));
    expect(lines).toHaveLength(12);
    expect(
      mx.connections.map(({ verbs }) => verbs.filter((verb) => verb === "end").length),
    ).toEqual([5, 5, 2]);
    expect(mx.connections[0]!.verbs.at(-1)).toBe("quit");
  });

  it("leaves nothing of a connection in memory that has ended", async () => {
    const held = queryObjects(SmtpConnection, { format: "count" });
    const { mx, port } = await stand({}, { messagesPerConnection: 1, connectionsPerHost: 4 });
    await post(port, frames(50));
    expect(mx.connections).toHaveLength(50);
    await eventually(() => queryObjects(SmtpConnection, { format: "count" }) - held < 8);
  });

  it("ends a connection with QUIT that has rested for a while", async () => {
    const { mx, port } = await stand({}, { timeouts: { ...SHORT, idle: 50 } });
    await deliverOne(port, { key: "a" });
    await eventually(() => mx.open() === 0);
    expect(mx.connections[0]!.verbs.at(-1)).toBe("quit");
  });

  it.each<[string, Script]>([
    ["drops it at MAIL", { mail: (_line, count) => (count === 2 ? { act: "drop" } : "250 ok") }],
    [
      "says 421 to MAIL",
      {
        mail: (_line, count) =>
          count === 2 ? { act: "say_and_drop", text: "421 4.4.2 too old" } : "250 ok",
      },
    ],
    ["is silent at MAIL", { mail: (_line, count) => (count === 2 ? { act: "hang" } : "250 ok") }],
    [
      "says more than it was asked",
      {
        end: (_line, _count, connection) =>
          connection === 1 ? "250 ok\r\n250 and again" : "250 2.0.0 ok",
      },
    ],
    [
      "refuses RSET",
      {
        rcpt: (_line, _count, connection) => (connection === 1 ? "550 no" : "250 ok"),
        rset: "500 what",
      },
    ],
  ])("tries a fresh connection at once when the server %s on a used one", async (_name, script) => {
    const { mx, port } = await stand(script);
    await deliverOne(port, { key: "a" });
    expect(await deliverOne(port, { key: "b" })).toMatchObject({ code: 250, stage: "end" });
    expect(mx.connections).toHaveLength(2);
  });

  it("never uses a connection that the server has closed or spoken on while it rested", async () => {
    const { mx, port } = await stand();
    await deliverOne(port, { key: "a" });
    mx.hangUp();
    await pause(20);
    expect(await deliverOne(port, { key: "b" })).toMatchObject({ code: 250 });
    expect(mx.connections).toHaveLength(2);
  });
});

describe("caps", () => {
  it("opens no more connections to a server than it may, and uses them all", async () => {
    let busy = 0;
    const say: (() => void)[] = [];
    const { mx, port } = await stand(
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

  it("goes on over the connections it has when a server turns further ones away", async () => {
    const { mx, port } = await stand({
      greeting: (_line, _count, connection) =>
        connection > 2 ? { act: "say_and_drop", text: "421 4.7.0 too many connections" } : "220 hi",
    });
    const { lines } = await post(port, frames(40));
    expect(lines.filter((line) => line.kind === "reply" && line.code === 250)).toHaveLength(40);
    expect(mx.connections.length).toBeLessThanOrEqual(10);
  });

  it("shares the connections of the whole process between servers, resting ones first to go", async () => {
    const [one, two] = [await fakeMx(), await fakeMx()];
    const routes = [one, two].map(({ port }, at) => ({
      pattern: `d${at}.test`,
      host: "127.0.0.1",
      port,
    }));
    const { port, drain } = await gateway(0, {
      routes,
      connections: 1,
      timeouts: { ...SHORT, idle: 60_000 },
    });
    closing.push(drain, one.close, two.close);
    expect(await deliverOne(port, { key: "a", rcptTo: "x@d0.test" })).toMatchObject({ code: 250 });
    expect(await deliverOne(port, { key: "b", rcptTo: "x@d1.test" })).toMatchObject({ code: 250 });
    expect(await deliverOne(port, { key: "c", rcptTo: "x@d0.test" })).toMatchObject({ code: 250 });
    expect([one.connections.length, two.connections.length]).toEqual([2, 1]);
  });

  it("gives up on a message that has waited too long for a connection", async () => {
    const { port } = await stand(
      { end: { act: "hang" } },
      { connectionsPerHost: 1, timeouts: { ...SHORT, wait: 100, final: 1500 } },
    );
    const { lines } = await post(port, frames(2));
    expect(lines[0]).toMatchObject({
      key: "k1",
      kind: "failure",
      cause: "other",
      detail: "waited too long for a free connection",
    });
  });

  it("serves the senders that wait in turn", async () => {
    const { mx, port } = await stand({}, { connectionsPerHost: 1 });
    const many = frames(20, { mailFrom: "b@bounces.flood.test" });
    await post(
      port,
      Buffer.concat([many, frame({ key: "other", mailFrom: "b@bounces.quiet.test" })]),
    );
    const order = mx.lines
      .filter((line) => line.startsWith("MAIL"))
      .findIndex((line) => line.includes("quiet"));
    expect(order).toBeLessThanOrEqual(3);
  });
});

describe("fair queue", () => {
  it("takes turns between parties, keeps order within one, and counts", () => {
    const queue = new FairQueue<string>();
    for (const item of ["a1", "a2", "a3", "b1", "c1", "c2"]) queue.push(item[0]!, item);
    const first = queue.shift()!;
    queue.unshift(first);
    expect(queue.remove((item) => item === "a2")).toEqual(["a2"]);
    const order: string[] = [];
    for (let item = queue.shift(); item !== undefined; item = queue.shift()) order.push(item);
    expect(order).toEqual(["a1", "b1", "c1", "a3", "c2"]);
    expect(queue.length).toBe(0);
  });
});

describe("fail-over", () => {
  async function across(
    scripts: readonly (Script | "down")[],
  ): Promise<{ outcome: EgressOutcome; mxs: FakeMx[] }> {
    const mxs = await Promise.all(scripts.map((script) => fakeMx(script === "down" ? {} : script)));
    for (const [at, mx] of mxs.entries()) if (scripts[at] === "down") await mx.close();
    const pool = new Pool(settings(0));
    const targets: MailServer[] = mxs.map(({ port }, at) => ({
      host: `mx${at}.test`,
      port,
      addresses: ["127.0.0.1"],
      tlsRequired: false,
      mayBeOurs: false,
    }));
    closing.push(async () => {
      pool.close();
      await pool.closed();
      for (const [at, mx] of mxs.entries()) if (scripts[at] !== "down") await mx.close();
    });
    const mail = {
      key: "k",
      mailFrom: "a@example.test",
      rcptTo: "b@example.net",
      pool: null,
      bytes: Buffer.from(MESSAGE),
    };
    return {
      outcome: await deliver(
        { pool, targets: async () => ({ targets }), unreachable: () => {} },
        mail,
        () => {},
      ),
      mxs,
    };
  }

  it.each<[string, readonly (Script | "down")[], object]>([
    ["a server that is down", ["down", {}], { code: 250, mx_host: "mx1.test" }],
    ["a 4xx greeting", [{ greeting: "450 busy" }, {}], { code: 250, mx_host: "mx1.test" }],
    [
      "a 421 greeting",
      [{ greeting: { act: "say_and_drop", text: "421 busy" } }, {}],
      { code: 250, mx_host: "mx1.test" },
    ],
    ["a 5xx greeting", [{ greeting: "554 not here" }, {}], { code: 250, mx_host: "mx1.test" }],
    [
      "a connection lost before the final dot",
      [{ data: { act: "drop" } }, {}],
      { code: 250, mx_host: "mx1.test" },
    ],
    ["two that are down", ["down", "down", {}], { code: 250, mx_host: "mx2.test" }],
    [
      "the last one down too",
      ["down", "down"],
      { kind: "failure", cause: "connect", mx_host: "mx0.test" },
    ],
    [
      "one that is busy and one that is down: the reply counts",
      ["down", { greeting: "450 4.3.2 busy" }],
      { code: 450, stage: "connect", mx_host: "mx1.test" },
    ],
    [
      "one that refuses and one that is busy: the hope counts",
      [{ greeting: "554 no" }, { greeting: "450 busy" }],
      { code: 450, mx_host: "mx1.test" },
    ],
  ])("passes %s", async (_name, scripts, expected) => {
    expect((await across(scripts)).outcome).toMatchObject(expected);
  });

  it.each<[string, Script, object]>([
    ["a 5xx to the recipient", { rcpt: "550 5.1.1 no" }, { code: 550, mx_host: "mx0.test" }],
    ["a 4xx to the recipient", { rcpt: "451 4.7.1 later" }, { code: 451, mx_host: "mx0.test" }],
    [
      "a fate that is unknown",
      { end: { act: "drop" } },
      { kind: "failure", cause: "other", mx_host: "mx0.test" },
    ],
  ])("does not pass %s", async (_name, script, expected) => {
    const { outcome, mxs } = await across([script, {}]);
    expect(outcome).toMatchObject(expected);
    expect(mxs[1]!.connections).toEqual([]);
  });

  it("tries the addresses of one server too", async () => {
    const mx = await fakeMx({}, "127.0.0.3");
    const pool = new Pool(settings(0));
    closing.push(mx.close);
    const target = {
      host: "mx.test",
      port: mx.port,
      addresses: ["127.0.0.2", "127.0.0.3"],
      tlsRequired: false,
      mayBeOurs: false,
    };
    const mail = {
      key: "k",
      mailFrom: "a@example.test",
      rcptTo: "b@example.net",
      pool: null,
      bytes: Buffer.from(MESSAGE),
    };
    expect((await pool.send(target, mail, () => {})).outcome).toMatchObject({
      code: 250,
      mx_host: "mx.test",
    });
    pool.close();
    await pool.closed();
  });
});

describe("IP pools", () => {
  const sources = new Map([
    ["default", ["127.0.0.4"]],
    ["marketing", ["127.0.0.2", "127.0.0.3", "::1"]],
    ["elsewhere", ["192.0.2.1"]],
    ["six", ["::1"]],
  ]);

  it("connects from the addresses of the pool that the message names, in turn, and from no other", async () => {
    const { mx, port } = await stand({}, { sources, messagesPerConnection: 1 });
    for (const [at, pool] of ["marketing", "marketing", null].entries())
      expect(await deliverOne(port, { key: `k${at}`, pool })).toMatchObject({ code: 250 });
    expect(mx.connections.map(({ remoteAddress }) => remoteAddress)).toEqual([
      "127.0.0.2",
      "127.0.0.3",
      "127.0.0.4",
    ]);
  });

  it("never reuses a connection of another pool", async () => {
    const { mx, port } = await stand({}, { sources });
    await deliverOne(port, { key: "a", pool: "marketing" });
    await deliverOne(port, { key: "b" });
    expect(mx.connections).toHaveLength(2);
  });

  it("never sends from another pool when it knows none of that name, or can't use its address", async () => {
    const { mx, port } = await stand({}, { sources });
    const cause = async (pool: string): Promise<unknown> => deliverOne(port, { key: pool, pool });
    expect(await cause("unheard-of")).toMatchObject({
      kind: "failure",
      cause: "other",
      detail: "this gateway has no IP pool of that name",
    });
    expect(await cause("elsewhere")).toMatchObject({
      kind: "failure",
      cause: "other",
      detail: "connecting: EADDRNOTAVAIL",
    });
    expect(await cause("six")).toMatchObject({
      kind: "failure",
      cause: "connect",
      detail: "the IP pool has no address to reach IPv4 from",
    });
    expect(mx.connections).toEqual([]);
  });
});
