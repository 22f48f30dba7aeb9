// Reads the time at which a send goes out (contract.md §Scheduled sends). Pure.
import { judgeSchedule } from "../scheduled-at.ts";
import type { FieldProblems } from "./field-problems.ts";

/**
 * Reads a send's `scheduled_at` and returns Unix milliseconds later than `now`. Null means that the
 * send goes out as soon as it is accepted, or that an error was reported.
 */
export function readSendTime(
  text: string | undefined,
  now: number,
  problems: FieldProblems,
): number | null {
  if (text === undefined) return null;
  const judged = judgeSchedule(text, now);
  if ("problem" in judged) problems.invalid("scheduled_at", judged.problem);
  return "at" in judged && judged.at > now ? judged.at : null;
}
