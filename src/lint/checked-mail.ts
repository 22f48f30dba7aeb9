// The mail that the rules judge: the source that its author sees, and the copy that would leave.
// Pure.
import type { ClientSupport } from "./client-support.ts";
import type { LintRule, MailPosition, LintSeverity } from "./mail-problem.ts";

export interface CheckedMail {
  /** Null: the mail has no HTML. */
  readonly html: CheckedHtml | null;
  /**
   * The plain text. Null: the mail has none. Undefined: it is not judged, because the service
   * derives it or because the check has only the HTML.
   */
  readonly text: string | null | undefined;
  /** Undefined: variables are not judged. */
  readonly variables?: CheckedVariables | undefined;
  readonly attachments: readonly CheckedFile[];
  /** Size of the whole copy in octets. Null: it is not known. */
  readonly copyBytes: number | null;
  /** Octets that the courier takes at most. Null: the courier has no limit of its own. */
  readonly courier: { readonly name: string; readonly messageBytes: number } | null;
  /** The host that clicks lead through. Null: clicks are not tracked. */
  readonly clickHost: string | null;
  /** URLs that begin so are the service's own links, which the author can't change. */
  readonly ownUrls: readonly string[];
}

export interface CheckedHtml {
  /** The field of the source. */
  readonly field: string;
  /** The text that the author wrote: HTML, or the Markdown of `markup`. */
  readonly source: string;
  /** The HTML before tracking. */
  readonly markup: string;
  /**
   * Tells how a place in the markup leads to the source: both are the `same` text, each tag of the
   * markup has a mark (tag-marks.ts), or the source has no tags and its words are searched.
   */
  readonly origin: "same" | "marked" | "searched";
  /** True: the markup has tags of the template language that are not rendered. */
  readonly isTemplate: boolean;
  /** Octets of the HTML in the copy, after tracking. */
  readonly copyBytes: number;
}

/** The parts in which variables are used, and the values that a send has. */
export interface CheckedVariables {
  readonly sources: readonly { readonly field: string; readonly text: string }[];
  /** The values with the template's fallbacks. Null: nothing is rendered, and braces stay. */
  readonly values: Readonly<Record<string, unknown>> | null;
  /** The names that the caller gave. */
  readonly given: readonly string[];
}

interface CheckedFile {
  readonly field: string;
  readonly name: string;
  /** The content id of an inline file. Null: the file is not inline. */
  readonly contentId: string | null;
}

/** The choices of a team. */
export interface LintChoices {
  readonly rulesOff: readonly LintRule[];
  /** Families such as `gmail`, or single clients such as `outlook.windows`. */
  readonly clients: readonly string[];
  readonly support: ClientSupport;
}

/** A problem as a rule reports it. */
export interface LintProblem {
  readonly severity: LintSeverity;
  /** Offset in the markup, the words to search for, or a place outside the HTML. */
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
