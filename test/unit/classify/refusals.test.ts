// Tests how the service treats refusals: each of vectors/refusals.json exactly, and a collection of
// more than 1,300 refusals, labelled by people, at the required rates. A reply that must always get
// its class belongs in the vectors.
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
  expect(wronglySuppressed, confusion).toBeLessThanOrEqual(5 / 58);
  expect(missed, confusion).toBeLessThanOrEqual(19 / 108);
  expect(missedAfterData, confusion).toBeLessThanOrEqual(8 / 31);
  expect(exact, confusion).toBeGreaterThanOrEqual(121 / 166);
});

describe.each(vectors.groups)("the vectors: $about", ({ refusals }) => {
  it.each(refusals)("$class, $type, suppresses $suppress: $stage $reply", (refusal) => {
    const { stage, reply, ...expected } = refusal;
    expect(treat(stage as SmtpStage | null, reply)).toEqual(expected);
  });
});
