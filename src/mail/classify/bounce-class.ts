// What a bounce is classified as, and what a rule that does it looks like (contract.md §Bounces).
import type { BOUNCE_CLASSIFICATIONS } from "../../contracts/event-types.ts";
import type { Stage } from "../message.ts";

export type BounceClass = (typeof BOUNCE_CLASSIFICATIONS)[number];

export interface BounceRule {
  readonly class: BounceClass;
  /** Who documents the wording or the code. */
  readonly source: string;
  /**
   * Any of these, in the reply as classify.ts prepares it: lower case, Latin letters without marks,
   * one space between words, `@` for an address, `ip` for an IP address, at most 1,024 characters.
   * No unbounded repetition and no repeated group, so that each is linear in the reply.
   */
  readonly says: readonly RegExp[];
  /** Only replies of this kind: 4 (temporary) or 5 (permanent). */
  readonly kind?: 4 | 5;
  /** Only with one of these subjects and details of the enhanced code, e.g. `4.1`. */
  readonly statuses?: readonly string[];
  /** Words so general that an enhanced code of security or policy (X.7) outweighs them. */
  readonly weak?: true;
  /** Only when the refusal came at one of these stages; null: a report that does not say. */
  readonly stages?: readonly (Stage | null)[];
}
