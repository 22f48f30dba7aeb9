// Plans which sends of a round are scheduled, moved and canceled. Pure.
import type { Chance } from "./chance.ts";

export interface PlannedSchedule {
  /** Milliseconds from the first try to the time for which the message is scheduled. */
  readonly inMs: number;
  readonly act: "wait" | "move" | "cancel";
  /** Milliseconds from the scheduled time to the act; negative: before it. */
  readonly actAfterMs: number;
  /** Milliseconds by which the message is moved. */
  readonly moveByMs: number;
}

/** Acts come about the time at which the messages are due, so that they race with the release. */
export function planSchedule(chance: Chance): PlannedSchedule | null {
  if (!chance.happens("scheduled", 0.35)) return null;
  return {
    inMs: chance.between("scheduled in", 400, 1_800),
    act: chance.one("act", ["wait", "move", "cancel", "cancel"] as const),
    actAfterMs: chance.between("act after", -900, 60),
    moveByMs: chance.between("move by", -200, 900),
  };
}
