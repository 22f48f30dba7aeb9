// Reads the results of GET /admin/checks, which the worker makes (docs/checks.md). The doctor
// prints their sentences unchanged. Pure.
import { CHECK_STATUSES } from "../../../src/operator/check-entry.ts";
import { member } from "../json-call.ts";
import type { CheckResult } from "./check-result.ts";

interface JudgedCheck {
  readonly check: string;
  readonly status: string;
  readonly message: string;
  readonly next_step: string | null;
}

/**
 * Returns the results. `answer` is the body of GET /admin/checks. An unknown status of a newer
 * worker becomes `unknown`. A check that only Prometheus can make has no result.
 */
export function judgedChecks(answer: unknown): CheckResult[] {
  const rows = member(answer, "checks");
  return (Array.isArray(rows) ? (rows as JudgedCheck[]) : []).flatMap(
    ({ check, status, message, next_step }) => {
      const known = CHECK_STATUSES.find((one) => one === status) ?? "unknown";
      return known === "alert_only"
        ? []
        : [{ check, status: known, what: message, mend: next_step }];
    },
  );
}
