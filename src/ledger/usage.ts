// Reads a ledger's counters for its team's usage (contract.md §Usage), quotas, caps and the jobs
// that are open, and for the metrics.
import type { Gauges } from "../contracts/metrics-contract.ts";
import type { Usage } from "../contracts/usage-contract.ts";
import type { LedgerState } from "./ledger-state.ts";
import type { TeamLog } from "./log/team-log.ts";
import { resetTimes, rollOver } from "./admission/quota.ts";

/** Fewer events in no page are not reported: a quiet team's tail waits for the end of its day. */
const UNPAGED_REPORTED = 1_000;

/** The ledger's gauges for the metrics; null: it holds nothing to report. */
export function gaugesOf(
  { messages }: LedgerState,
  { unpaged, undelivered }: TeamLog,
  isFull: boolean,
): Gauges | null {
  const open = messages.gauges();
  if (open === null && undelivered === 0 && unpaged < UNPAGED_REPORTED) return null;
  return { ...open, unpaged, undelivered, full: isFull ? 1 : 0 };
}

export function usageOf(
  { counters, messages }: LedgerState,
  { unpaged, undelivered }: TeamLog,
  now: number,
): Usage {
  const quota = rollOver(counters.quota, now);
  const resets = resetTimes(quota);
  const { dailyUsed, monthlyUsed, overageCredits } = quota;
  const open = messages.gauges();
  return {
    dailyUsed,
    monthlyUsed,
    overageCredits,
    dailyResetsAt: resets.daily,
    monthlyResetsAt: resets.monthly,
    labels: counters.labels.countUsed(now),
    ...messages.size,
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
