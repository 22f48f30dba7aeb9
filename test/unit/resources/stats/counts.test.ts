// Tests src/resources/stats/hour-counts.ts: every event counts once, and an hour names only its
// largest domains, so that its size is limited.
import { EVENT_TYPES } from "../../../../src/rpc/event-types.ts";
import { describe, expect, it } from "vitest";
import { type CountedEvent, HourCounts } from "../../../../src/resources/stats/hour-counts.ts";
import { COUNTED, Counts } from "../../../../src/resources/stats/type-counts.ts";
import { aCounted, writtenHour } from "./sample-counts.ts";
import { seedRandom } from "../../../node/templates/random-template.ts";

/** The number of recipient domains that an hour's row counts by name. */
const DOMAINS_PER_HOUR = 64;

const sent = (recipient: string) => aCounted({ type: "email.sent", recipient });
const bounced = (recipient: string, classification: string | null) =>
  aCounted({
    type: "email.bounced",
    recipient,
    bounce: { type: "permanent", classification, smtpCode: null, smtpResponse: null },
  });

function hourOf(events: readonly CountedEvent[]): HourCounts {
  const hour = new HourCounts();
  for (const event of events) hour.count(event);
  return hour;
}

describe("counts", () => {
  it("know every type of event", () => {
    expect(COUNTED.map((name) => `email.${name}`).toSorted()).toEqual([...EVENT_TYPES].toSorted());
    const hour = hourOf(
      EVENT_TYPES.map((type) => aCounted({ type, recipient: "ada@example.org" })),
    );
    expect(Object.fromEntries(hour.all.types)).toEqual(
      Object.fromEntries(COUNTED.map((name) => [name, 1])),
    );
  });

  it("hold bounces by classification, and bounces without a classification as `none`", () => {
    const hour = hourOf([
      bounced("a@x.example", "SpamBlock"),
      bounced("b@x.example", "SpamBlock"),
      bounced("c@y.example", null),
    ]);
    expect(Object.fromEntries(hour.all.classes)).toEqual({ SpamBlock: 2, none: 1 });
    expect(Object.fromEntries(hour.domains.get("x.example")!.classes)).toEqual({ SpamBlock: 2 });
  });

  it("leave out zeros, also after a subtraction", () => {
    expect(hourOf([sent("a@x.example")]).toText()).toBe(
      '[[1],{"x.example":[1]},1,{},{"s.example":[1]}]',
    );
    const { all } = hourOf([bounced("a@x.example", null)]);
    const rest = new Counts();
    rest.add(all);
    rest.add(all, -1);
    expect([JSON.stringify(rest), rest.total]).toEqual(["[]", 0]);
  });

  it("ignore the case of domains, and split addresses at the last @", () => {
    const hour = hourOf([sent("a@Example.ORG"), sent('"a@b"@example.org'), sent("x@example.org")]);
    expect([...hour.domains.keys()]).toEqual(["example.org"]);
  });

  it("are the same after they were written as text and read back", () => {
    const hour = hourOf([
      sent("a@x.example"),
      bounced("a@__proto__", "SpamBlock"),
      sent("b@constructor"),
    ]);
    expect(HourCounts.parse(hour.toText())).toEqual(hour);
  });
});

describe("an hour's domains", () => {
  const domain = (index: number) => `d${index}.example`;
  const many = (count: number, from = 0) =>
    Array.from({ length: count }, (_, index) => sent(`a@${domain(from + index)}`));

  it("are all named up to 64, with exact numbers", () => {
    const hour = writtenHour([many(DOMAINS_PER_HOUR), many(DOMAINS_PER_HOUR)]);
    expect(hour.domains.size).toBe(DOMAINS_PER_HOUR);
    for (const counts of hour.domains.values()) expect(counts.of("sent")).toBe(2);
  });

  it("are limited to 64, and the sum of all stays exact", () => {
    const hour = writtenHour([many(100), many(100, 50)]);
    expect(hour.domains.size).toBe(DOMAINS_PER_HOUR);
    expect(hour.all.total).toBe(200);
  });

  it("keep a large domain that grows slowly beside many domains that occur once", () => {
    const pages = Array.from({ length: 50 }, (_, page) => [
      ...many(100, page * 100),
      sent("a@large.example"),
      sent("b@large.example"),
    ]);
    const hour = writtenHour([
      many(DOMAINS_PER_HOUR).flatMap((event) => Array.from({ length: 5 }, () => event)),
      ...pages,
    ]);
    expect(hour.domains.get("large.example")?.total).toBeGreaterThan(20);
  });

  it.each([1, 2, 3, 4, 5])(
    "undercount by at most a sixty-fifth of the hour's events, in any order (seed %i)",
    (seed) => {
      const next = seedRandom(seed);
      // The third power of a random number is mostly small, so a few domains get most of the mail.
      const any = () => Math.floor((next(1_000) / 1_000) ** 3 * 400);
      const pages = Array.from({ length: 60 }, () =>
        Array.from({ length: 1 + next(128) }, () => sent(`a@${domain(any())}`)),
      );
      const truth = hourOf(pages.flat());
      const hour = writtenHour(pages);
      expect(hour.all).toEqual(truth.all);
      expect(hour.domains.size).toBe(DOMAINS_PER_HOUR);
      for (const [name, counts] of truth.domains) {
        const shown = hour.domains.get(name)?.total ?? 0;
        expect(shown).toBeLessThanOrEqual(counts.total);
        expect(counts.total - shown).toBeLessThanOrEqual(truth.all.total / (DOMAINS_PER_HOUR + 1));
      }
    },
  );
});
