// The mail that the rules judge: the source that its author sees, and the copy that a recipient
// would get. Pure.
import type { ClientSupport } from "./client-support.ts";
import type { LintRule, MailPosition, LintSeverity } from "./mail-problem.ts";

export interface CheckedMail {
  /** The HTML. Null means that the mail has no HTML. */
  readonly html: CheckedHtml | null;
  /**
   * The plain text. Null means that the mail has no plain text. Undefined means that the rules do
   * not judge the text, because the service derives it or because the check has only the HTML.
   */
  readonly text: string | null | undefined;
  /** The variables. Undefined means that the rules do not judge variables. */
  readonly variables?: CheckedVariables | undefined;
  readonly attachments: readonly CheckedFile[];
  /** Size of the whole copy in octets. Null means that the size is not known. */
  readonly copyBytes: number | null;
  /**
   * The courier, and the size of the largest message that it accepts, in octets. Null means that
   * the courier has no limit of its own.
   */
  readonly courier: { readonly name: string; readonly messageBytes: number } | null;
  /**
   * The host of the tracked links that replace the author's. Null means that clicks are not
   * tracked.
   */
  readonly clickHost: string | null;
  /** The beginnings of the service's own links, which the author can't change. */
  readonly ownUrls: readonly string[];
}

export interface CheckedHtml {
  /** The request's field that has the source. */
  readonly field: string;
  /** The text that the author wrote: the HTML, or the Markdown from which `markup` was made. */
  readonly source: string;
  /** The HTML after rendering and before tracking. */
  readonly markup: string;
  /**
   * The way from a position in the markup to its position in the source. `same`: both are the same
   * text. `marked`: each tag of the markup has a mark (tag-marks.ts). `searched`: the source has no
   * tags, so the words of the position are searched in it.
   */
  readonly origin: "same" | "marked" | "searched";
  /** True if the markup has tags of the template language that were not rendered. */
  readonly isTemplate: boolean;
  /** Octets of the HTML in the copy, after tracking. */
  readonly copyBytes: number;
}

/** The parts in which variables are used, and the values that a send has. */
export interface CheckedVariables {
  readonly sources: readonly { readonly field: string; readonly text: string }[];
  /**
   * The values, with the template's fallbacks. Null means that nothing is rendered, so braces stay
   * in the mail.
   */
  readonly values: Readonly<Record<string, unknown>> | null;
  /** The names of the variables that the caller gave. */
  readonly given: readonly string[];
}

interface CheckedFile {
  readonly field: string;
  readonly name: string;
  /** The content id of an inline file. Null means that the file is not inline. */
  readonly contentId: string | null;
}

/** A team's choices for the check of a mail. */
export interface LintChoices {
  readonly rulesOff: readonly LintRule[];
  /**
   * The mail programs for which mail is checked: families such as `gmail`, or single programs such
   * as `outlook.windows`.
   */
  readonly clients: readonly string[];
  readonly support: ClientSupport;
}

/** A problem as a rule reports it. */
export interface LintProblem {
  readonly severity: LintSeverity;
  /** The position: an offset in the markup, words to search for, or a position outside the HTML. */
  readonly at: MarkupPosition | MailPosition;
  readonly message: string;
  readonly help: string;
}

export interface MarkupPosition {
  readonly offset: number;
  /** Words of the source, such as a link's URL. */
  readonly words?: string | undefined;
}

export type AddProblem = (problem: LintProblem) => void;
