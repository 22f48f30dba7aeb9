// Tests how one destination's connections are shared among domains, teams and priorities within the
// server's limit (docs/egress-protocol.md §Destinations), over real connections.
import { once } from "node:events";
import { createServer } from "node:net";
import { describe, expect, it } from "vitest";
import type { Script } from "../fake-mx.ts";
import {
  cleanups,
  eventually,
  frame,
  gateway,
  holdFinalReply,
  pause,
  post,
  read,
  startMx,
  TIME_LIMITS,
  TOKEN,
} from "../gateway-harness.ts";

/**
 * A gateway whose DNS gives each domain its own mail server. Its address is 127.0.0.2 if the domain
 * ends in `.silent.test`, and else 127.0.0.1.
 */
async function startAtOneAddress(script: Script, overrides: object = {}) {
  const mx = await startMx(script);
  const dns = {
    resolveMx: async (name: string) => [{ exchange: `mx.${name}`, priority: 10 }],
    resolve4: async (name: string) => [name.endsWith(".silent.test") ? "127.0.0.2" : "127.0.0.1"],
    resolve6: async () => [],
    resolveTxt: async () => [],
  };
  const timeouts = { ...TIME_LIMITS, wait: 60_000 };
  const direct = { routes: [], smtpPort: mx.port, allowPrivate: true, mtaSts: false };
  const started = await gateway(0, { ...direct, timeouts, drainMs: 0, ...overrides }, dns);
  return { mx, port: started.port };
}

const frameTo = (team: string, domain: string, priority?: "high"): Buffer =>
  frame({ key: `${team}/${domain}`, rcptTo: `someone@${domain}`, team, priority });
const framesTo = (team: string, domains: readonly string[], priority?: "high"): Buffer =>
  Buffer.concat(domains.map((domain) => frameTo(team, domain, priority)));
const domains = (count: number) => Array.from({ length: count }, (_, at) => `d${at}.test`);

describe("many domains at one address", () => {
  it("share the connections of one destination", async () => {
    const { script, release } = holdFinalReply();
    const { mx, port } = await startAtOneAddress(script);
    const answer = post(port, framesTo("a", domains(30)), TOKEN, { wait: "wait=0" });
    expect((await answer).lines).toHaveLength(30);
    await eventually(() => mx.messages.length === 5);
    expect(mx.connections).toHaveLength(5);
    const samples = await (await read(port, "/metrics")).text();
    const labels = `destination="127.0.0.0/24:${mx.port}",pool="default"`;
    const concurrency = `postern_gateway_destination_concurrency{${labels},why="answers"} 5\n`;
    expect(samples).toContain(`postern_gateway_destination_connections{${labels}} 5\n`);
    expect(samples).toContain(`postern_gateway_destination_waiting_messages{${labels}} 25\n`);
    expect(samples).toContain(concurrency);
    release("250 ok");
  });

  it("all fail at once when the address can't be reached", async () => {
    const { mx, port } = await startAtOneAddress({}, { connectionsPerHost: 1 });
    await mx.close();
    const { lines } = await post(port, framesTo("a", domains(20)));
    const causes = lines.map((line) => line.kind === "failure" && line.cause);
    expect(new Set(causes)).toEqual(new Set(["connect"]));
    expect(new Set(lines.map((line) => "mx_host" in line && line.mx_host)).size).toBe(20);
  });

  it("give a connection to another team's message after the message under way", async () => {
    const { script, release } = holdFinalReply();
    const { mx, port } = await startAtOneAddress(script, { connectionsPerHost: 2 });
    const many = framesTo("many", [...domains(20), ...domains(20)]);
    await post(port, many, TOKEN, { wait: "wait=0" });
    await eventually(() => mx.messages.length === 2);
    const single = post(port, framesTo("single", ["reset.test"]));
    await eventually(() => mx.connections.length === 2);
    await pause(50);
    release("250 ok");
    await eventually(() => mx.messages.length === 4);
    const rcpts = mx.lines.filter((line) => line.startsWith("RCPT"));
    expect(rcpts.findIndex((line) => line.includes("reset.test"))).toBeLessThan(4);
    release("250 ok");
    expect((await single).lines).toMatchObject([{ code: 250 }]);
  });
});

describe("a connection", () => {
  it.each([
    ["ends if fifty older messages of its team wait for another server", 50, "d1.test"],
    ["takes its server's next message if fewer of them wait", 49, "d0.test"],
  ])("%s", async (_what, older, next) => {
    const { script, release } = holdFinalReply();
    const { mx, port } = await startAtOneAddress(script, { connectionsPerHost: 1 });
    const list = (domain: string, count: number, waitedMs?: number): Buffer =>
      Buffer.concat(
        Array.from({ length: count }, (_, at) =>
          frame({ key: `${domain}/${at}`, rcptTo: `reader@${domain}`, team: "a", waitedMs }),
        ),
      );
    await post(port, list("d0.test", 2), TOKEN, { wait: "wait=0" });
    await eventually(() => mx.messages.length === 1);
    await post(port, list("d1.test", older, 60_000), TOKEN, { wait: "wait=0" });
    release("250 ok");
    await eventually(() => mx.messages.length === 2);
    const [, second] = mx.lines.filter((line) => line.startsWith("RCPT"));
    expect(second).toContain(`reader@${next}`);
    release("250 ok");
  });
});

describe("a server that never greets", () => {
  it("leaves connections to its neighbour in the same address block, however much mail waits for the silent server", async () => {
    const { mx, port } = await startAtOneAddress({});
    const silent = createServer();
    silent.listen(mx.port, "127.0.0.2");
    await once(silent, "listening");
    cleanups.push(async () => silent.close());
    const hanging = domains(200).map((name) => `${name.replace(".test", "")}.silent.test`);
    await post(port, framesTo("a", hanging), TOKEN, { wait: "wait=0" });
    const single = await post(port, framesTo("a", ["good.test"]));
    expect(single.lines).toMatchObject([{ code: 250 }]);
    expect(mx.messages).toHaveLength(1);
  });
});

describe("a message of high priority", () => {
  it.each([
    ["to the same server", "d0.test"],
    ["to another server of the destination", "reset.test"],
  ])("%s goes before the team's other mail that waits there", async (_where, domain) => {
    const { script, release } = holdFinalReply();
    const { mx, port } = await startAtOneAddress(script, { connectionsPerHost: 1 });
    const list = Array.from({ length: 20 }, (_, at) =>
      frame({ key: `list/${at}`, rcptTo: `reader-${at}@d0.test`, team: "a" }),
    );
    await post(port, Buffer.concat(list), TOKEN, { wait: "wait=0" });
    await eventually(() => mx.messages.length === 1);
    await post(port, framesTo("a", [domain], "high"), TOKEN, { wait: "wait=0" });
    release("250 ok");
    await eventually(() => mx.messages.length === 2);
    const [, second] = mx.lines.filter((line) => line.startsWith("RCPT"));
    expect(second).toContain(`someone@${domain}`);
    release("250 ok");
  });
});

describe("a provider that turns away the sixth connection", () => {
  it("gets five connections from then on, and no message meets the refusal", async () => {
    let refused = 0;
    const { mx, port } = await startAtOneAddress({
      greeting: () => {
        const open = mx.open();
        if (open <= 5) return "220 hi";
        refused += 1;
        return { act: "say_and_drop", text: "421 4.7.0 too many connections" };
      },
    });
    for (const team of ["a", "b"]) {
      const { lines } = await post(port, framesTo(team, domains(20)));
      const codes = lines.map((line) => (line.kind === "reply" ? line.code : line));
      expect(codes).toEqual(lines.map(() => 250));
    }
    expect(refused).toBeLessThanOrEqual(5);
  });
});
