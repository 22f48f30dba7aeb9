// Decides from the last report of a team's ledger whether the team needs the operator's attention,
// and how urgently (contract.md §Operator API). Pure.
import {
  type Gauges,
  type RankedTeam,
  type Severity,
  SEVERITIES,
  type Worst,
} from "../../rpc/metrics-calls.ts";
import { HOUR_MS } from "../../limits.ts";

/** Time for which a team's mail waits because of its delivery rate until it needs attention. */
const HELD_MS = HOUR_MS;
/** The prefix of the source names of ledgers. The names of webhooks' outboxes begin differently. */
const TEAM = "team_";

/** Returns how urgently a team needs attention, by its ledger's report. Null: not at all. */
export function severityOf(gauges: Gauges, now: number): Severity | null {
  const { criticalFindings, warningFindings, unreadMail, stuck, full, holds } = gauges;
  if ([criticalFindings, stuck, full, holds].some(isAny)) return "critical";
  if (isAny(warningFindings) || isAny(unreadMail)) return "warning";
  const { waiting, oldestAcceptedAt } = gauges;
  return isAny(waiting) && (oldestAcceptedAt ?? now) <= now - HELD_MS ? "notice" : null;
}

export function countTeams(ranked: readonly RankedTeam[]): Worst["counts"] {
  const of = (severity: Severity) => ranked.filter((one) => one.severity === severity).length;
  return {
    critical: of("critical"),
    warning: of("warning"),
    notice: of("notice"),
    unread: ranked.filter(({ gauges }) => isAny(gauges["unreadMail"])).length,
  };
}

/** Sorts the teams, most severe first, then by the number of affected recipients. */
export function rankTeams(
  reports: Iterable<readonly [source: string, report: { at: number; gauges: Gauges }]>,
  now: number,
): RankedTeam[] {
  return Array.from(reports)
    .flatMap(([source, { at, gauges }]): RankedTeam[] => {
      const severity = source.startsWith(TEAM) ? severityOf(gauges, now) : null;
      return severity === null ? [] : [{ source, severity, gauges, at }];
    })
    .toSorted(
      (one, other) =>
        SEVERITIES.indexOf(one.severity) - SEVERITIES.indexOf(other.severity) ||
        affectedBy(other.gauges) - affectedBy(one.gauges) ||
        (one.source < other.source ? -1 : 1),
    );
}

function affectedBy({ affectedRecipients = 0, stuck = 0, waiting = 0 }: Gauges): number {
  return affectedRecipients + stuck || waiting;
}

function isAny(count: number | undefined): boolean {
  return count !== undefined && count > 0;
}
