// The result of a set-up step and its printed form: one line for each step, with messages for the
// operator below it.
export type StepOutcome = {
  /**
   * `done`: the step created something. `already`: no change was needed. `changed`: existing values
   * were changed. `would`: a dry run found a change to make. `skipped`: the step is not possible
   * now, and set-up is complete without it. `unseen`: a dry run could not check, and the detail
   * names what it would do.
   */
  readonly kind: "done" | "already" | "changed" | "would" | "skipped" | "unseen";
  readonly detail: string;
  /** Lines that the operator has to read or keep. */
  readonly notes?: readonly string[];
};

export type StepPlan = Pick<StepOutcome, "detail" | "notes">;

const NAME_WIDTH = 16;
const KIND_WIDTH = 8;
const INDENT = " ".repeat(6);

export function outcomeLines(step: string, outcome: StepOutcome): string[] {
  return [
    line(step, outcome.kind, outcome.detail),
    ...(outcome.notes ?? []).map((note) => (note === "" ? "" : `${INDENT}${note}`)),
  ];
}

export function failureLines(step: string, message: string, mend: string): string[] {
  return [line(step, "FAILED", message), ...(mend === "" ? [] : [`${INDENT}→ ${mend}`])];
}

/** Printed while a step waits. */
export function waitingLine(step: string, what: string): string {
  return line(step, "waiting", what);
}

function line(step: string, kind: string, detail: string): string {
  return `  ${kind.padEnd(KIND_WIDTH)} ${step.padEnd(NAME_WIDTH)} ${detail}`;
}
