// Checks what R2 stores of a round's messages: no content of a team that keeps none, no content
// that is marked sensitive, only complete objects, and no content for ledgers after the last
// outcome (contract.md §Kept content). Pure.
import type { SentMessage } from "../clients.ts";
import type { BucketFact } from "../worker/bucket-content.ts";
import type { Violation } from "./check.ts";

export interface ContentFacts extends BucketFact {
  readonly sent: readonly SentMessage[];
  /** The days for which the team keeps content. 0 means that the team keeps none. */
  readonly days: number;
  /**
   * True: a fault or a kill may have lost a deletion. The content then stays until the hourly sweep
   * deletes it (docs/storage.md §Scheduled messages).
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

/** Returns how many messages may have kept content, and how many of them have it. */
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
