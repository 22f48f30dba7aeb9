// The result of a check, and its printed line: the fault, and how to fix it. The statuses are those
// of GET /admin/checks (docs/checks.md).
import type { CheckStatus } from "../../../src/operator/check-entry.ts";

export interface CheckResult {
  /** The name of the check, such as `dns.mx` or `gateway.token`. */
  readonly check: string;
  /** `unknown`: the check could not be made. */
  readonly status: Exclude<CheckStatus, "alert_only">;
  readonly what: string;
  /** The operator's next step, which fixes the fault. Null: the check found no fault. */
  readonly mend: string | null;
}

/** The result of a check, or its results if it examines several objects. */
export type CheckResults = CheckResult | readonly CheckResult[];

const STATUS_WIDTH = 8;
const CHECK_WIDTH = 26;

export function ok(check: string, what: string): CheckResult {
  return { check, status: "ok", what, mend: null };
}

export function warning(check: string, what: string, mend: string): CheckResult {
  return { check, status: "warning", what, mend };
}

export function critical(check: string, what: string, mend: string): CheckResult {
  return { check, status: "critical", what, mend };
}

export function notKnown(check: string, what: string): CheckResult {
  return { check, status: "unknown", what, mend: null };
}

export function lineFor({ check, status, what, mend }: CheckResult): string {
  const line =
    `${status.padEnd(STATUS_WIDTH)} ${check.padEnd(CHECK_WIDTH)} ` +
    `${what}${mend === null ? "" : ` → ${mend}`}`;
  return line
    .split("\n")
    .map((part) => part.trim())
    .filter((part) => part !== "")
    .join(" ");
}
