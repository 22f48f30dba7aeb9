// When a Durable Object has to set its alarm, and when an alarm that is set counts as lost: the
// platform gives up on one after six failures, those of starting the object included, and nothing
// else would wake the object. Pure; times in Unix milliseconds.

/** An alarm that has not gone off by then never will. */
const ALARM_LOST_MS = 60_000;

export function isAlarmLost(alarmAt: number, now: number): boolean {
  return Number.isFinite(alarmAt) && alarmAt <= now - ALARM_LOST_MS;
}

/**
 * The time to set the alarm to; null: one is set that comes early enough (`alarmAt`), or there is
 * nothing to do (`wanted` is Infinity). A lost alarm is due at once.
 */
export function alarmToSet(alarmAt: number | null, wanted: number, now: number): number | null {
  if (wanted === Number.POSITIVE_INFINITY) return null;
  if (alarmAt === null) return Math.ceil(wanted);
  if (isAlarmLost(alarmAt, now)) return Math.ceil(now);
  return alarmAt <= wanted ? null : Math.ceil(wanted);
}
