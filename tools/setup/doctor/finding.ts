// The result of a check, and the line that is printed for it: the fault, and how to fix it.

export interface Finding {
  /** The name of the check, such as `dns.mx` or `gateway.token`. */
  readonly check: string;
  /** `skip`: the check could not be made. */
  readonly status: "ok" | "warn" | "FAIL" | "skip";
  readonly what: string;
  /** The operator's next step, which fixes the fault. Null: the check found no fault. */
  readonly mend: string | null;
}

const STATUS_WIDTH = 5;
const CHECK_WIDTH = 26;

export function ok(check: string, what: string): Finding {
  return { check, status: "ok", what, mend: null };
}

export function warn(check: string, what: string, mend: string): Finding {
  return { check, status: "warn", what, mend };
}

export function fail(check: string, what: string, mend: string): Finding {
  return { check, status: "FAIL", what, mend };
}

export function skip(check: string, what: string): Finding {
  return { check, status: "skip", what, mend: null };
}

export function lineFor({ check, status, what, mend }: Finding): string {
  const line =
    `${status.padEnd(STATUS_WIDTH)} ${check.padEnd(CHECK_WIDTH)} ` +
    `${what}${mend === null ? "" : ` → ${mend}`}`;
  return line
    .split("\n")
    .map((part) => part.trim())
    .filter((part) => part !== "")
    .join(" ");
}
