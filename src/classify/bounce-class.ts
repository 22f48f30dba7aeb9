// The classes of a bounce, and the shape of a rule that classifies one (contract.md §Bounces).
// Pure.
import type { BOUNCE_CLASSIFICATIONS } from "../rpc/event-types.ts";
import type { SmtpStage } from "../../smtp-gateway/src/smtp/smtp-reply.ts";

export type BounceClass = (typeof BOUNCE_CLASSIFICATIONS)[number];

/** Stages at which the server has seen no content, so that what it calls spam is the source. */
export const BEFORE_CONTENT: readonly SmtpStage[] = ["connect", "helo", "starttls", "mail", "rcpt"];
export const AFTER_CONTENT: readonly SmtpStage[] = ["data", "end"];

export interface BounceRule {
  readonly class: BounceClass;
  /** The document or the mail servers that the wording or the code comes from. */
  readonly source: string;
  /**
   * The rule applies if one of these matches the reply as classify.ts prepares it: lower case,
   * Latin letters without diacritics, one space between words, `@` for an address, `ip` for an IP
   * address, at most 1,024 characters. An expression has no unbounded repetition and no repeated
   * group, so that matching is linear in the reply.
   */
  readonly says: readonly RegExp[];
  /** Restricts the rule to replies of this kind: 4 (temporary) or 5 (permanent). */
  readonly kind?: 4 | 5;
  /** Restricts the rule to these subjects and details of the enhanced code, e.g. `4.1`. */
  readonly statuses?: readonly string[];
  /**
   * The wording is so general that an enhanced code outweighs it: one of security or policy (X.7),
   * any that has a class, or any that says more than X.7.0 and X.7.1, which servers give for
   * everything.
   */
  readonly weak?: "policy" | "any" | "details";
  /** Restricts the rule to refusals at these stages; null stands for a report without a stage. */
  readonly stages?: readonly (SmtpStage | null)[];
}
