// Reads a ledger's counters for its team's usage (contract.md §Usage) and for the metrics: quotas,
// caps and open jobs.
import type { Gauges } from "../rpc/metrics-calls.ts";
import type { Usage } from "../rpc/usage-calls.ts";
import { resetTimes, rollOver } from "./admission/quota.ts";
import type { Subjects } from "./subjects.ts";

/**
 * Number of events waiting for a chunk that are reason enough for a report to the metrics. Fewer
 * events are normal: in every team with little mail, they wait for the end of the day.
 */
const UNPAGED_REPORTED = 1_000;

/**
 * Number of unfinished recipients by state, and the start of the oldest unfinished message (its
 * scheduled time, else its acceptance) in Unix milliseconds. A stuck recipient is also counted in
 * its state.
 */
type OpenGauges = Readonly<
  Record<
    "waiting" | "queued" | "attempting" | "deferred" | "awaiting" | "stuck" | "oldestAcceptedAt",
    number
  >
>;

interface Reported {
  readonly isFull: boolean;
  /** The URLs of gateways that are being removed and get no new mail. */
  readonly leavingUrls: readonly string[];
  /** When the ledger started, and so read `leavingUrls`. Unix milliseconds. */
  readonly startedAt: number;
  /** The gauges from the check of the team's mail; null: the check found nothing. */
  readonly mail: Gauges | null;
}

/** The ledger's gauges for the metrics; null: the ledger has nothing to report. */
export function gaugesOf(
  subjects: Subjects,
  { isFull, leavingUrls, startedAt, mail }: Reported,
): Gauges | null {
  const { unpaged, undelivered } = subjects.log;
  const open = openGauges(subjects);
  const isQuiet = open === null && undelivered === 0 && unpaged < UNPAGED_REPORTED;
  if (isQuiet && mail === null) return null;
  // A consumer of the version before may still give these gateways a copy during its lease.
  const until = startedAt + subjects.waits.leaseMs;
  const leaving = subjects.open.lookUps.countHandedOver(leavingUrls, until);
  const holds = open === null ? 0 : subjects.open.holds.size;
  const more = { leaving, unpaged, undelivered, full: isFull ? 1 : 0 };
  return { ...open, ...mail, ...more, ...(holds > 0 && { holds }) };
}

export function usageOf(subjects: Subjects, now: number, startingCredits?: number): Usage {
  const { counters, log } = subjects;
  const { unpaged, undelivered } = log;
  const quota = rollOver(counters.quotaFrom(startingCredits), now);
  const resets = resetTimes(quota);
  const { dailyUsed, monthlyUsed, overageCredits } = quota;
  const open = openGauges(subjects);
  return {
    dailyUsed,
    monthlyUsed,
    overageCredits,
    dailyResetsAt: resets.daily,
    monthlyResetsAt: resets.monthly,
    labels: counters.labels.countUsed(now),
    ...subjects.open.size,
    delivery: {
      waiting: open?.waiting ?? 0,
      queued: open?.queued ?? 0,
      attempting: open?.attempting ?? 0,
      deferred: open?.deferred ?? 0,
      awaiting: open?.awaiting ?? 0,
      oldestAcceptedAt: open?.oldestAcceptedAt ?? null,
    },
    unpaged,
    undelivered,
  };
}

/** Counts the recipients without a final outcome, by state; null: all messages are finished. */
function openGauges({ open, releases }: Subjects): OpenGauges | null {
  if (open.size.messages === 0) return null;
  const { leased: attempting, waiting: deferred, awaiting } = open.memory.counts;
  return {
    waiting: releases.waiting,
    queued: releases.queued,
    attempting,
    deferred,
    awaiting,
    stuck: open.memory.stuck.stuck,
    oldestAcceptedAt: open.rows.oldestAcceptedAt(),
  };
}
