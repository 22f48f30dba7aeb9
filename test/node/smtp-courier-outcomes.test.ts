// Outcomes of the courier `smtp` (src/mail/deliver/couriers/relay-session.ts) in plain workerd,
// against a scripted relay that refuses, hangs, lies or breaks off at each stage.
import { describe, expect, it } from "vitest";
import type { Script } from "../gateway/fake-mx.ts";
import { HELLO, testCopy } from "./courier-harness.ts";
import {
  failureOutcome,
  OFFERED,
  ONE_BY_ONE,
  replyOutcome,
  scriptedRelay,
  makeCopies,
  testRelayCourier,
} from "./smtp-relay.ts";

const { against, harness } = testRelayCourier();

describe("a reply of the relay", () => {
  it.each<[string, Script, object]>([
    ["250 behind the final dot", {}, replyOutcome(250, "end", "2.0.0", "queued as 1")],
    [
      "a 4xx greeting",
      { greeting: "450 4.3.2 busy" },
      replyOutcome(450, "connect", "4.3.2", "busy"),
    ],
    ["421 to EHLO", { ehlo: "421 4.3.0 later" }, replyOutcome(421, "helo", "4.3.0", "later")],
    [
      "4xx to STARTTLS",
      { starttls: "454 4.7.0 no TLS just now" },
      replyOutcome(454, "starttls", "4.7.0", "no TLS just now"),
    ],
    [
      "5xx to MAIL",
      { mail: "550 5.1.8 who are you" },
      replyOutcome(550, "mail", "5.1.8", "who are you"),
    ],
    ["4xx to MAIL", { mail: "451 4.3.0 later" }, replyOutcome(451, "mail", "4.3.0", "later")],
    [
      "5xx to RCPT",
      { rcpt: "550 5.1.1 no such user" },
      replyOutcome(550, "rcpt", "5.1.1", "no such user"),
    ],
    [
      "4xx to RCPT",
      { rcpt: "451 4.7.1 greylisted" },
      replyOutcome(451, "rcpt", "4.7.1", "greylisted"),
    ],
    [
      "5xx to RCPT, and the message asked for all the same",
      { rcpt: "550 5.1.1 no", data: "354 go" },
      replyOutcome(550, "rcpt", "5.1.1", "no"),
    ],
    ["5xx to DATA", { data: "554 5.5.1 no" }, replyOutcome(554, "data", "5.5.1", "no")],
    ["4xx to DATA", { data: "451 4.3.0 later" }, replyOutcome(451, "data", "4.3.0", "later")],
    ["5xx to the message", { end: "554 5.7.1 spam" }, replyOutcome(554, "end", "5.7.1", "spam")],
    ["4xx to the message", { end: "452 4.2.2 full" }, replyOutcome(452, "end", "4.2.2", "full")],
    [
      "421 to MAIL",
      { mail: { act: "say_and_drop", text: "421 4.7.0 too many" } },
      replyOutcome(421, "mail", "4.7.0", "too many"),
    ],
    [
      "421 to the message",
      { end: { act: "say_and_drop", text: "421 4.7.0 go" } },
      replyOutcome(421, "end", "4.7.0", "go"),
    ],
    [
      "a reply of many lines",
      { rcpt: "550-5.7.1 first\r\n550-5.7.1  second\r\n550 5.7.1 third" },
      replyOutcome(550, "rcpt", "5.7.1", "first second third"),
    ],
    ["a reply without text", { end: "250" }, replyOutcome(250, "end", null, "")],
    [
      "bare line feeds and control characters",
      { end: "250-2.0.0 a\u0007b\n250 2.0.0 ok" },
      replyOutcome(250, "end", "2.0.0", "a b ok"),
    ],
  ])("is the outcome, with its stage: %s", async (_name, script, expected) => {
    for (const ehlo of [OFFERED, ONE_BY_ONE]) {
      const { relay, outcomes } = await against({ ehlo, ...script });
      expect(outcomes).toEqual({ "a/0/1": expected });
      expect(relay.messages.length).toBe(relay.connections[0]?.verbs.includes("end") ? 1 : 0);
    }
  });

  it("concerns its recipient alone", async () => {
    const script: Script = {
      rcpt: (line) => (line.includes("r1@") ? "550 5.1.1 unknown" : "250 ok"),
      end: (_line, count) => `250 2.0.0 queued as ${count}`,
    };
    for (const ehlo of [OFFERED, ONE_BY_ONE]) {
      const { outcomes } = await against({ ehlo, ...script }, makeCopies(3));
      expect(Object.entries(outcomes).map(([key, { code, stage }]) => [key, code, stage])).toEqual(
        expect.arrayContaining([
          ["a/0/1", 250, "end"],
          ["a/1/1", 550, "rcpt"],
          ["a/2/1", 250, "end"],
        ]),
      );
    }
  });

  it("is folded to 1 KB of whole characters", async () => {
    const lines = Array.from(
      { length: 200 },
      (_, at) => `550${at < 199 ? "-" : " "}5.7.1 ${"é".repeat(40)}`,
    );
    const { outcomes } = await against({ end: lines.join("\r\n") });
    const text = String(outcomes["a/0/1"]?.["text"]);
    expect(Buffer.byteLength(text)).toBeGreaterThan(1_000);
    expect(Buffer.byteLength(text)).toBeLessThanOrEqual(1_024);
    expect(text).toMatch(/^[é ]+$/);
  });

  it("is the outcome when it refuses a large message midway", async () => {
    const { outcomes } = await against({ data: "354 go\r\n552 5.3.4 too big" }, [
      testCopy({ message: HELLO + "x\r\n".repeat(1_000_000) }),
    ]);
    expect(outcomes["a/0/1"]).toMatchObject({ kind: "reply", code: 552, stage: "data" });
  });
});

describe("a session that ends without a deciding reply", () => {
  it.each<[string, Script, object]>([
    [
      "a greeting that never comes",
      { greeting: { act: "hang" } },
      failureOutcome("connect", "no answer in time (greeting)"),
    ],
    [
      "a greeting that drips",
      { greeting: { act: "drip", text: "220-x\r\n", everyMs: 5 } },
      failureOutcome("connect", "no answer in time (greeting)"),
    ],
    [
      "a connection dropped before the greeting",
      { greeting: { act: "drop" } },
      failureOutcome("other", expect.stringMatching(/\(greeting\)$/)),
    ],
    [
      "EHLO never answered",
      { ehlo: { act: "hang" } },
      failureOutcome("tls", "no answer in time (starttls)"),
    ],
    [
      "AUTH never answered",
      { auth: { act: "hang" } },
      failureOutcome("other", "no answer in time (auth)"),
    ],
    [
      "MAIL never answered",
      { mail: { act: "hang" } },
      failureOutcome("other", "no answer in time (mail)"),
    ],
    [
      "RCPT never answered",
      { rcpt: { act: "hang" } },
      failureOutcome("other", "no answer in time (rcpt)"),
    ],
    [
      "DATA never answered",
      { data: { act: "hang" } },
      failureOutcome("other", "no answer in time (data)"),
    ],
    [
      "a connection dropped at RCPT",
      { rcpt: { act: "drop" } },
      failureOutcome("other", expect.stringMatching(/\(rcpt\)$/)),
    ],
    [
      "the message never answered",
      { end: { act: "hang" } },
      failureOutcome("other", "unknown fate: no answer in time after the final dot"),
    ],
    [
      "a connection dropped behind the final dot",
      { end: { act: "drop" } },
      failureOutcome("other", expect.stringMatching(/^unknown fate: /)),
    ],
    [
      "an answer that drips",
      { end: { act: "drip", text: "250-x\r\n", everyMs: 5 } },
      failureOutcome("other", expect.stringMatching(/^unknown fate: /)),
    ],
    [
      "no SMTP at all",
      { greeting: "HTTP/1.1 400 Bad Request" },
      failureOutcome("other", "a line that is not an SMTP reply (greeting)"),
    ],
    [
      "250 to DATA",
      { data: "250 2.0.0 delivered, honestly" },
      failureOutcome("other", "answered 250 out of turn (data)"),
    ],
    [
      "354 to MAIL",
      { mail: "354 go on" },
      failureOutcome("other", "answered 354 out of turn (mail)"),
    ],
    [
      "250 before the message",
      { data: "354 go\r\n250 2.0.0 taken" },
      failureOutcome("other", "answered 250 out of turn (data)"),
    ],
    [
      "an endless line",
      { rcpt: `550 ${"x".repeat(70_000)}` },
      failureOutcome("other", "a reply of more than 64 KB (rcpt)"),
    ],
    [
      "endless lines",
      { rcpt: "550-x\r\n".repeat(12_000) },
      failureOutcome("other", "a reply of more than 64 KB (rcpt)"),
    ],
  ])("is a failure, and the connection is closed: %s", async (_name, script, expected) => {
    for (const ehlo of [OFFERED, ONE_BY_ONE]) {
      const { relay, outcomes } = await against({ ehlo, ...script });
      expect(outcomes).toEqual({ "a/0/1": expected });
      await expect.poll(relay.open).toBe(0);
    }
  });

  it("is a failure when the relay stops reading", async () => {
    const { outcomes } = await against({ data: { act: "say_and_hang", text: "354 go" } }, [
      testCopy({ message: HELLO + `${"x".repeat(998)}\r\n`.repeat(12_000) }),
    ]);
    expect(outcomes["a/0/1"]).toMatchObject({ kind: "failure", cause: "other" });
  });

  it("keeps the refusal when the connection is dropped after it", async () => {
    const { outcomes } = await against({
      rcpt: { act: "say_and_drop", text: "550 5.1.1 no such user" },
    });
    expect(outcomes["a/0/1"]).toMatchObject({ kind: "reply", code: 550, stage: "rcpt" });
  });

  it("is a failure of every message when the relay can't be connected to", async () => {
    const relay = await scriptedRelay();
    await relay.close();
    const outcomes = await harness.carry({ port: relay.port }, [makeCopies(6)]);
    expect(Object.values(outcomes)).toEqual(
      Array.from({ length: 6 }, () =>
        failureOutcome("connect", "the connection was refused, or its TLS (connect)"),
      ),
    );
  });
});
