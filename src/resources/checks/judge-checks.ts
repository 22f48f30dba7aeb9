// Compares the deployment's numbers with the limits of the operator's tables (docs/checks.md). A
// number that could not be read is `unknown`, and never `ok`. Pure.
import { growthOf, markOf, valuesBy } from "../../metrics/sample-sums.ts";
import { SECOND_MS } from "../../limits.ts";
import type { CheckEntry, CheckReading, CheckStatus } from "../../operator/check-entry.ts";
import { WORKER_CHECKS } from "../../operator/check-table.ts";
import { fill, formatValue, selector } from "../../operator/check-values.ts";
import { GATEWAY_CHECKS } from "../../operator/gateway-check-table.ts";
import type { CounterMark, Samples } from "../../rpc/metrics-calls.ts";
import { type CheckRow, emptyRow } from "./wire.ts";

export interface JudgedNumbers {
  readonly samples: Samples;
  readonly marks: readonly CounterMark[];
  /** Variables whose name is almost the name of a setting. */
  readonly misspelt: readonly { readonly name: string; readonly nearest: string }[];
  readonly hasGateways: boolean;
  /** Unix milliseconds. */
  readonly now: number;
}

/** A value that was read. `value` null: the value is unknown. */
interface ReadValue {
  readonly subject: string | null;
  readonly value: number | null;
  /** False: there is too little data for a status. */
  readonly isJudged?: boolean;
}

export function judgeChecks(numbers: JudgedNumbers): CheckRow[] {
  const entries = { ...WORKER_CHECKS, ...(numbers.hasGateways ? GATEWAY_CHECKS : {}) };
  return Object.entries<CheckEntry>(entries).flatMap(([check, entry]) => {
    if (entry.reads.kind === "alert") return [alertRow(check, entry)];
    if (entry.reads.kind === "settings") return variableRows(check, entry, numbers);
    return valuesOf(check, entry.reads, numbers).map((read) => judgeValue(check, entry, read));
  });
}

/** Returns the worst status. Ignores checks that only Prometheus can evaluate. */
export function worstStatus(rows: readonly Pick<CheckRow, "status">[]): CheckStatus {
  const found = (["critical", "warning", "unknown"] as const).find((status) =>
    rows.some((row) => row.status === status),
  );
  return found ?? "ok";
}

function valuesOf(
  check: string,
  reads: CheckReading,
  { samples, marks, now }: JudgedNumbers,
): readonly ReadValue[] {
  if (reads.kind === "gauge") {
    const values = [...valuesBy(samples, reads, reads.each)];
    if (values.length === 0) return [{ subject: null, value: null }];
    return values.map(([subject, value]) => ({ subject: subject || null, value }));
  }
  if (reads.kind !== "share" && reads.kind !== "increase") return [];
  const isRead = samples['postern_source_up{source="counters"}'] === 1;
  const window = reads.windowSeconds * SECOND_MS;
  const grown = isRead ? growthOf(check, marks, markOf(samples, now), window) : null;
  if (grown === null) return [{ subject: null, value: null }];
  const { of, among } = grown;
  if (reads.kind === "increase") return [{ subject: null, value: of }];
  const isJudged = among >= reads.atLeast;
  return [{ subject: null, value: among === 0 ? 0 : of / among, isJudged }];
}

function judgeValue(
  check: string,
  entry: CheckEntry,
  { subject, value, isJudged = true }: ReadValue,
): CheckRow {
  const { limit, reads, unit, severity, over, good, next } = entry;
  const isBelow = reads.kind === "gauge" && reads.below === true;
  const isBeyond = value !== null && limit !== null && (isBelow ? value < limit : value > limit);
  const isOver = isJudged && isBeyond;
  const shown = value === null ? "" : formatValue(value, unit);
  const title = fill(entry.title, subject, "");
  return {
    ...rowOf(check, entry, subject),
    status: value === null ? "unknown" : isOver ? severity : "ok",
    value,
    value_text: shown,
    message:
      value === null
        ? `${title}: unknown, because the source of the number does not answer.`
        : reads.kind === "share" && isBeyond && !isJudged
          ? `${title}: ${shown}. There are fewer than ${reads.atLeast} cases, too few to judge.`
          : fill(isOver ? over : good, subject, shown),
    next_step: isOver ? next : null,
    evidence: `${describe(reads, subject)} ${value === null ? "is missing" : Number(value.toPrecision(6))}`,
  };
}

function variableRows(check: string, entry: CheckEntry, { misspelt }: JudgedNumbers): CheckRow[] {
  const { severity, over, good, next } = entry;
  if (misspelt.length === 0)
    return [
      { ...rowOf(check, entry, null), status: "ok", value: 0, value_text: "0", message: good },
    ];
  return misspelt.map(({ name, nearest }) => ({
    ...rowOf(check, entry, name),
    status: severity,
    message: fill(over, name, nearest),
    next_step: next,
    evidence: name,
  }));
}

function alertRow(check: string, entry: CheckEntry): CheckRow {
  const message = `Only Prometheus can evaluate this number, by the alert ${entry.alert}.`;
  return { ...rowOf(check, entry, null), status: "alert_only", message, evidence: entry.alert };
}

function rowOf(check: string, entry: CheckEntry, subject: string | null) {
  const { title, unit, limit, page } = entry;
  return {
    ...emptyRow(check, subject, page),
    title: fill(title, subject, ""),
    limit,
    limit_text: limit === null ? "" : formatValue(limit, unit),
    unit,
  };
}

/** Returns the PromQL expression for the value that was read. */
function describe(reads: CheckReading, subject: string | null): string {
  if (reads.kind === "increase") return `increase(${selector(reads.of)})`;
  if (reads.kind === "share") return `${selector(reads.of)} / ${selector(reads.among)}`;
  if (reads.kind !== "gauge") return "";
  const own = reads.each === undefined || subject === null ? {} : { [reads.each]: [subject] };
  return selector({ metric: reads.metric, labels: { ...reads.labels, ...own } });
}
