// The classes of a bounce, and the shape of a rule that classifies a bounce (contract.md §Bounces).
// Pure.
import type { BOUNCE_CLASSIFICATIONS } from "../rpc/event-types.ts";
import type { SmtpStage } from "../../smtp-gateway/src/smtp/smtp-reply.ts";

export type BounceClass = (typeof BOUNCE_CLASSIFICATIONS)[number];

/**
 * Stages at which the server has seen no content yet. If the server says "spam" at such a stage, it
 * means the source of the message.
 */
export const BEFORE_CONTENT: readonly SmtpStage[] = ["connect", "helo", "starttls", "mail", "rcpt"];
export const AFTER_CONTENT: readonly SmtpStage[] = ["data", "end"];

export interface BounceRule {
  readonly class: BounceClass;
  /** The source of the wording or the code: a document, or the mail servers that send it. */
  readonly source: string;
  /**
   * The rule applies if one of these matches the reply as classify.ts prepares it. That text is in
   * lower case, with Latin letters without diacritics, one space between words, `@` for an address
   * and `ip` for an IP address, and has at most 1,024 characters. An expression has no unbounded
   * repetition and no repeated group, so that the time to match is linear in the reply.
   */
  readonly says: readonly RegExp[];
  /**
   * Set if a match counts only when it is about an address (state-subject.ts). `absence`: a name
   * may stand between the noun and the match, as in "user ann unknown". The expressions of such a
   * rule have the flag `g`, because the first match may be about something else.
   */
  readonly saidOfAddress?: "state" | "absence";
  /** Restricts the rule to temporary (4) or permanent (5) replies. */
  readonly kind?: 4 | 5;
  /** Restricts the rule to enhanced codes with these subjects and details, such as `4.1`. */
  readonly statuses?: readonly string[];
  /**
   * Set if the wording is so general that some enhanced codes outweigh the rule. `policy`: a code
   * of security or policy (X.7) outweighs it. `any`: every code with a class outweighs it.
   * `details`: every code with a class outweighs it, except X.7.0 and X.7.1, because servers use
   * these two codes for everything.
   */
  readonly weak?: "policy" | "any" | "details";
  /** Restricts the rule to refusals at these stages. Null means a report that names no stage. */
  readonly stages?: readonly (SmtpStage | null)[];
}
