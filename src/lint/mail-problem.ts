// The problems that a check of a mail finds (docs/mail-check.md). Each rule has a file in `rules`
// beside this one. Pure.

/** The rules that need only the mail, in the order of their reports. A team can switch each off. */
export const LINT_RULES = [
  "html-size",
  "text-part",
  "images",
  "links",
  "client-support",
  "dark-mode",
  "variables",
  "attachments",
] as const;

export type LintRule = (typeof LINT_RULES)[number];

/** The severities, from the most to the least severe. */
export const SEVERITIES = ["error", "warning", "note"] as const;

export type LintSeverity = (typeof SEVERITIES)[number];

export interface MailProblem<Rule extends string = string> {
  readonly rule: Rule;
  readonly severity: LintSeverity;
  readonly where: MailPosition;
  /** The problem, in one or two sentences. */
  readonly message: string;
  /** The way to mend the mail, and the source of the rule. */
  readonly help: string;
}

/** A position in the source that the author sees, such as a template's Markdown. */
export interface MailPosition {
  /** The member of the request that has the problem, such as `html` or `attachments.0`. */
  readonly field: string;
  /**
   * Line and column count from 1; the column counts UTF-16 units. Null means that the problem has
   * no position in the field.
   */
  readonly line: number | null;
  readonly column: number | null;
}

/** Sorts problems by severity. Problems of the same severity keep their order. */
export function sortProblems<Problem extends MailProblem>(problems: readonly Problem[]): Problem[] {
  return problems.toSorted(
    (one, other) => SEVERITIES.indexOf(one.severity) - SEVERITIES.indexOf(other.severity),
  );
}
