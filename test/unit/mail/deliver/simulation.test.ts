// Tests how the simulator's addresses are read and what its mail server replies (docs/simulator.md
// §The simulator).
import { describe, expect, it } from "vitest";
import { classify } from "../../../../src/classify/classify.ts";
import { toAttemptRecord } from "../../../../src/mail/deliver/attempt-record.ts";
import {
  REFUSALS,
  type ReportedClass,
} from "../../../../src/mail/deliver/simulator/simulated-replies.ts";
import {
  isLastAttempt,
  outcomeOf,
  simulationOf,
} from "../../../../src/mail/deliver/simulator/simulation.ts";
import { BOUNCE_CLASSIFICATIONS } from "../../../../src/rpc/event-types.ts";

const SERVICE = "postern.test";
const REPORTED = ["AutoReply", "SpamRelated", "Subscribe", "Unsubscribe"] satisfies ReportedClass[];

const of = (local: string) => simulationOf(`${local}@simulator.${SERVICE}`, SERVICE);

function outcomesOf(local: string, attempts: number) {
  const simulation = of(local);
  if (!simulation) throw new Error("not simulated");
  return Array.from({ length: attempts }, (_, index) => outcomeOf(simulation, index + 1, SERVICE));
}

describe("an address of the simulator", () => {
  it.each(["delivered", "opened", "clicked", "complained", "suppressed", "expired"])(
    "asks for %s, in any case and with any label",
    (kind) => {
      for (const label of ["", "+order-17", "+InvalidRecipient", "+3"])
        expect(of(kind + label)).toEqual({ kind });
      expect(of(kind.toUpperCase())).toEqual({ kind });
      expect(simulationOf(`${kind}@SIMULATOR.Postern.Test`, SERVICE)).toEqual({ kind });
    },
  );

  it.each(BOUNCE_CLASSIFICATIONS)("bounces as %s when its label asks for that", (name) => {
    for (const label of [name, name.toLowerCase(), name.toUpperCase(), `x+${name}`, `${name}+42`])
      expect(of(`bounced+${label}`)).toEqual({ kind: "bounced", class: name });
  });

  const unknown =
    'bounced|bounced+|bounced+whatever|nobody||deliver|bounced.InvalidRecipient|"delivered"|+delivered';

  it.each(unknown.split("|"))("bounces as an unknown mailbox: %j", (local) => {
    expect(of(local)).toEqual({ kind: "bounced", class: "InvalidRecipient" });
  });

  it.each([
    ["delayed", 1],
    ["delayed+3", 3],
    ["delayed+order-17+2", 2],
    ["delayed+0", 1],
    ["delayed+1e9", 1],
    ["delayed+99999999", 1],
    ["delayed+-1", 1],
  ])("%s delays %i attempts", (local, times) => {
    expect(of(local)).toEqual({ kind: "delayed", times });
  });

  it.each([
    ..."delivered@postern.test delivered@simulator.postern.test.example".split(" "),
    ..."delivered@a.simulator.postern.test delivered@notsimulator.postern.test".split(" "),
    ..."delivered@simulator.example simulator.postern.test@example.net".split(" "),
  ])("is recognised only on the simulator's domain, not in %s", (address) => {
    expect(simulationOf(address, SERVICE)).toBeNull();
  });
});

describe("the simulator's mail server", () => {
  it("gives the same reply to every attempt at an accepting or refusing mailbox", () => {
    for (const local of ["delivered", "opened", "clicked", "complained"])
      for (const outcome of outcomesOf(local, 3))
        expect(outcome).toMatchObject({ kind: "reply", code: 250, stage: "end" });
    for (const outcome of outcomesOf("bounced", 2))
      expect(outcome).toMatchObject({ kind: "reply", code: 550, enhanced: "5.1.1", stage: "rcpt" });
  });

  it("delays as many attempts as the address asks for, and then accepts the message", () => {
    const codes = (local: string, attempts: number) =>
      outcomesOf(local, attempts).map((outcome) => (outcome.kind === "reply" ? outcome.code : 0));
    expect(codes("delayed", 3)).toEqual([451, 250, 250]);
    expect(codes("delayed+3", 5)).toEqual([451, 451, 451, 250, 250]);
  });

  it("cannot be reached for an expired address, whose time ends with the second attempt", () => {
    for (const outcome of outcomesOf("expired", 2))
      expect(outcome).toMatchObject({ kind: "failure", cause: "connect" });
    const simulation = of("expired");
    const isLast = [1, 2, 3].map((attempt) => simulation && isLastAttempt(simulation, attempt));
    expect(isLast).toEqual([false, true, true]);
  });
});

describe("a simulated refusal", () => {
  const refused = BOUNCE_CLASSIFICATIONS.filter(
    (name) => !REPORTED.includes(name as ReportedClass),
  );

  it("exists for every class that a reply can have, and for no other", () => {
    expect(Object.keys(REFUSALS).toSorted()).toEqual([...refused].toSorted());
  });

  it.each(refused)("of class %s is a 5xx that is classified as that class", (name) => {
    const reply = REFUSALS[name];
    expect(reply?.code).toBeGreaterThanOrEqual(500);
    expect(reply && classify(reply)).toBe(name);
  });

  it.each(refused)("of class %s makes a permanent bounce with that reply", (name) => {
    const [outcome] = outcomesOf(`bounced+${name}`, 1);
    if (!outcome) throw new Error("no outcome");
    const context = { recipient: "x@y.example", attempt: 1, handedAt: 1, nextAttemptAt: 2, now: 2 };
    const { record, isTerminal } = toAttemptRecord(outcome, context);
    expect(isTerminal).toBe(true);
    const { code = 0, enhanced = null, text = "" } = REFUSALS[name] ?? {};
    const smtpResponse = [code, enhanced, text].filter((part) => part !== null).join(" ");
    const bounce = { type: "permanent", classification: name, smtpCode: code, smtpResponse };
    expect(record.events.at(-1)?.bounce).toEqual(bounce);
  });
});
