// Plans which sends of a round are scheduled, moved and canceled. Pure.
import type { Chance } from "./chance.ts";

export type PlannedSchedule = NonNullable<ReturnType<typeof planSchedule>>;

/**
 * Milliseconds by which some messages are scheduled later. Even on a busy machine, an answer to a
 * send rarely takes so long.
 */
const EARLY_MS = 6_000;

/**
 * Plans the schedule of a send. Most actions come near the due time of the message, so that they
 * compete with the release. A send is answered late in a storm, so most such actions come too late.
 * Most canceled messages are due EARLY_MS later, while their clients cancel them at the earlier
 * time, so that some cancellations succeed.
 */
export function planSchedule(chance: Chance) {
  if (!chance.happens("scheduled", 0.35)) return null;
  const act = chance.one("act", ["wait", "move", "cancel", "cancel"] as const);
  const inMs = chance.between("scheduled in", 400, 1_800);
  const actAfterMs = chance.between("act after", -900, 60);
  const isEarly = act === "cancel" && chance.happens("canceled early", 0.7);
  return {
    /** Milliseconds from the first try to the scheduled time of the message. */
    inMs: inMs + (isEarly ? EARLY_MS : 0),
    act,
    /** Milliseconds from the scheduled time to the action. A negative number means before it. */
    actAfterMs: actAfterMs - (isEarly ? EARLY_MS : 0),
    /** Milliseconds by which the scheduled time of the message is moved. */
    moveByMs: chance.between("move by", -200, 900),
  };
}
