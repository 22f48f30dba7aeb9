// Decides by the last report of a team's ledger whether the team needs the operator's attention,
// and how urgently (contract.md §Operator API). Pure.
import {
  type Gauges,
  type RankedTeam,
  type Severity,
  SEVERITIES,
  type Worst,
} from "../../rpc/metrics-calls.ts";
import { HOUR_MS } from "../../limits.ts";

/** Mail that waits for its release is told of from this age. */
const HELD_MS = HOUR_MS;
/** Webhooks' outboxes report too. */
const TEAM = "team_";

/** Judges what a ledger reported; null: nothing is to be told. */
export function severityOf(gauges: Gauges, now: number): Severity | null {
  const { criticalFindings, warningFindings, unreadMail, stuck, full } = gauges;
  if (isAny(criticalFindings) || isAny(stuck) || isAny(full)) return "critical";
  if (isAny(warningFindings) || isAny(unreadMail)) return "warning";
  const { waiting, oldestAcceptedAt } = gauges;
  return isAny(waiting) && (oldestAcceptedAt ?? now) <= now - HELD_MS ? "notice" : null;
}

/** Counts what all teams reported. */
export function countTeams(ranked: readonly RankedTeam[]): Worst["counts"] {
  const of = (severity: Severity) => ranked.filter((one) => one.severity === severity).length;
  return {
    critical: of("critical"),
    warning: of("warning"),
    notice: of("notice"),
    unread: ranked.filter(({ gauges }) => isAny(gauges["unreadMail"])).length,
  };
}

/** Ranks the reports of teams, the worst first: those with the most affected recipients. */
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
