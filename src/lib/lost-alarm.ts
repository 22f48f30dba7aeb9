// Decides when a Durable Object has to set its alarm, and when a set alarm counts as lost. The
// platform gives up on an alarm after six failures, failed starts of the object included, and
// nothing else would wake the object. Times are Unix milliseconds. Pure.

/** An alarm that is this late will never go off. */
const ALARM_LOST_MS = 60_000;

export function isAlarmLost(alarmAt: number, now: number): boolean {
  return Number.isFinite(alarmAt) && alarmAt <= now - ALARM_LOST_MS;
}

/**
 * The time to set the alarm to. Null: an alarm is set that is early enough (`alarmAt`), or nothing
 * is due (`wanted` is Infinity). A lost alarm is due at once.
 */
export function alarmToSet(alarmAt: number | null, wanted: number, now: number): number | null {
  if (wanted === Number.POSITIVE_INFINITY) return null;
  if (alarmAt === null) return Math.ceil(wanted);
  if (isAlarmLost(alarmAt, now)) return Math.ceil(now);
  return alarmAt <= wanted ? null : Math.ceil(wanted);
}
