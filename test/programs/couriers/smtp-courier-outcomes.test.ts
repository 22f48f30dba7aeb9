// Tests the outcomes of the courier `smtp` (src/mail/deliver/couriers/relay-session.ts) in plain
// workerd, with a scripted relay that refuses, hangs, lies or breaks off at each stage.
import { describe, expect, it } from "vitest";
import { failure, type OutcomeRunner, reply, testOutcomes } from "../../gateway/outcome-cases.ts";
import { carry, HELLO, testCopy } from "./courier-harness.ts";
import {
  failureOutcome,
  makeCopies,
  OFFERED,
  ONE_BY_ONE,
  scriptedRelay,
  against,
  useRelays,
} from "./smtp-relay.ts";

useRelays();

const run: OutcomeRunner = async (script) => {
  const { relay, outcomes } = await against(script, [testCopy({ message: HELLO })]);
  const { mxHost, tls, ...outcome } = outcomes["a/0/1"] ?? {};
  expect([Object.keys(outcomes), mxHost]).toEqual([["a/0/1"], "localhost"]);
  const { kind, stage } = outcome;
  const isInTheClear = kind === "failure" || stage === "connect" || stage === "starttls";
  expect(tls ?? null).toBe(isInTheClear ? null : "TLS");
  if (kind === "reply") return { mx: relay, outcome };
  return { mx: relay, outcome: { ...outcome, detail: String(outcome["detail"]).toLowerCase() } };
};

describe("the outcome of the courier", () => {
  testOutcomes(
    run,
    [
      [
        "4xx to STARTTLS",
        { starttls: "454 4.7.0 no TLS just now" },
        reply(454, "starttls", "4.7.0", "no TLS just now"),
      ],
      [
        "EHLO never answered",
        { ehlo: { act: "hang" } },
        failure("tls", "no answer in time (starttls)"),
      ],
      [
        "AUTH never answered",
        { auth: { act: "hang" } },
        failure("other", "no answer in time (auth)"),
      ],
    ],
    [OFFERED, ONE_BY_ONE],
  );

  it("is a failure if the relay stops reading", async () => {
    const { outcomes } = await against({ data: { act: "say_and_hang", text: "354 go" } }, [
      testCopy({ message: HELLO + `${"x".repeat(998)}\r\n`.repeat(12_000) }),
    ]);
    expect(outcomes["a/0/1"]).toMatchObject({ kind: "failure", cause: "other" });
  });

  it("is a failure of every message if the courier can't connect to the relay", async () => {
    const relay = await scriptedRelay();
    await relay.close();
    const outcomes = await carry({ port: relay.port }, [makeCopies(6)]);
    expect(Object.values(outcomes)).toEqual(
      Array.from({ length: 6 }, () =>
        failureOutcome("connect", "the connection or its TLS handshake failed (connect)"),
      ),
    );
  });
});
