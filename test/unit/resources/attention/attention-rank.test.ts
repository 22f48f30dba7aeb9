// Tests src/resources/attention/attention-rank.ts: which ledgers' reports the operator sees, and in
// which order.
import { describe, expect, it } from "vitest";
import type { Gauges } from "../../../../src/rpc/metrics-calls.ts";
import { HOUR_MS } from "../../../../src/limits.ts";
import {
  countTeams,
  rankTeams,
  severityOf,
} from "../../../../src/resources/attention/attention-rank.ts";

const NOW = Date.UTC(2026, 10, 23, 9);

describe("a team's severity", () => {
  it.each<[string | null, string, Gauges]>([
    ["critical", "a critical finding", { criticalFindings: 1 }],
    ["critical", "stuck recipients", { stuck: 1 }],
    ["critical", "a full ledger", { full: 1 }],
    ["warning", "a warning", { warningFindings: 1 }],
    ["warning", "mail that could not be read", { unreadMail: 1 }],
    ["notice", "mail held for an hour", { waiting: 1, oldestAcceptedAt: NOW - HOUR_MS }],
    [null, "mail held for less", { waiting: 1, oldestAcceptedAt: NOW - HOUR_MS + 1 }],
    [null, "deferred mail", { deferred: 7, waiting: 0, oldestAcceptedAt: NOW - 9 * HOUR_MS }],
    [null, "nothing", { stuck: 0, full: 0, unpaged: 5_000 }],
  ])("is %s for %s", (severity, _, gauges) => {
    expect(severityOf(gauges, NOW)).toBe(severity);
  });
});

describe("the ranking", () => {
  const reports = (...all: [string, Gauges][]) =>
    all.map(([source, gauges]) => [source, { at: NOW, gauges }] as const);

  it("lists the most severe teams first, then those with the most recipients, and leaves out webhooks", () => {
    const ranked = rankTeams(
      reports(
        ["team_held", { waiting: 9_000, oldestAcceptedAt: 0 }],
        ["team_warned", { warningFindings: 1, affectedRecipients: 50 }],
        ["wh_1", { stuck: 5 }],
        ["team_few", { criticalFindings: 1, affectedRecipients: 5 }],
        ["team_well", { queued: 3 }],
        ["team_many", { stuck: 46 }],
        ["team_unread", { unreadMail: 1 }],
      ),
      NOW,
    );
    expect(ranked.map(({ source }) => source)).toEqual(
      "team_many team_few team_warned team_unread team_held".split(" "),
    );
    expect(countTeams(ranked)).toEqual({ critical: 2, warning: 2, notice: 1, unread: 1 });
  });
});
