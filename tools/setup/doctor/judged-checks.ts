// Reads the verdicts of GET /admin/checks, which the worker makes (docs/checks.md
//). The doctor prints their sentences as they are. Pure.
import type { CheckStatus } from "../../../src/operator/check-entry.ts";
import { member } from "../json-call.ts";
import type { Finding } from "./finding.ts";

/** A row of the answer. */
interface JudgedCheck {
  readonly check: string;
  readonly status: CheckStatus;
  readonly message: string;
  readonly next_step: string | null;
}

/** The doctor's word for each status. A number that only Prometheus knows has no line. */
const WORDS: Readonly<Partial<Record<string, Finding["status"]>>> = {
  critical: "FAIL",
  warning: "warn",
  unknown: "skip",
  ok: "ok",
};

/** `answer` is the body of GET /admin/checks. A status of a later version counts as unknown. */
export function findingsOf(answer: unknown): Finding[] {
  const rows = member(answer, "checks");
  return (Array.isArray(rows) ? (rows as JudgedCheck[]) : [])
    .filter(({ status }) => status !== "alert_only")
    .map(({ check, status, message, next_step }) => ({
      check,
      status: WORDS[status] ?? "skip",
      what: message,
      mend: next_step,
    }));
}
