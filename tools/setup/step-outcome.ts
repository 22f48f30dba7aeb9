// The result of a set-up step, and its printed form: one line for the step, followed by lines for
// the operator.
export type StepOutcome = {
  /**
   * The kind of result:
   * - `done`: the step created something.
   * - `already`: no change was needed.
   * - `changed`: the step changed existing values.
   * - `would`: a dry run found that something must change.
   * - `skipped`: the step is not possible now, but set-up is complete without it.
   * - `unseen`: a dry run could not check, and `detail` says what the step would do.
   */
  readonly kind: "done" | "already" | "changed" | "would" | "skipped" | "unseen";
  readonly detail: string;
  /** Lines for the operator to read or to store. */
  readonly notes?: readonly string[];
};

const NAME_WIDTH = 16;
const KIND_WIDTH = 8;
const INDENT = " ".repeat(6);

export function outcomeLines(step: string, outcome: StepOutcome): string[] {
  return [
    line(step, outcome.kind, outcome.detail),
    ...(outcome.notes ?? []).map((note) => (note === "" ? "" : `${INDENT}${note}`)),
  ];
}

export function failureLines(
  step: string,
  message: string,
  mend: string,
  notes: readonly string[] = [],
): string[] {
  const remedy = mend === "" ? [] : [`${INDENT}→ ${mend}`];
  return [line(step, "FAILED", message), ...remedy, ...notes.map((note) => `${INDENT}${note}`)];
}

export function waitingLine(step: string, what: string): string {
  return line(step, "waiting", what);
}

function line(step: string, kind: string, detail: string): string {
  return `  ${kind.padEnd(KIND_WIDTH)} ${step.padEnd(NAME_WIDTH)} ${detail}`;
}
