// Decides how many messages a team may still send this UTC day and month (contract.md §Rate and
// quota refusals). Overage credits pay for messages above the monthly cap, and these messages do
// not count for the month. All messages count for the day. Pure.
import { DAY_MS, SECOND_MS } from "../../limits.ts";
import type { Quota } from "../../refusal.ts";

const MONTHS_PER_YEAR = 12;

/**
 * Counters of messages. `day` and `month` are the current UTC day and month, as the number of days
 * and months since 1970.
 */
export interface QuotaState {
  readonly day: number;
  readonly dailyUsed: number;
  readonly month: number;
  readonly monthlyUsed: number;
  readonly overageCredits: number;
}

interface VolumeCaps {
  readonly daily: number;
  readonly monthly: number;
}

export const EMPTY_QUOTA_STATE: QuotaState = {
  day: 0,
  dailyUsed: 0,
  month: 0,
  monthlyUsed: 0,
  overageCredits: 0,
};

/**
 * Sets the counters to zero if their day or month is over. If the clock is behind, `now` may lie
 * before that day or month, and then changes nothing.
 */
export function rollOver(state: QuotaState, now: number): QuotaState {
  const day = Math.floor(now / DAY_MS);
  const month = monthOf(now);
  if (day <= state.day && month <= state.month) return state;
  return {
    ...state,
    ...(day > state.day && { day, dailyUsed: 0 }),
    ...(month > state.month && { month, monthlyUsed: 0 }),
  };
}

/**
 * Debits all `messages` or none. Also returns the cap that prevents the debit, or null. Judges the
 * daily cap first.
 */
export function debit(
  state: QuotaState,
  caps: VolumeCaps,
  messages: number,
  now: number,
): [QuotaState, Quota | null] {
  const current = rollOver(state, now);
  if (messages === 0) return [current, null];
  const resets = resetTimes(current);
  const refused = (scope: "daily" | "monthly"): [QuotaState, Quota] => {
    const retryAfterSeconds = secondsUntil(resets[scope], now);
    return [current, { scope, limit: caps[scope], retryAfterSeconds }];
  };
  if (current.dailyUsed + messages > caps.daily) return refused("daily");
  const overage = messages - Math.min(messages, Math.max(0, caps.monthly - current.monthlyUsed));
  if (overage > current.overageCredits) return refused("monthly");
  const debited = {
    ...current,
    dailyUsed: current.dailyUsed + messages,
    monthlyUsed: current.monthlyUsed + messages - overage,
    overageCredits: current.overageCredits - overage,
  };
  return [debited, null];
}

/**
 * Gives the quotas back the amounts that a canceled message took at `acceptedAt`. Lowers the daily
 * counter only on the same day, and the monthly counter only in the same month. Always gives the
 * overage credits back. `overage` is the number of recipients that credits paid for.
 */
export function refund(
  state: QuotaState,
  taken: { readonly acceptedAt: number; readonly recipients: number; readonly overage: number },
  now: number,
): QuotaState {
  const current = rollOver(state, now);
  const { acceptedAt, recipients, overage } = taken;
  const isSameDay = Math.floor(acceptedAt / DAY_MS) === current.day;
  const isSameMonth = monthOf(acceptedAt) === current.month;
  return {
    ...current,
    dailyUsed: current.dailyUsed - (isSameDay ? recipients : 0),
    monthlyUsed: current.monthlyUsed - (isSameMonth ? recipients - overage : 0),
    overageCredits: current.overageCredits + overage,
  };
}

/** The times at which the current day and month end, in Unix milliseconds. */
export function resetTimes({ day, month }: QuotaState): {
  readonly daily: number;
  readonly monthly: number;
} {
  return { daily: (day + 1) * DAY_MS, monthly: Date.UTC(1970, month + 1) };
}

function monthOf(now: number): number {
  const date = new Date(now);
  return (date.getUTCFullYear() - 1970) * MONTHS_PER_YEAR + date.getUTCMonth();
}

function secondsUntil(at: number, now: number): number {
  return Math.max(1, Math.ceil((at - now) / SECOND_MS));
}
