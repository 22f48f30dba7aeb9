// Tests src/resources/deliverability/mail-findings.ts: each finding says what is wrong, since when,
// and what can be done.
import { describe, expect, it } from "vitest";
import { HOUR_MS } from "../../../../src/limits.ts";
import { findingsAbout } from "../../../../src/resources/deliverability/mail-findings.ts";
import { MailWindow } from "../../../../src/resources/deliverability/provider-window.ts";
import type { RealProvider } from "../../../../src/resources/providers/provider-of.ts";
import { type CountedEvent, HourCounts } from "../../../../src/resources/stats/hour-counts.ts";
import { NOON } from "../events/sample-events.ts";
import { aCounted } from "../stats/sample-counts.ts";

type Happening = Partial<CountedEvent>;

const S3150 = "550 5.7.1 part of their network is on our block list (S3150).";
const taken: Happening = {};
const refused = (classification: string | null = "SpamBlock", smtpResponse = S3150): Happening => ({
  type: "email.bounced",
  bounce: { type: "permanent", classification, smtpCode: 550, smtpResponse },
});
const deferred: Happening = {
  type: "email.delayed",
  exchange: { stage: "rcpt", response: "421 [TSS04] Later", mxHost: "mx", tls: null, rule: null },
};
const complained: Happening = { type: "email.complained" };

const COUNTS = { count: 46, of: 46, rate: 1, threshold: null, source: null };

/** Returns `count` copies of an event, each one second later than the copy before. */
const times = (count: number, one: Happening, from = NOON): Happening[] =>
  Array.from({ length: count }, (_, index) => ({ ...one, occurredAt: from + index * 1_000 }));

function findings(
  happenings: readonly Happening[],
  provider: RealProvider | null = "microsoft",
  now = NOON + HOUR_MS,
  earlier: readonly Happening[] = [],
) {
  const window = { start: NOON - 23 * HOUR_MS, end: NOON + HOUR_MS, now };
  return findingsAbout(provider, mailOf(happenings, provider)!, mailOf(earlier, provider), window);
}

function mailOf(happenings: readonly Happening[], provider: RealProvider | null) {
  const hours = new Map<number, HourCounts>();
  for (const one of happenings) {
    const event = aCounted({ provider, ...one });
    const at = Math.floor(event.occurredAt / HOUR_MS) * HOUR_MS;
    const hour = hours.get(at) ?? new HourCounts();
    hours.set(at, hour);
    hour.count(event);
  }
  const mail = new MailWindow();
  for (const [at, hour] of hours) mail.add(at, HourCounts.parse(hour.toText()));
  return mail.providers.get(provider);
}

describe("a provider that refuses or defers all mail", () => {
  it("is named with its first refusal since the last acceptance, and with a contact", () => {
    const found = findings([
      ...times(3, refused(), NOON - 2 * HOUR_MS),
      ...times(20, taken, NOON - HOUR_MS),
      ...times(46, refused(), NOON + 53 * 60_000),
    ]);
    expect(found).toEqual([
      {
        kind: "refuses_all",
        severity: "critical",
        provider: "microsoft",
        since: "2026-10-20T12:53:00.000Z",
        summary:
          "Microsoft has refused all mail since 12:53 UTC: 550 5.7.1 part of their network is on our " +
          "block list (S3150), 46 times.",
        evidence: {
          reply: S3150,
          ...COUNTS,
          events:
            "/v1/events?event_type=email.bounced&provider=microsoft" +
            "&start=2026-10-20T12%3A53%3A00.000Z&bounce_classification=SpamBlock" +
            "&refusal=550+5.7.1+part+of+their+network+is+on+our+block+list+%28S3150%29.",
        },
        action: {
          kind: "contact_provider",
          text: "Ask Microsoft for mitigation: https://olcsupport.office.com",
          href: "https://olcsupport.office.com",
        },
      },
    ]);
  });

  it("is named in the hour in which it stopped, though it refused some mail in the same words before", () => {
    const found = findings([
      ...times(4, refused()),
      ...times(30, taken, NOON + 60_000),
      ...times(9, refused(), NOON + 20 * 60_000),
    ]);
    expect(found).toMatchObject([
      { kind: "refuses_all", since: "2026-10-20T12:20:00.000Z", evidence: { count: 9, of: 9 } },
    ]);
  });

  it("is named as deferring, with the advice to wait, if it defers all mail", () => {
    const found = findings(times(12, deferred), "yahoo", NOON + 30 * HOUR_MS);
    const summary =
      "Yahoo has delayed all mail since 2026-10-20 12:00 UTC: 421 [TSS04] Later, 12 times.";
    const kind = { kind: "defers_all", severity: "warning" };
    expect(found).toMatchObject([{ ...kind, summary, action: { kind: "wait" } }]);
    expect(found).toHaveLength(1);
  });

  it("is named with its first refusal of the previous window, if that window also ended with refusals", () => {
    const refusedNow = times(5, refused());
    const before = NOON - 24 * HOUR_MS;
    const earlier = [...times(3, taken, before), ...times(9, refused(), before + 60_000)];
    const named = (now: readonly Happening[], then: readonly Happening[]) => {
      const [found] = findings(now, "microsoft", NOON + HOUR_MS, then);
      return [found?.kind, found?.since.slice(8, 16), found?.evidence.count];
    };
    expect(named(refusedNow, earlier)).toEqual(["refuses_all", "19T12:01", 14]);
    const resumed = times(1, taken, NOON - 1_000);
    const later = ["refuses_all", "20T12:00", 5];
    expect(named(refusedNow, [...earlier, ...resumed])).toEqual(later);
    expect(named([...resumed, ...refusedNow], earlier)).toEqual(later);
    expect(named(times(4, refused()), earlier)).toEqual([undefined, undefined, undefined]);
  });

  it.each([
    ["four refusals", times(4, refused())],
    ["refused addresses", times(9, refused("InvalidRecipient"))],
    ["full mailboxes", times(50, refused("QuotaIssues"))],
    ["refusals, then acceptance", [...times(20, refused()), ...times(400, taken, NOON + 60_000)]],
  ])("is not named for %s", (_, happenings) => {
    expect(findings(happenings)).toEqual([]);
  });

  it.each([
    ["AuthenticationFailed", "fix_dns"],
    ["SpamContent", "change_content"],
    ["PolicyRelated", "contact_provider"],
    [null, "contact_provider"],
  ])("is named with the action for the class of its refusals: %s, %s", (classification, kind) => {
    expect(findings(times(5, refused(classification)))[0]!.action.kind).toBe(kind);
  });
});

describe("a rate", () => {
  const unknown = refused("InvalidRecipient");
  const badDomain = refused("BadDomain");

  it.each([
    ["refuses_many", "warning", 50, refused(), "refused 50 of 1,000 recipients"],
    ["refuses_many", "critical", 950, refused(), "refused 950 of 1,900 recipients"],
    ["defers_many", "warning", 1_500, deferred, "delayed 1,500 of 2,450 attempts"],
    ["unknown_recipients", "warning", 50, unknown, "50 of 1,000 recipients as unknown"],
    ["unknown_recipients", "critical", 110, badDomain, "110 of 1,060 recipients as unknown"],
    ["complaints", "critical", 5, complained, "5 of 950 messages that Microsoft accepted"],
  ] as const)(
    "is the finding %s (%s) at its threshold of %i",
    (kind, severity, count, happening, words) => {
      const happenings = times(count, happening);
      const accepted = times(950, taken, NOON + 1_900_000);
      const found = findings([...happenings, ...accepted]);
      expect(found.map((one) => [one.kind, one.severity])).toEqual([[kind, severity]]);
      expect(found[0]!.summary).toContain(words);
      expect(found[0]!.since).toBe("2026-10-20T12:00:00.000Z");
      const { searchParams: events } = new URL(found[0]!.evidence.events, "https://api.test");
      expect(events.get("start")).toBe("2026-10-19T13:00:00.000Z");
      const classes = happenings[0]!.bounce?.classification ?? null;
      expect(events.get("bounce_classification")).toBe(classes);
      // The added accepted mail lowers the share of refusals below a threshold, so the finding
      // becomes less severe.
      const [less] = findings([...happenings, ...accepted, ...times(950, taken, NOON + 1_900_000)]);
      if (severity === "critical") expect(less?.severity).toBe("warning");
      else expect(less).toBeUndefined();
    },
  );

  it.each([
    ["google", 3, "critical", "https://support.google.com/a/answer/81126"],
    ["google", 2, undefined, undefined],
    ["other", 3, "warning", "https://docs.aws.amazon.com/ses/latest/dg/faqs-enforcement.html"],
  ] as const)(
    "of complaints has the thresholds of %s (%i of 1,000)",
    (provider, count, severity, source) => {
      const [found] = findings([...times(1_000, taken), ...times(count, complained)], provider);
      expect([found?.severity, found?.evidence.source]).toEqual([severity, source]);
    },
  );

  it("may be above 1 for complaints about earlier mail, and is shown as 1", () => {
    const [found] = findings(times(4, complained), null);
    expect(found).toMatchObject({ severity: "critical", evidence: { count: 4, of: 4, rate: 1 } });
    expect(found!.summary).toBe(
      "4 of 4 messages that unknown providers accepted (100%) have been reported as spam since 12:00 UTC.",
    );
  });
});
