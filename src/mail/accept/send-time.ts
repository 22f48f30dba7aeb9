// Reads when a send goes out (contract.md §Scheduled sends). Pure.
import { judgeSchedule } from "../scheduled-at.ts";
import type { Findings } from "./findings.ts";

/**
 * Reads a send's `scheduled_at`: Unix milliseconds after `now`; null: the send goes out at once, or
 * an error was reported.
 */
export function readSendTime(
  text: string | undefined,
  now: number,
  findings: Findings,
): number | null {
  if (text === undefined) return null;
  const judged = judgeSchedule(text, now);
  if ("problem" in judged) findings.invalid("scheduled_at", judged.problem);
  return "at" in judged && judged.at > now ? judged.at : null;
}
