// Reads a ledger's counters for its team's usage (contract.md §Usage) and for the metrics: quotas,
// caps and open jobs.
import type { Gauges } from "../rpc/metrics-calls.ts";
import type { Usage } from "../rpc/usage-calls.ts";
import { resetTimes, rollOver } from "./admission/quota.ts";
import { countHandedOver } from "./open/open-lookups.ts";
import type { Subjects } from "./ledger-state.ts";

/**
 * A ledger with at least this many events outside chunks reports to the metrics. Fewer events are
 * normal: in every team with little mail, events wait for the end of the day.
 */
const UNPAGED_REPORTED = 1_000;

interface Reported {
  readonly isFull: boolean;
  /** The URLs of gateways that are being removed and get no new mail. */
  readonly leavingUrls: readonly string[];
  /** The time at which the ledger started and read `leavingUrls`, in Unix milliseconds. */
  readonly startedAt: number;
  /** The gauges from the check of the team's mail. Null means that the check found nothing. */
  readonly mail: Gauges | null;
}

/**
 * Returns the ledger's gauges for the metrics. Null means that the ledger has nothing to report.
 */
export function gaugesOf(
  subjects: Subjects,
  { isFull, leavingUrls, startedAt, mail }: Reported,
): Gauges | null {
  const { undelivered } = subjects.log;
  const { unpaged } = subjects.log.rows;
  const { holds, memory, rows, size, waits } = subjects.open;
  const hasOpen = size.messages > 0;
  const isQuiet = !hasOpen && undelivered === 0 && unpaged < UNPAGED_REPORTED;
  if (isQuiet && mail === null) return null;
  // A consumer of the previous version may give these gateways a copy until its lease ends.
  const until = startedAt + waits.leaseMs;
  const leaving = countHandedOver(subjects.open, leavingUrls, until);
  return {
    ...(hasOpen && openRecipients(subjects)),
    ...(hasOpen && { stuck: memory.stuck.stuck, oldestAcceptedAt: rows.oldestAcceptedAt() }),
    ...mail,
    leaving,
    unpaged,
    undelivered,
    full: isFull ? 1 : 0,
    ...(hasOpen && holds.size > 0 && { holds: holds.size }),
  };
}

export function usageOf(subjects: Subjects, now: number, startingCredits?: number): Usage {
  const { counters, log, open } = subjects;
  const { undelivered } = log;
  const { unpaged } = log.rows;
  const oldestAcceptedAt = open.size.messages === 0 ? null : open.rows.oldestAcceptedAt();
  const quota = rollOver(counters.quotaFrom(startingCredits), now);
  const resets = resetTimes(quota);
  const { dailyUsed, monthlyUsed, overageCredits } = quota;
  return {
    dailyUsed,
    monthlyUsed,
    overageCredits,
    dailyResetsAt: resets.daily,
    monthlyResetsAt: resets.monthly,
    labels: counters.labels.countUsed(now),
    ...open.size,
    delivery: { ...openRecipients(subjects), oldestAcceptedAt },
    unpaged,
    undelivered,
  };
}

/** Counts the recipients without a final outcome, by state. Stuck is not a separate state. */
function openRecipients({ open, releases: { queued, backlog } }: Subjects) {
  const { leased: attempting, waiting: deferred, awaiting } = open.memory.counts;
  return { waiting: backlog.waiting, queued, attempting, deferred, awaiting };
}
