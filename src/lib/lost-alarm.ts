// Decides when a Durable Object must set its alarm, and when a set alarm counts as lost. The
// platform gives up on an alarm after six failures, including failed starts of the object. Then
// nothing else would wake the object. Times are Unix milliseconds. Pure.

/** An alarm that is late by this many milliseconds will never go off. */
const ALARM_LOST_MS = 60_000;

export function isAlarmLost(alarmAt: number, now: number): boolean {
  return Number.isFinite(alarmAt) && alarmAt <= now - ALARM_LOST_MS;
}

/**
 * Returns the time to which the alarm must be set. Null: the alarm that is set (`alarmAt`) is early
 * enough, or nothing is due (`wanted` is Infinity). If the alarm was lost, returns `now`, so that
 * the alarm runs immediately.
 */
export function alarmToSet(alarmAt: number | null, wanted: number, now: number): number | null {
  if (wanted === Number.POSITIVE_INFINITY) return null;
  if (alarmAt === null) return Math.ceil(wanted);
  if (isAlarmLost(alarmAt, now)) return Math.ceil(now);
  return alarmAt <= wanted ? null : Math.ceil(wanted);
}
