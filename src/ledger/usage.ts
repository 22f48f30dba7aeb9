// Reads a ledger's counters for its team's usage (contract.md §Usage): quotas, caps, and the jobs
// that are open.
import type { Usage } from "../contracts/usage-contract.ts";
import type { LedgerState } from "./ledger-state.ts";
import type { TeamLog } from "./log/team-log.ts";
import { resetTimes, rollOver } from "./quota.ts";

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
