// Tests the outcomes of messages through the gateway (../outcome-cases.ts).
import { describe, expect, it } from "vitest";
import type { Script } from "../fake-mx.ts";
import { deliverOne, frame, post, skipSilence, startHarness } from "../gateway-harness.ts";
import { failure, type OutcomeRunner, reply, testOutcomes } from "../outcome-cases.ts";

const PIPELINING = "250-mx.test\r\n250-PIPELINING\r\n250 8BITMIME";
const ONE_BY_ONE = "250-mx.test\r\n250 8BITMIME";

let turn: Promise<unknown> = Promise.resolve();

/** One message goes out after the other, because the silence of a server ends every wait. */
const run: OutcomeRunner = (script) => {
  const next = turn.then(() => send(script));
  turn = next;
  return next;
};

const send = async (script: Script): ReturnType<OutcomeRunner> => {
  skipSilence();
  const { mx, port } = await startHarness(script);
  const line = await deliverOne(port, { key: "k" });
  const { key, mx_host: host, ...outcome } = line;
  expect([key, host]).toEqual(["k", "127.0.0.1"]);
  if (outcome.kind === "failure")
    return { mx, outcome: { ...outcome, detail: outcome.detail.toLowerCase() } };
  const { tls, ...rest } = outcome;
  expect(tls).toBeNull();
  return { mx, outcome: rest };
};

describe("the outcome of the gateway", () => {
  testOutcomes(
    run,
    [
      [
        "a 5xx greeting",
        { greeting: "554 5.7.1 blocked" },
        reply(554, "connect", "5.7.1", "blocked"),
      ],
      [
        "5xx to EHLO and to HELO",
        { ehlo: "502 no", helo: "550 no service" },
        reply(550, "helo", null, "no service"),
      ],
      [
        "EHLO never answered",
        { ehlo: { act: "hang" } },
        failure("other", "no answer in time (ehlo)"),
      ],
    ],
    [PIPELINING, ONE_BY_ONE],
  );

  it("is that of single commands if a server announces PIPELINING but reads only one command at a time", async () => {
    const script: Script = {
      ehlo: PIPELINING,
      rcpt: (_line, _count, connection) => (connection === 1 ? { act: "hang" } : "250 2.1.5 ok"),
    };
    const { mx, outcome } = await run(script);
    expect(outcome).toEqual(reply(250, "end", "2.0.0", "queued as 1"));
    expect(mx.messages).toHaveLength(1);
    expect(mx.connections.map(({ verbs }) => verbs.includes("data"))).toEqual([false, true]);
  });

  it("is a failure to connect when the server refuses the connection", async () => {
    const { mx, port } = await startHarness();
    await mx.close();
    expect(await deliverOne(port, { key: "k" })).toEqual({
      key: "k",
      ...failure("connect", "connecting: ECONNREFUSED"),
      mx_host: "127.0.0.1",
    });
  });

  it("is a refusal at MAIL if the server lacks an extension that the message needs, and the server gets the other messages", async () => {
    const { mx, port } = await startHarness({ ehlo: "250-mx.test\r\n250 PIPELINING" });
    const message = "Subject: x\r\n\r\né\r\n";
    const { lines } = await post(port, [
      frame({ key: "plain" }),
      frame({ key: "address", rcptTo: "é@example.net" }),
      frame({ key: "part", message, converted: true }),
      frame({ key: "part of an earlier worker", message }),
      frame({ key: "last" }),
    ]);
    const refused = { mx_host: "127.0.0.1", tls: null };
    const text = "The server takes no 8-bit parts (8BITMIME)";
    expect(lines).toContainEqual({ key: "part", ...reply(554, "mail", "5.6.3", text), ...refused });
    const codes = lines.map((line) => [line.key, line.kind === "reply" && line.code]);
    expect(Object.fromEntries(codes)).toEqual({
      plain: 250,
      address: 553,
      part: 554,
      "part of an earlier worker": 250,
      last: 250,
    });
    expect(mx.messages).toHaveLength(3);
    expect(mx.messages.map(String)).toContain(message);
  });

  it("is a delivery with SMTPUTF8 to an address beyond ASCII, which goes out as UTF-8", async () => {
    const { mx, port } = await startHarness({ ehlo: "250-mx.test\r\n250 SMTPUTF8" });
    expect(await deliverOne(port, { key: "k", rcptTo: "用户@example.net" })).toMatchObject({
      code: 250,
    });
    expect(mx.lines).toContain("RCPT TO:<用户@example.net>");
  });
});
