// Tests how the service treats refusals: those of vectors/refusals.json exactly, a collection of
// more than 1,300 labelled refusals at the required rates, and words such as `disabled` about any
// noun. A reply that must always get its class belongs in the vectors.
import { fc } from "../../support/properties.ts";
import { describe, expect, it } from "vitest";
import { confusionOf, LABELLED, ratesOf, treat, UNSEEN } from "./quoted-refusal.ts";
import type { SmtpStage } from "../../../smtp-gateway/src/smtp/smtp-reply.ts";
import vectors from "../../../vectors/refusals.json" with { type: "json" };

describe("the collection", () => {
  const hard = LABELLED.filter((refusal) => refusal.hard);

  it("is long enough to be meaningful, at RCPT TO and after DATA", () => {
    expect(LABELLED.length).toBeGreaterThan(1300);
    expect(hard.filter(({ stage }) => stage === "rcpt").length).toBeGreaterThan(200);
    expect(hard.filter(({ stage }) => stage === "data" || stage === "end").length).toBeGreaterThan(
      100,
    );
  });

  it("reaches the required rates", () => {
    const { exact, wronglySuppressed, missed, missedAfterData } = ratesOf(LABELLED);
    const confusion = confusionOf(LABELLED);
    expect(wronglySuppressed, confusion).toBeLessThanOrEqual(0.02);
    expect(missed, confusion).toBeLessThanOrEqual(0.03);
    expect(missedAfterData, confusion).toBeLessThanOrEqual(0.03);
    expect(exact, confusion).toBeGreaterThanOrEqual(0.9);
  });
});

it("refusals for which no rule was written are classified as well as when they were collected", () => {
  const { exact, wronglySuppressed, missed, missedAfterData } = ratesOf(UNSEEN);
  const confusion = confusionOf(UNSEEN);
  expect(wronglySuppressed, confusion).toBeLessThanOrEqual(1 / 53);
  expect(missed, confusion).toBeLessThanOrEqual(9 / 95);
  expect(missedAfterData, confusion).toBeLessThanOrEqual(4 / 27);
  expect(exact, confusion).toBeGreaterThanOrEqual(121 / 148);
});

describe("a state word", () => {
  const thing = fc.constantFrom(
    ...(
      "STARTTLS|TLS|message|the message|forwarding|relay|SMTP service|" +
      "recipient verification|envelope|session|greylisting|mailbox delivery|queue|" +
      "address rewriting|user authentication|address book|account server|callout|" +
      "content filter|delivery notification|license|autoreply|user directory"
    ).split("|"),
  );
  const address = fc.constantFrom(
    ...(
      "account|the user|mailbox|this recipient|email address|e-mail account|" +
      "the recipient's mailbox|the account that you tried to reach|alias|customer"
    ).split("|"),
  );
  const state = fc.constantFrom(
    ...(
      "disabled|suspended|deleted|not enabled|terminated|removed|inactive|" +
      "no longer available|cancelled|not active|frozen|discontinued|archived"
    ).split("|"),
  );
  const absence = fc.constantFrom("unknown", "invalid", "not found", "not valid", "not recognized");
  const frame = fc.constantFrom<(noun: string, word: string) => string>(
    (noun, word) => `<x@e.example>: ${noun} ${word}`,
    (noun, word) => `${noun} ${word}`,
    (noun, word) => `Sorry, ${noun} is currently ${word}`,
    (noun, word) => `${noun} has been ${word}: <x@e.example>`,
    (noun, word) => `5.7.1 <x@e.example>: Recipient address rejected: ${noun} ${word}`,
    (noun, word) => `mail to x@e.example refused (${noun} ${word})`,
    (noun, word) => `RCPT TO:<x@e.example> ${noun} on this server was ${word}`,
  );
  const owned = fc.constantFrom<(noun: string, word: string) => string>(
    (noun, word) => `${noun} for <x@e.example> ${word}`,
    (noun, word) => `${noun} of user x@e.example is ${word}`,
  );
  const stage = fc.constantFrom<SmtpStage | null>("rcpt", "end", null);

  it("about anything but the address suppresses no address", () => {
    const frames = fc.oneof(frame, owned);
    const words = fc.oneof(state, absence);
    fc.assert(
      fc.property(thing, words, frames, stage, (noun, word, wrap, at) => {
        expect(treat(at, `550 ${wrap(noun, word)}`)).toMatchObject({ suppress: false });
      }),
    );
  });

  it("about the address suppresses the address", () => {
    fc.assert(
      fc.property(address, state, frame, stage, (noun, word, wrap, at) => {
        const inactive = { class: "InactiveMailbox", suppress: true };
        expect(treat(at, `550 ${wrap(noun, word)}`)).toMatchObject(inactive);
      }),
    );
  });
});

describe.each(vectors.groups)("the vectors: $about", ({ refusals }) => {
  it.each(refusals)("$class, $type, suppresses $suppress: $stage $reply", (refusal) => {
    const { stage, reply, ...expected } = refusal;
    expect(treat(stage as SmtpStage | null, reply)).toEqual(expected);
  });
});
