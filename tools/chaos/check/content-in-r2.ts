// Checks what R2 holds of a round's messages: nothing of a team that keeps no content, nothing that
// is marked sensitive, only whole objects, and no content that ledgers read after the last outcome
// (contract.md §Kept content). Pure.
import type { SentMessage } from "../clients.ts";
import type { BucketFact } from "../worker/bucket-content.ts";
import type { Violation } from "./check.ts";

export interface ContentFacts extends BucketFact {
  readonly sent: readonly SentMessage[];
  /** The days for which the team keeps content; 0: none is kept. */
  readonly days: number;
  /**
   * True: a fault or a kill may have lost a deletion, so that the content stays until the hourly
   * sweep (docs/storage.md §Scheduled messages).
   */
  readonly mayMissDeletions: boolean;
}

export function findWrongContent({
  sent,
  days,
  kept,
  left,
  mayMissDeletions,
}: ContentFacts): Violation[] {
  const wrong = (token: string | null, detail: string): Violation => ({
    rule: "content",
    token,
    detail,
  });
  const sensitive = sent.filter((message) => message.sensitive);
  const wrongOf = (emailId: string, text: string | null): Violation[] => {
    if (days === 0) return [wrong(null, `${emailId} is kept, though its team keeps nothing`)];
    if (text === null) return [wrong(null, `the kept object of ${emailId} is not whole`)];
    return sensitive
      .filter((one) => one.emailId === emailId || text.includes(`${one.token}.`))
      .map(({ token }) => wrong(token, `${emailId} is sensitive, and it is kept`));
  };
  return [
    ...kept.flatMap(({ emailId, text }) => wrongOf(emailId, text)),
    ...(mayMissDeletions ? [] : left.map((key) => wrong(null, `${key} is left in R2`))),
  ];
}

/** Returns how many of the messages that may be kept have their object. */
export function countStored({ sent, days, kept }: ContentFacts): {
  readonly kept: number;
  readonly possible: number;
} {
  const ids = new Set(kept.map(({ emailId }) => emailId));
  const possible = sent.filter(
    (one) => days > 0 && one.emailId !== null && !one.sensitive && !one.isCanceled,
  );
  return {
    kept: possible.filter(({ emailId }) => ids.has(emailId!)).length,
    possible: possible.length,
  };
}
