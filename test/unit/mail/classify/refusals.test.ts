// How well refusals are understood, over a collection of more than 800: of which class they are,
// and whether they suppress the address. The rates are the goal. A single reply that must have its
// class stands in server-replies.ts.
import { describe, expect, it } from "vitest";
import { HELD_BACK, type Rates, ratesOf, treat, WRITTEN_FROM } from "./refusals/quoted-refusal.ts";

function expectTheGoal({ exact, wronglySuppressed, missed, missedAfterData }: Rates): void {
  expect(exact).toBeGreaterThanOrEqual(0.75);
  expect(wronglySuppressed).toBeLessThanOrEqual(0.02);
  expect(missed).toBeLessThanOrEqual(0.03);
  expect(missedAfterData).toBeLessThanOrEqual(0.03);
}

describe("the collection", () => {
  it("is long enough to mean something, in each of its parts", () => {
    expect(WRITTEN_FROM.length).toBeGreaterThan(600);
    expect(HELD_BACK.length).toBeGreaterThan(180);
    for (const part of [WRITTEN_FROM, HELD_BACK]) {
      expect(part.filter(({ hard }) => hard).length).toBeGreaterThan(50);
      expect(
        part.filter(({ hard, stage }) => hard && (stage === "data" || stage === "end")).length,
      ).toBeGreaterThanOrEqual(10);
    }
  });

  it("meets the goal where the rules were written from it", () => {
    expectTheGoal(ratesOf(WRITTEN_FROM));
  });

  it("meets the goal in the third that was held back", () => {
    expectTheGoal(ratesOf(HELD_BACK));
  });
});

describe("a refusal that quotes our own return-path", () => {
  const token = "abcdefghijklmnopqrstuvwxyz234567abcdefghijklmnopqrstuvwxyz234";
  const refusal = {
    class: "InvalidSender",
    hard: false,
    stage: "rcpt",
    code: 550,
    enhanced: null,
  } as const;

  it.each([
    `<b+${token}@bounces.shop.example>: User unknown`,
    `5.1.1 b+${token}@bounces.shop.example no such mailbox, ask postmaster@example.org`,
    `<b+${token}@bounces.shop.example>: no`,
    `SRS0=ab=b+${token}@bounces.shop.example does not exist`,
  ])("and not the recipient suppresses nothing: %s", (text) => {
    expect(treat({ ...refusal, text })).toMatchObject({
      class: "InvalidSender",
      suppressed: false,
    });
  });

  it("beside the recipient suppresses as the words say", () => {
    const text = `from b+${token}@bounces.shop.example to ann@example.org: user unknown`;
    expect(treat({ ...refusal, text })).toMatchObject({
      class: "InvalidRecipient",
      suppressed: true,
    });
  });
});

describe("a code of the sender or the session", () => {
  it.each([
    ["5.1.7", "<b@shop.example>: User unknown", "InvalidSender"],
    ["5.1.8", "unknown domain", "InvalidSender"],
    ["5.7.13", "account disabled", "InvalidSender"],
    ["5.5.4", "invalid domain", "ProtocolErrors"],
  ])("%s outweighs words that do not name the recipient: %s", (enhanced, text, found) => {
    const refusal = {
      class: found,
      hard: false,
      stage: "rcpt",
      code: 550,
      enhanced,
      text,
    } as const;
    expect(treat(refusal)).toMatchObject({ class: found, suppressed: false });
  });

  it.each([
    ["5.5.0", "Requested action not taken: mailbox unavailable", "InvalidRecipient"],
    ["5.7.13", "The recipient's mailbox has been disabled", "InactiveMailbox"],
    ["5.1.8", "Recipient address rejected: user unknown", "InvalidRecipient"],
  ])("%s is outweighed by words that name it: %s", (enhanced, text, found) => {
    const refusal = { class: found, hard: true, stage: "rcpt", code: 550, enhanced, text } as const;
    expect(treat(refusal)).toMatchObject({ class: found, suppressed: true });
  });
});

it("suppresses at an unknown wording of RCPT TO for 550, 551 and 553 alone", () => {
  const suppressing = [550, 551, 552, 553, 554, 555, 571].filter(
    (code) =>
      treat({ class: "", hard: false, stage: "rcpt", code, enhanced: null, text: "so nicht" })
        .suppressed,
  );
  expect(suppressing).toEqual([550, 551, 553]);
});
