// Measures how well refusals are classified, over a collection of more than 800: their class, and
// whether they suppress the address. The tests require rates. A single reply that must have its
// class belongs into server-replies.ts.
import { describe, expect, it } from "vitest";
import { HELD_BACK, type Rates, ratesOf, treat, WRITTEN_FROM } from "./quoted-refusal.ts";

function expectTheGoal({ exact, wronglySuppressed, missed, missedAfterData }: Rates): void {
  expect(exact).toBeGreaterThanOrEqual(0.75);
  expect(wronglySuppressed).toBeLessThanOrEqual(0.02);
  expect(missed).toBeLessThanOrEqual(0.03);
  expect(missedAfterData).toBeLessThanOrEqual(0.03);
}

describe("the collection", () => {
  it("is long enough to be meaningful, in each of its parts", () => {
    expect(WRITTEN_FROM.length).toBeGreaterThan(600);
    expect(HELD_BACK.length).toBeGreaterThan(180);
    for (const part of [WRITTEN_FROM, HELD_BACK]) {
      expect(part.filter(({ hard }) => hard).length).toBeGreaterThan(50);
      expect(
        part.filter(({ hard, stage }) => hard && (stage === "data" || stage === "end")).length,
      ).toBeGreaterThanOrEqual(10);
    }
  });

  it("reaches the required rates in the part from which the rules were written", () => {
    expectTheGoal(ratesOf(WRITTEN_FROM));
  });

  it("reaches the required rates in the third that was held back", () => {
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
  ])("but does not name the recipient suppresses nothing: %s", (text) => {
    expect(treat({ ...refusal, text })).toMatchObject({
      class: "InvalidSender",
      suppressed: false,
    });
  });

  it("together with the recipient suppresses as its wording says", () => {
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
  ])("%s outweighs wording that does not name the recipient: %s", (enhanced, text, found) => {
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
  ])("%s is outweighed by wording that names the recipient: %s", (enhanced, text, found) => {
    const refusal = { class: found, hard: true, stage: "rcpt", code: 550, enhanced, text } as const;
    expect(treat(refusal)).toMatchObject({ class: found, suppressed: true });
  });
});

it("a refusal of RCPT TO with unknown wording suppresses only with 550, 551 or 553", () => {
  const suppressing = [550, 551, 552, 553, 554, 555, 571].filter(
    (code) =>
      treat({ class: "", hard: false, stage: "rcpt", code, enhanced: null, text: "so nicht" })
        .suppressed,
  );
  expect(suppressing).toEqual([550, 551, 553]);
});
