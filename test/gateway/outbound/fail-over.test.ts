// Tests fail-over between the mail servers of a domain, and between the addresses of one server.
import { describe, expect, it } from "vitest";
import type { EgressOutcome } from "../../../smtp-gateway/src/outcome.ts";
import type { FakeMx, Script } from "../fake-mx.ts";
import { deliverTo, mailServerAt, openConnections, zoneDns } from "./direct-delivery.ts";
import {
  eventually,
  frame,
  gateway,
  holdFinalReply,
  post,
  QUICK,
  startMx,
  TIME_LIMITS,
} from "../gateway-harness.ts";

describe("fail-over between the servers of a domain", () => {
  async function across(
    scripts: readonly (Script | "down")[],
  ): Promise<{ outcome: EgressOutcome; mxs: FakeMx[] }> {
    const mxs = await Promise.all(scripts.map((one) => startMx(one === "down" ? {} : one)));
    for (const [at, mx] of mxs.entries()) if (scripts[at] === "down") await mx.close();
    const targets = mxs.map(({ port }, at) => mailServerAt(port, { host: `mx${at}.test` }));
    return { outcome: await deliverTo(openConnections(), targets), mxs };
  }

  const NEXT = { code: 250, mx_host: "mx1.test" };

  it.each<[string, readonly (Script | "down")[], object]>([
    ["a server that is down", ["down", {}], NEXT],
    ["a 4xx greeting", [{ greeting: "450 busy" }, {}], NEXT],
    ["a 421 greeting", [{ greeting: { act: "say_and_drop", text: "421 busy" } }, {}], NEXT],
    ["a 5xx greeting", [{ greeting: "554 not here" }, {}], NEXT],
    ["a connection lost before the final dot", [{ data: { act: "drop" } }, {}], NEXT],
    ["two servers that are down", ["down", "down", {}], { code: 250, mx_host: "mx2.test" }],
    [
      "the only other server is down too: the first failure counts",
      ["down", "down"],
      { kind: "failure", cause: "connect", mx_host: "mx0.test" },
    ],
    [
      "a server that is down, then a 4xx greeting: the reply counts",
      ["down", { greeting: "450 4.3.2 busy" }],
      { code: 450, stage: "connect", mx_host: "mx1.test" },
    ],
    [
      "a 5xx, then a 4xx greeting: the 4xx counts",
      [{ greeting: "554 no" }, { greeting: "450 busy" }],
      { code: 450, mx_host: "mx1.test" },
    ],
  ])("goes on to the next server after %s", async (_name, scripts, expected) => {
    expect((await across(scripts)).outcome).toMatchObject(expected);
  });

  it.each<[string, Script, object]>([
    ["a 5xx to the recipient", { rcpt: "550 5.1.1 no" }, { code: 550, mx_host: "mx0.test" }],
    ["a 4xx to the recipient", { rcpt: "451 4.7.1 later" }, { code: 451, mx_host: "mx0.test" }],
    [
      "an unknown fate",
      { end: { act: "drop" } },
      { kind: "failure", cause: "other", mx_host: "mx0.test" },
    ],
  ])("tries no other server after %s", async (_name, script, expected) => {
    const { outcome, mxs } = await across([script, {}]);
    expect(outcome).toMatchObject(expected);
    expect(mxs[1]!.connections).toEqual([]);
  });

  it("ends with the first server's reply when the message waits too long for the next server", async () => {
    const { script, release } = holdFinalReply();
    const [busy, next] = [await startMx({ greeting: "450 4.3.2 busy" }), await startMx(script)];
    const timeouts = { ...TIME_LIMITS, wait: QUICK, final: 60_000 };
    const pool = openConnections({ connectionsPerHost: 1, timeouts });
    const [one, two] = [busy, next].map(({ port }, at) =>
      mailServerAt(port, { host: `mx${at}.test` }),
    );
    const first = deliverTo(pool, [two!]);
    await eventually(() => next.messages.length === 1);
    expect(await deliverTo(pool, [one!, two!])).toMatchObject({ code: 450, mx_host: "mx0.test" });
    release("250 2.0.0 taken");
    expect(await first).toMatchObject({ code: 250 });
  });

  it("dates the outcome by the server that decided, not by the last server", async () => {
    // The domain has two mail servers, each with its own address.
    const mx = await startMx(
      {
        greeting: (_line, _count, connection) =>
          connection === 1 ? "450 4.3.2 busy" : { act: "hang" },
      },
      "0.0.0.0",
    );
    const direct = { routes: [], smtpPort: mx.port, allowPrivate: true };
    const { port } = await gateway(
      0,
      { ...direct, timeouts: { ...TIME_LIMITS, greeting: 2_000 } },
      zoneDns({
        "MX example.net": [1, 2].map((priority) => ({ exchange: `mx${priority}.test`, priority })),
        "A mx1.test": ["127.0.0.1"],
        "A mx2.test": ["127.0.0.2"],
      }),
    );
    const { lines, ages } = await post(port, frame({ key: "k" }));
    expect(lines).toMatchObject([{ code: 450, mx_host: "mx1.test" }]);
    expect(ages[0]!.replied).toBeGreaterThan(1_000);
  });

  it("tries the next address of the same server", async () => {
    const mx = await startMx({}, "127.0.0.3");
    const target = mailServerAt(mx.port, { addresses: ["127.0.0.2", "127.0.0.3"] });
    const outcome = await deliverTo(openConnections(), [target]);
    expect(outcome).toMatchObject({ code: 250, mx_host: "mx.test" });
  });
});
