// Tests the first sentence of the operator's overview, and its sentences about teams.
import { describe, expect, it } from "vitest";
import type { Attention, TeamAttention } from "../../../../console/src/api/operator/types.ts";
import {
  type ShownCheck,
  statusLabel,
  unknownAmong,
} from "../../../../console/src/pages/operator/check-status.ts";
import {
  checkedText,
  concernsOf,
  type WatchedPart,
  unreadAmong,
  summaryOf,
} from "../../../../console/src/pages/operator/overview-summary.ts";
import { formatShare } from "../../../../console/src/parts/figures.ts";
import {
  describeTeam,
  describeTeams,
  evidenceText,
} from "../../../../console/src/pages/operator/team-texts.ts";

const CLOCK = { now: Date.parse("2026-11-23T03:00:00.000Z"), zone: "UTC" };
const READ: WatchedPart = { name: "metrics", isRead: true, hasFailed: false };
const FAILED: WatchedPart = { name: "teams", isRead: true, hasFailed: true };
const NOT_YET: WatchedPart = { name: "gateways", isRead: false, hasFailed: false };
const FINDING = {
  summary: "Microsoft has refused all mail since 02:53 UTC: 550 No, 46 times.",
  since: "2026-11-23T02:53:00.000Z",
  evidence: { reply: "550 No.", count: 46, of: 184, rate: 0.25, threshold: 0.05, source: null },
} as unknown as NonNullable<TeamAttention["findings"]>[number];

function entry(over: Partial<TeamAttention> = {}): TeamAttention {
  return {
    team: { id: "team_1", name: "Acme" },
    severity: "critical",
    findings: [FINDING],
    held: null,
    sending_holds: [],
    is_full: false,
    reported_at: "2026-11-23T02:55:00.000Z",
    ...over,
  };
}

function attentionOf(worst: TeamAttention[], teams: Partial<Attention["teams"]> = {}): Attention {
  const of = (severity: string) => worst.filter((one) => one.severity === severity).length;
  const counts = { critical: of("critical"), warning: of("warning"), notice: of("notice") };
  const all = { total: 214, ...counts, unread: 0, ...teams };
  const checked_at = "2026-11-23T02:55:00.000Z";
  return { checked_at, account_hold: null, teams: all, worst };
}

const LEAD = "Microsoft has refused all mail since 02:53 UTC.";
const says = (one: TeamAttention): string[] =>
  describeTeam(one, CLOCK).map((reason) => reason.says);

const late: ShownCheck = {
  check: "queues.moving",
  subject: "postern-deliver",
  title: "Queue postern-deliver",
  status: "warning",
  value: 400,
  value_text: "6 min",
  limit: 300,
  limit_text: "5 min",
  unit: "seconds",
  since: "2026-11-23T02:50:00.000Z",
  message: "The oldest job has waited for 6 min.",
  next_step: "Look for deliver_failed in the log.",
  page: "docs/operating.md#stuck",
  evidence: "postern_queue_oldest_seconds 400",
};

describe("the overview's verdict", () => {
  it("is that nothing needs attention only when every part was read at the last try", () => {
    expect(summaryOf([READ, READ], [], [])).toEqual({ kind: "fine" });
    expect(summaryOf([READ, NOT_YET], [], [])).toEqual({ kind: "checking" });
    const unread = { kind: "unread", unread: ["teams", "“Stuck recipients”"] };
    expect(summaryOf([READ, FAILED, NOT_YET], [], ["Stuck recipients"])).toEqual(unread);
  });

  it("is the worst concern, critical teams before late queues, with the number of the others", () => {
    const teams = attentionOf([entry(), entry({ severity: "warning" })]);
    const concerns = concernsOf([late], teams, CLOCK);
    const page = { to: "/operator/teams/$teamId", teamId: "team_1" };
    const worst = { head: `Acme: ${LEAD}`, evidence: "550 No.", ...page };
    const summary = { kind: "concern", more: 2, worst };
    expect(summaryOf([READ, FAILED], concerns, [])).toMatchObject(summary);
    expect(concerns.map(({ tone }) => tone)).toEqual(["bad", "wait", "wait"]);
    expect(unreadAmong([READ, FAILED], [])).toEqual(["teams"]);
  });

  it("prints the worker's sentences as they are, with the time at which the check went over", () => {
    const [concern] = concernsOf([late], undefined, CLOCK);
    expect(concern).toMatchObject({
      head: late.message,
      rest: late.next_step,
      evidence: "postern_queue_oldest_seconds 400 (since 02:50:00 UTC)",
      act: "",
    });
    const link = { ...late, check: "gateway.token", status: "critical" } as const;
    const [worst] = concernsOf([late, link], undefined, CLOCK);
    expect(worst).toMatchObject({ tone: "bad", act: "Gateways", to: "/operator/delivery" });
  });

  it("is followed by the checks that passed, and unknown numbers are never among them", () => {
    const rows = (["ok", "ok", "unknown", "alert_only"] as const).map((status) => ({
      ...late,
      status,
    }));
    expect(checkedText(rows, 1)).toBe(
      "2 health checks passed. No problem with the mail of 1 team.",
    );
    expect(checkedText(rows.slice(1), 0)).toBe("1 health check passed.");
    expect(rows.map(statusLabel)).toEqual(["OK", "OK", "No data", "Alert only"]);
    expect(unknownAmong(rows)).toEqual(["Queue postern-deliver"]);
    expect(concernsOf(rows, undefined, CLOCK)).toEqual([]);
  });

  it("leaves out teams whose mail only waits, and counts teams beyond the list", () => {
    expect(concernsOf([], attentionOf([entry({ severity: "notice" })]), CLOCK)).toEqual([]);
    expect(concernsOf([], attentionOf([entry()], { critical: 31 }), CLOCK).at(-1)?.head).toBe(
      "30 more teams need attention.",
    );
  });
});

describe("a team that needs attention", () => {
  const idle = { waiting: 0, attempting: 0, deferred: 0, awaiting: 0, stuck: 0 };
  const held = { ...idle, queued: 2, oldest_accepted_at: "2026-11-23T01:00:00.000Z" };

  it("is described by its findings, its stuck or waiting mail, and what could not be read", () => {
    expect(describeTeam(entry({ held }), { ...CLOCK, zone: "Europe/Berlin" })).toEqual([
      { says: "Microsoft has refused all mail since 03:53 CET.", quoted: "550 No." },
    ]);
    expect(says(entry({ findings: null, is_full: true }))).toEqual([
      "Its mail could not be checked: a database did not answer.",
      "Its storage for pending mail is full, so its sends fail with 502.",
    ]);
    expect(says(entry({ findings: [], held: { ...held, stuck: 1 } }))[0]).toBe(
      "Stuck recipients: 1. Their first attempt is more than 15 minutes overdue.",
    );
    expect(says(entry({ findings: [], held: { ...held, waiting: 1_200 } }))[0]).toMatch(
      /^1.200 recipients are waiting, because more was sent/,
    );
  });

  it("is counted among all teams, and its rate stands beside the limit", () => {
    expect(describeTeams(attentionOf([]))).toBe("214 teams");
    expect(describeTeams(attentionOf([entry()], { unread: 1 }))).toBe(
      "214 teams: 1 critical, 1 not checked",
    );
    expect(evidenceText(FINDING)).toBe(
      `46 of 184 recipients (${formatShare(46, 184)}), limit ${formatShare(0.05, 1)}`,
    );
  });
});
