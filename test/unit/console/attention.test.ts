// Concerns that need a hand: each from its evidence, and none without.
import { describe, expect, it } from "vitest";
import { concernsOf, type Evidence } from "../../../console/src/pages/overview/attention.ts";
import { totalsOf } from "../../../console/src/pages/overview/overview-figures.ts";
import { entryOn } from "./stats-entries.ts";
import { usageWith } from "./usage-answer.ts";

const CALM: Evidence = {
  days: 14,
  now: totalsOf([entryOn(20, { sent: 1_000, delivered: 995, bounced: 5 })]),
  before: totalsOf([entryOn(6, { sent: 1_000, delivered: 995, bounced: 5 })]),
  interval: "day",
  start: "2026-11-09T00:00:00.000Z",
  end: Date.UTC(2026, 10, 22, 16),
  simulator: "simulator.postern.test",
  recipientEntries: [],
  domains: [],
  webhooks: [],
  usage: null,
  zone: "UTC",
};

const DOMAIN: Evidence["domains"][number] = {
  id: "domain_1",
  name: "news.example",
  status: "verified",
  dns_records: [],
  verification_failure: null,
  tracking: {
    opens_enabled: false,
    clicks_enabled: false,
    subdomain: null,
    dns_records: [],
    status: "disabled",
    verification_failure: null,
    verified_at: null,
  },
  created_at: "2026-11-01T00:00:00.000Z",
  verified_at: "2026-11-01T00:00:00.000Z",
};

const WEBHOOK: Evidence["webhooks"][number] = {
  id: "webhook_1",
  name: "orders",
  url: "https://example.com/",
  events: [],
  status: "active",
  signing_secret_prefix: "whsec_",
  signing_secret_previous_prefix: null,
  signing_secret_grace_expires_at: null,
  last_delivery_at: null,
  created_at: "2026-11-01T00:00:00.000Z",
};

const sentences = (evidence: Partial<Evidence>) =>
  concernsOf({ ...CALM, ...evidence }).map(({ name, says }) =>
    name === null ? says : `${name} ${says}`,
  );

describe("what needs a hand", () => {
  it("is nothing while mail flows, domains are verified and webhooks active", () => {
    const usage = usageWith({ dailyUsed: 79 });
    expect(sentences({ domains: [DOMAIN], webhooks: [WEBHOOK], usage })).toEqual([]);
  });

  it("names a domain that puts mail off, since when, with its numbers", () => {
    const recipientEntries = [
      entryOn(20, { sent: 10, delivered: 10 }, "outlook.com"),
      entryOn(21, { sent: 10, delayed: 70 }, "outlook.com"),
      entryOn(22, { sent: 10, delivered: 2, delayed: 24 }, "outlook.com"),
    ];
    const [concern] = concernsOf({ ...CALM, recipientEntries });
    expect(concern).toMatchObject({
      name: "outlook.com",
      says: "puts your mail off since 21 Nov (UTC)",
      evidence: "18 of 20 delayed (90.0 %) · 94 attempts put off",
      to: "/messages",
      search: { view: "events", event_type: "email.delayed", days: 30 },
    });
  });

  it("says of a refusal along the whole window that it may be older", () => {
    const recipientEntries = [9, 22].map((day) =>
      entryOn(day, { sent: 9, bounced: 9 }, "contoso.net", { InvalidRecipient: 9 }),
    );
    const other = entryOn(22, { sent: 2_000, delivered: 2_000 }, "other");
    expect(sentences({ recipientEntries: [...recipientEntries, other] })).toEqual([
      "contoso.net refuses your mail since 9 Nov (UTC) or before",
    ]);
  });

  it("names the domain with complaints over the threshold, or else all mail", () => {
    const entry = entryOn(20, { sent: 1_000, delivered: 1_000, complained: 2 }, "gmail.com");
    expect(sentences({ recipientEntries: [entry] })).toEqual([
      "gmail.com has complaints over Gmail's 0.1 %",
    ]);
    const other = { ...entry, recipient_domain: "other" };
    expect(sentences({ recipientEntries: [other] })).toEqual(["Complaints are over Gmail's 0.1 %"]);
  });

  it("leaves out the simulator, whose bounces and complaints are wanted", () => {
    const counts = { sent: 20, delivered: 10, bounced: 10, complained: 10 };
    const recipientEntries = [entryOn(22, counts, "simulator.postern.test")];
    expect(sentences({ recipientEntries })).toEqual([]);
  });

  it("names three domains that put mail off, and the others together", () => {
    const recipientEntries = ["a", "b", "c", "d", "e"].map((name, index) =>
      entryOn(22, { sent: 20 - index, delayed: 40 }, `${name}.example`),
    );
    const concerns = concernsOf({ ...CALM, recipientEntries });
    expect(concerns.map(({ name }) => name)).toEqual(["a.example", "b.example", "c.example", null]);
    expect(concerns.at(-1)).toMatchObject({
      says: "2 other recipient domains put your mail off",
      evidence: "d.example, e.example",
    });
  });

  it("counts all bounces together from 2 %", () => {
    const recipientEntries = [
      entryOn(22, { sent: 200, delivered: 195, bounced: 5 }, "gmail.com", { QuotaIssues: 5 }),
    ];
    expect(concernsOf({ ...CALM, recipientEntries })).toMatchObject([
      {
        says: "Bounces are over 2 %, where providers begin to distrust a sender",
        evidence: "5 of 200 bounced (2.50 %) · QuotaIssues 5",
      },
    ]);
  });

  it("leaves out a single complaint, which is chance", () => {
    const entry = entryOn(20, { sent: 10, delivered: 10, complained: 1 }, "gmail.com");
    expect(sentences({ recipientEntries: [entry] })).toEqual([]);
  });

  it("compares bounces and complaints with the time before", () => {
    const now = totalsOf([entryOn(20, { sent: 1_000, delivered: 985, bounced: 15 })]);
    expect(sentences({ now })).toEqual(["Suppressions are rising"]);
    expect(sentences({ now, before: null })).toEqual([]);
    expect(sentences({ now, before: now })).toEqual([]);
  });

  it("does not take mail after silence for a rise", () => {
    const now = totalsOf([entryOn(20, { sent: 1_000, delivered: 985, bounced: 15 })]);
    expect(sentences({ now, before: totalsOf([]) })).toEqual([]);
  });

  it("quotes why a domain is not verified, and links to it", () => {
    const failure = { code: "dkim_cname_missing", message: "ps2 has no CNAME." } as const;
    const [concern] = concernsOf({
      ...CALM,
      domains: [{ ...DOMAIN, status: "pending", verification_failure: failure }],
    });
    expect(concern).toMatchObject({
      says: "is not verified",
      evidence: "dkim_cname_missing: ps2 has no CNAME.",
      search: { open: "domain_1" },
    });
  });

  it("names the host of tracking that is not verified", () => {
    const tracking = { ...DOMAIN.tracking, status: "pending", subdomain: "click" } as const;
    expect(sentences({ domains: [{ ...DOMAIN, tracking }] })).toEqual([
      "click.news.example is not verified: opens and clicks are not counted",
    ]);
  });

  it("tells a paused webhook from a disabled one", () => {
    const webhooks = (["disabled", "circuit_disabled"] as const).map((status) => ({
      ...WEBHOOK,
      id: status,
      status,
    }));
    expect(sentences({ webhooks })).toEqual([
      "orders paused itself: its events wait",
      "orders is disabled: its events are not queued",
    ]);
  });

  it("warns of a quota from 80 %, and puts one that is used up first", () => {
    expect(sentences({ usage: usageWith({ dailyUsed: 80, topicUsed: 100 }) })).toEqual([
      "Distinct topics per hour: used up",
      "Today's quota: nearly used up",
    ]);
  });
});
