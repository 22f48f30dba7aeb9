// Tests which concerns need attention, each only with its evidence, and the cards of providers.
import { describe, expect, it } from "vitest";
import { concernsOf, type Evidence } from "../../../console/src/pages/overview/attention.ts";
import {
  leadOf,
  refusalsOf,
  cardsOf,
  comparedFigures,
} from "../../../console/src/pages/overview/provider-cards.ts";
import { NOTHING } from "../../../console/src/pages/overview/overview-figures.ts";
import type { Deliverability } from "../../../packages/postern/src/generated/types.ts";
import { usageWith } from "./usage-answer.ts";
import { webhookWith } from "./webhook-answer.ts";

const CALM: Evidence = { rates: null, domains: [], webhooks: [], usage: null, zone: "UTC" };

const OFF = { opens_enabled: false, clicks_enabled: false, subdomain: null, dns_records: [] };
const DOMAIN: Evidence["domains"][number] = {
  id: "domain_1",
  name: "news.example",
  status: "verified",
  dns_records: [],
  verification_failure: null,
  tracking: { ...OFF, status: "disabled", verification_failure: null, verified_at: null },
  created_at: "2026-11-01T00:00:00.000Z",
  verified_at: "2026-11-01T00:00:00.000Z",
};

const WEBHOOK = webhookWith({ id: "webhook_1" });

const sentences = (evidence: Partial<Evidence>) =>
  concernsOf({ ...CALM, ...evidence }).map(({ name, says }) =>
    name === null ? says : `${name} ${says}`,
  );

describe("a problem other than refused mail", () => {
  it("is absent while mail flows, domains are verified and webhooks are active", () => {
    const usage = usageWith({ dailyUsed: 79 });
    expect(sentences({ domains: [DOMAIN], webhooks: [WEBHOOK], usage })).toEqual([]);
  });

  it("quotes why a domain is not verified, and links to it", () => {
    const failure = { code: "dkim_cname_missing", message: "ps2 has no CNAME." } as const;
    const pending = { ...DOMAIN, status: "pending", verification_failure: failure } as const;
    const [concern] = concernsOf({ ...CALM, domains: [pending] });
    expect(concern).toMatchObject({
      says: "is not verified",
      evidence: "dkim_cname_missing: ps2 has no CNAME.",
      search: { open: "domain_1" },
    });
  });

  it("names the host of tracking that is not verified", () => {
    const tracking = { ...DOMAIN.tracking, status: "pending", subdomain: "click" } as const;
    expect(sentences({ domains: [{ ...DOMAIN, tracking }] })).toEqual([
      "click.news.example is not verified: opens and clicks are not tracked",
    ]);
  });

  it("distinguishes a paused webhook from a disabled webhook", () => {
    const webhooks = (["disabled", "circuit_disabled"] as const).map((status) =>
      webhookWith({ id: status, status }),
    );
    expect(sentences({ webhooks })).toEqual([
      "orders is disabled and receives no events",
      "orders is paused after failed deliveries; its events are queued",
    ]);
  });

  it("is a rate over its limit, if no finding says more", () => {
    const time = { start: "2026-11-09T00:00:00.000Z", time: "14 days" };
    const counts = { ...NOTHING, sent: 1_000, delivered: 970, bounced: 30 };
    expect(sentences({ rates: { counts, ...time } })).toEqual([
      "3% bounced in the last 14 days, over 2%",
    ]);
    expect(sentences({ rates: { counts: { ...counts, bounced: 10 }, ...time } })).toEqual([]);
  });

  it("warns of a quota from 80%, and more urgently of a used-up quota", () => {
    const concerns = concernsOf({ ...CALM, usage: usageWith({ dailyUsed: 80, topicUsed: 100 }) });
    expect(concerns.map(({ tone, says }) => [tone, says])).toEqual([
      ["wait", "Daily quota: limit nearly reached"],
      ["bad", "Different topics per hour: limit reached"],
    ]);
  });
});

const REPLY = "550 5.7.1 Messages from … weren't sent (S3150).";
const FIGURES = {
  sent: 46,
  delivered: 0,
  deferred: 0,
  bounced: 46,
  bounces: { SpamBlock: 46 },
  complaints: 0,
  time_to_acceptance: { median_seconds: null, p95_seconds: null },
};
const SLOW = { median_seconds: 90, p95_seconds: 300 };
const SOURCE = { threshold: null, source: null, events: "/v1/events?event_type=email.bounced" };
const FINDING: Deliverability["findings"][number] = {
  kind: "refuses_all",
  severity: "critical",
  provider: "microsoft",
  since: "2026-11-23T02:53:00.000Z",
  summary: `Microsoft has refused all mail since 02:53 UTC: ${REPLY.slice(0, -1)}, 46 times.`,
  evidence: { reply: REPLY, count: 46, of: 46, rate: 1, ...SOURCE },
  action: { kind: "contact_provider", text: "Ask Microsoft", href: "https://example.com" },
};
const MICROSOFT: Deliverability["providers"][number] = {
  provider: "microsoft",
  title: "Microsoft",
  current: FIGURES,
  previous: { ...FIGURES, sent: 40, delivered: 40, bounced: 0, time_to_acceptance: SLOW },
  refusals: [],
};

describe("the cards of providers", () => {
  it("have all findings about one provider, in the order of the service", () => {
    const yahoo = { ...FINDING, provider: "yahoo", severity: "warning" } as const;
    const more = { ...FINDING, kind: "complaints", severity: "warning" } as const;
    const cards = cardsOf({
      providers: [{ ...MICROSOFT, provider: "yahoo", title: "Yahoo" }, MICROSOFT],
      findings: [FINDING, yahoo, more],
    });
    expect(cards.map(({ entry, tone, findings }) => [entry.title, tone, findings.length])).toEqual([
      ["Microsoft", "bad", 2],
      ["Yahoo", "wait", 1],
    ]);
  });

  it("quote the reply of a finding apart from its sentence", () => {
    expect(leadOf(FINDING, "UTC")).toBe("Microsoft has refused all mail since 02:53 UTC.");
    expect(leadOf(FINDING, "Europe/Berlin")).toContain("since 03:53 CET.");
    const evidence = { ...FINDING.evidence, reply: null };
    expect(leadOf({ ...FINDING, evidence }, "UTC")).toBe(FINDING.summary);
    const summary = "Microsoft refused 3 of 4 recipients since 2026-11-23 02:53 UTC.";
    expect(leadOf({ ...FINDING, summary }, "UTC")).toContain("since 23 Nov, 02:53 UTC.");
  });

  it("quote the refusals that a finding counts", () => {
    const once = { count: 1, first_at: FINDING.since };
    const refusals = [
      { kind: "deferred", classification: null, text: "a", ...once },
      { kind: "bounced", classification: null, text: "b", ...once },
      { kind: "bounced", classification: "SpamBlock", text: "c", ...once },
    ] satisfies Deliverability["providers"][number]["refusals"];
    const quoted = (events: string) =>
      refusalsOf({ ...FINDING, evidence: { ...FINDING.evidence, events } }, { refusals }).map(
        ({ text }) => text,
      );
    expect(quoted("/v1/events?event_type=email.delayed")).toEqual(["a"]);
    expect(quoted("/v1/events?event_type=email.bounced&bounce_classification=none")).toEqual(["b"]);
    expect(quoted("/v1/events?event_type=email.complained")).toEqual([]);
  });

  it("compare the figures of two windows, and leave out those that are zero in both", () => {
    expect(comparedFigures(MICROSOFT)).toEqual([
      ["Sent", "46", "40"],
      ["Delivered", "0", "40 (100%)"],
      ["Bounced", "46 (100%)", "0"],
      ["Median time to delivery", "–", "1 min 30 s"],
    ]);
    const [sent] = comparedFigures({ ...MICROSOFT, previous: null });
    expect(sent).toEqual(["Sent", "46", null]);
  });
});
