// Tests src/resources/events/chunk-tokens.ts: each filter finds the chunks with matching events.
import { describe, expect, it } from "vitest";
import { newEmailId } from "../../../../src/lib/ids.ts";
import type { EventRecord } from "../../../../src/rpc/event-records.ts";
import type { EventType } from "../../../../src/rpc/event-types.ts";
import { matchesMessage } from "../../../../src/resources/events/event-filters.ts";
import { matchOf, markedMatchOf, tokensOf } from "../../../../src/resources/events/chunk-tokens.ts";
import { anEvent, byMessage, newTeam, NOON } from "./sample-events.ts";

const { id: TEAM } = newTeam();
const PLAIN = { isStray: false, isLate: false };

/** Returns whether the query finds the chunk in the index. */
function finds(tokens: string, query: string): boolean {
  const there = new Set(tokens.split(" "));
  const holds = (part: string): boolean =>
    part
      .replaceAll(/[()]/g, "")
      .split(" OR ")
      .some((token) => there.has(token));
  return query.split(" AND ").every(holds);
}

const labels = {
  topic: "receipts",
  campaign: "spring",
  templateId: "template_1",
  fromDomain: "a.example",
  tags: ["red", "blue"],
};
const { topic, campaign, templateId: template_id, fromDomain: domain } = labels;
const asked = { topic, campaign, template_id, domain };

/** Expects the filter to find a bounce by the bounce's own labels, not by another event's. */
function expectTogether(
  filter: object,
  own: Partial<EventRecord>,
  bounced: Partial<EventRecord>,
): void {
  const [apart, together] = [
    [anEvent(TEAM, own), anEvent(TEAM, bounced)],
    [anEvent(TEAM, { ...own, type: "email.bounced" })],
  ].map((events) => tokensOf(TEAM, byMessage(events), PLAIN));
  const asking = (type: EventType) => matchOf(TEAM, { event_type: type, ...filter });
  const found = [apart, together].map((page) => finds(page!, asking("email.bounced")));
  expect([...found, finds(apart!, asking("email.delivered"))]).toEqual([false, true, true]);
}

describe("tokens", () => {
  it("are few, short and unique", () => {
    const events = Array.from({ length: 40 }, () =>
      anEvent(TEAM, { ...labels, subject: "Your order" }),
    );
    const tokens = tokensOf(TEAM, byMessage(events), PLAIN).split(" ");
    expect(tokens.every((token) => /^[a-z0-9]{8}$/.test(token))).toBe(true);
    expect(new Set(tokens).size).toBe(tokens.length);
    // 13 tokens: the team, the version of the rules, an event type, a recipient, the recipient's
    // domain, six labels and two words of the subject. The other 40 are the emails' ids.
    expect(tokens).toHaveLength(13 + 40);
  });

  it("differ from team to team", () => {
    const page = tokensOf(TEAM, byMessage([anEvent(TEAM, labels)]), PLAIN);
    for (const filters of [{}, asked]) {
      expect(finds(page, matchOf(TEAM, filters))).toBe(true);
      expect(finds(page, matchOf(newTeam().id, filters))).toBe(false);
    }
  });

  it("tell whether a chunk is marked as stray or as late", () => {
    const marks = [{ isStray: true }, { isLate: true }, {}];
    const pages = marks.map((marked) =>
      tokensOf(TEAM, byMessage([anEvent(TEAM, labels)]), { ...PLAIN, ...marked }),
    );
    const found = (query: string) => pages.map((page) => finds(page, query));
    const filters = { topic: "receipts" };
    expect(found(markedMatchOf("stray", TEAM, filters))).toEqual([true, false, false]);
    expect(found(markedMatchOf("late", TEAM, filters))).toEqual([false, true, false]);
    expect(found(matchOf(TEAM, filters))).toEqual([true, true, true]);
  });

  it.each(Object.entries({ ...asked, tags: ["green", "blue"] }))(
    "of a rare type and %s find no chunk that has these two in different events only",
    (name, value) => {
      const bounced = { type: "email.bounced" as const, fromDomain: "b.example" };
      expectTogether({ [name]: value }, labels, bounced);
    },
  );

  it.each([
    ["recipient_domain", "b.example", "a@b.example"],
    ["provider", { name: "google", simulated: "simulator.test" }, "ada@gmail.com"],
    ["provider", { name: "simulator", simulated: "simulator.test" }, "delivered@simulator.test"],
  ] as const)(
    "of a rare type and %s %j find a chunk only if one event has both",
    (name, value, recipient) => {
      expectTogether({ [name]: value }, { recipient }, { type: "email.bounced" });
    },
  );

  it("of a provider find chunks by the rules of their indexing, and all chunks of earlier rules", () => {
    const [google, other] = ["a@gmail.com", "a@b.example"].map((recipient) =>
      byMessage([anEvent(TEAM, { recipient, type: "email.bounced" })]),
    );
    for (const event_type of [undefined, "email.bounced"] as const) {
      const query = (rules: number) =>
        matchOf(TEAM, { event_type, provider: { name: "google", simulated: "s.test" } }, rules);
      for (const rules of [1, 2, 3]) {
        expect(finds(tokensOf(TEAM, google!, PLAIN, rules), query(rules))).toBe(true);
        expect(finds(tokensOf(TEAM, other!, PLAIN, rules), query(rules))).toBe(false);
      }
      expect(finds(tokensOf(TEAM, other!, PLAIN, 1), query(3))).toBe(true);
      expect(finds(tokensOf(TEAM, google!, PLAIN, 2), query(1))).toBe(false);
    }
  });

  it("find a Message-ID that has its email's id by that id, and any other Message-ID by itself", () => {
    const uuid = newEmailId(NOON).slice("email_".length);
    for (const messageId of [
      `<${uuid}@a.example>`,
      `<${uuid.replaceAll("-", "")}@b>`,
      "<none@a.example>",
    ]) {
      const event = anEvent(TEAM, { emailId: `email_${uuid}`, messageId });
      const page = tokensOf(TEAM, byMessage([event]), PLAIN);
      expect(finds(page, matchOf(TEAM, { message_id: messageId }))).toBe(true);
      expect(matchesMessage(event, { message_id: messageId })).toBe(true);
    }
  });
});

describe("the subject's words", () => {
  const found = (subject: string, wanted: string) => {
    const event = anEvent(TEAM, { subject });
    const page = tokensOf(TEAM, byMessage([event]), PLAIN);
    const isMatch = matchesMessage(event, { subject: wanted });
    if (isMatch) expect(finds(page, matchOf(TEAM, { subject: wanted }))).toBe(true);
    return isMatch;
  };

  it.each([
    ["Your order #4711 has been shipped", "4711"],
    ["Your order #4711 has been shipped", "SHIPPED, order!"],
    ["Größe 42", "GRÖSSE"],
    ["ﬁne ＡＢＣ", "fine abc"],
    ["Cafe\u0301", "café"],
    ["नमस्ते दुनिया", "नमस्ते"],
    ["a plan B", "b plan"],
    ["ORDER 3", "order 3"],
    ["x y", "x"],
    ["订单确认：请查收", "订单"],
    ["ご注文 3 の確認", "注文 3"],
    ["주문 확인", "주문"],
  ])("in %j find %j", (subject, wanted) => {
    expect(found(subject, wanted)).toBe(true);
  });

  it.each([
    ["Your order", "orders"],
    ["Your order", "your receipt"],
    ["Your order", "our"],
    ["Your order", ""],
    ["ORDER 30", "order 3"],
    ["ORDER 4", "order 3"],
    ["订单确认", "订货"],
    ["", ""],
    ["word".repeat(9), "word".repeat(9)],
    ["Your order", "' OR 1=1 --"],
  ])("in %j do not find %j", (subject, wanted) => {
    expect(found(subject, wanted)).toBe(false);
  });

  it("are the first twelve, so that a whole subject always finds itself", () => {
    const words = Array.from({ length: 20 }, (_, index) => `word${index}`);
    const all = words.join(" ");
    const hits = [all, "word11", "word12"].map((wanted) => found(all, wanted));
    expect(hits).toEqual([true, true, false]);
  });

  it("of one character are the first twenty, and displace no longer word", () => {
    const letters = "a b c d e f g h i j k l m n o p q r s t u".split(" ");
    const subject = [...letters, "order"].join(" ");
    const hits = ["order t", "u", subject].map((wanted) => found(subject, wanted));
    expect(hits).toEqual([true, false, true]);
  });
});
