// Turns the errors that a send would get into problems of a check, with the same texts. Pure.
import type { LintRule, MailProblem } from "../../lint/mail-problem.ts";
import type { FieldProblems } from "../accept/field-problems.ts";
import type { ContentProblem } from "../../resources/templates/template-content.ts";

export type CheckProblem = MailProblem<"refused" | "domain-records" | LintRule>;

/** Matches the line and column in the error of a template (lib/template/problem.ts). */
const PLACE = /\bhas an error at line (\d{1,9}), column (\d{1,9})/;
const SENT = "A send with this error is refused.";
const SAVED = "A template with this error can't be saved.";

export function refusedProblems({ errors }: Pick<FieldProblems, "errors">): CheckProblem[] {
  return Object.entries(errors).flatMap(([field, messages]) =>
    messages.map((message) => {
      const [, line, column] = PLACE.exec(message) ?? [];
      const at = (digits: string | undefined) => (digits === undefined ? null : Number(digits));
      const where = { field, line: at(line), column: at(column) };
      return { rule: "refused", severity: "error", where, message, help: SENT };
    }),
  );
}

export function unsavedProblems(problems: readonly ContentProblem[]): CheckProblem[] {
  return problems.map(({ message, ...where }) => ({
    rule: "refused",
    severity: "error",
    where,
    message,
    help: SAVED,
  }));
}
