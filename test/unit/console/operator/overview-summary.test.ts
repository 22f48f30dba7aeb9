// Tests the first sentence of the operator's overview, and its sentences about teams.
import { describe, expect, it } from "vitest";
import type { Attention, TeamAttention } from "../../../../console/src/api/operator/types.ts";
import {
  type Check,
  MEASURING,
  statusLabel,
  UNKNOWN,
} from "../../../../console/src/pages/operator/checks/operator-check.ts";
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
    is_full: false,
    reported_at: "2026-11-23T02:55:00.000Z",
    ...over,
  };
}

function attentionOf(worst: TeamAttention[], teams: Partial<Attention["teams"]> = {}): Attention {
  const of = (severity: string) => worst.filter((one) => one.severity === severity).length;
  const counts = { critical: of("critical"), warning: of("warning"), notice: of("notice") };
  const all = { total: 214, ...counts, unread: 0, ...teams };
  return { checked_at: "2026-11-23T02:55:00.000Z", teams: all, worst };
}

const LEAD = "Microsoft has refused all mail since 02:53 UTC.";
const says = (one: TeamAttention): string[] =>
  describeTeam(one, CLOCK).map((reason) => reason.says);

const late: Check = {
  id: "queue",
  name: "Queue",
  value: "9",
  tone: "wait",
  means: "",
  says: "The queue is falling behind.",
  evidence: "",
  to: "/operator/metrics",
  act: "Metrics",
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

  it("is followed by the checks that passed, without checks that have no number yet", () => {
    const passed: Check = { ...late, tone: "ok", says: "" };
    const measuring: Check = { ...late, tone: "mute", value: MEASURING };
    expect(checkedText([passed, passed, measuring], 1)).toBe(
      "2 health checks passed. No problem with the mail of 1 team.",
    );
    expect(checkedText([passed], 0)).toBe("1 health check passed.");
    const labels = [passed, measuring, { ...measuring, value: UNKNOWN }].map(statusLabel);
    expect(labels).toEqual(["OK", "Measuring", "No data"]);
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
      "1 recipient has been waiting for more than 15 minutes for a first delivery attempt.",
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
