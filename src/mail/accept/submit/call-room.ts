// Decides which requests send their large content to the ledger in the call itself (docs/storage.md
// §A ledger's content). Each message must fit into a row, and all content must fit into one call.
// Other large content is stored in R2 before the call.
import { Buffer } from "node:buffer";
import type { AdmitItem, PreliminaryDecision } from "../../../rpc/ledger-calls.ts";
import { LEDGER_MESSAGE_BYTES } from "../../../limits.ts";
import { areSmall, type LargeItem, type SendItem } from "./content-storage.ts";

/**
 * The result of the checks before the call to the ledger: a refusal, which the ledger stores for
 * replays, or one item for each message.
 */
export type Judgement =
  | Extract<PreliminaryDecision, { kind: "refused" }>
  | { readonly kind: "items"; readonly items: readonly SendItem[] };

/**
 * A judged request that passes all its content to the ledger in one call, and stores none of it in
 * R2 before.
 */
export type WholeJudgement = Extract<PreliminaryDecision, { kind: "refused" | "items" }>;

/**
 * Maximum length of all content in a call that has large content, in UTF-16 units or bytes. A call
 * with all its data may have 32 MB, and a unit takes up to two bytes in a call.
 */
const CALL_UNITS = 8 * 1024 * 1024;

/** Counts how much more content fits into one call to the ledger. */
export class CallRoom {
  #units = CALL_UNITS;

  /**
   * Adds a request with all its content to the call. Null means that some content must be stored in
   * R2 before the call.
   */
  take(judgement: Judgement): WholeJudgement | null {
    if (judgement.kind === "refused") return judgement;
    const { items } = judgement;
    if (areSmall(items)) return { kind: "items", items };
    const least = items.reduce(
      (units, item) => units + (item.kind === "large" ? item.contentUnits : unitsOf(item)),
      0,
    );
    if (least > this.#units) return null;
    let left = this.#units;
    const whole: AdmitItem[] = [];
    for (const item of items) {
      const taken = item.kind === "large" ? bringAlong(item) : item;
      if (!taken) return null;
      left -= unitsOf(taken);
      whole.push(taken);
    }
    if (left < 0) return null;
    this.#units = left;
    return { kind: "items", items: whole };
  }
}

/**
 * Returns the item with its large content. Null means that the item does not fit into a row of the
 * ledger, or that the message is scheduled. The content of a scheduled message is stored in R2
 * (docs/storage.md §Scheduled messages).
 */
function bringAlong({ candidate, contentUnits, makeContent }: LargeItem): AdmitItem | null {
  if (candidate.scheduledAt !== undefined) return null;
  const room = LEDGER_MESSAGE_BYTES - Buffer.byteLength(candidate.meta);
  if (contentUnits > room) return null;
  const content = makeContent();
  return content.length > room
    ? null
    : { kind: "candidate", candidate: { ...candidate, content, contentKey: null } };
}

function unitsOf(item: AdmitItem): number {
  return item.kind === "candidate" ? (item.candidate.content?.length ?? 0) : 0;
}
