// Decides which requests bring their large content along to the ledger (docs/storage.md §A ledger's
// content): those whose messages each fit a row, as long as one call holds all of it. Other large
// content goes to R2 first.
import { Buffer } from "node:buffer";
import type { AdmitItem, PreliminaryVerdict } from "../../../rpc/ledger-calls.ts";
import { LEDGER_MESSAGE_BYTES } from "../../../limits.ts";
import { areSmall, type LargeItem, type SendItem } from "./content-storage.ts";

/** The result of every check outside the ledger: a refusal to keep for replays, or messages. */
export type Judgement =
  | Extract<PreliminaryVerdict, { kind: "refused" }>
  | { readonly kind: "items"; readonly items: readonly SendItem[] };

/** A judgement that one call to the ledger settles, since no content must be stored first. */
export type WholeJudgement = Extract<PreliminaryVerdict, { kind: "refused" | "items" }>;

/**
 * Content that a call with large content has together, in UTF-16 units or bytes. With the facts a
 * call may have 32 MB, and a unit takes up to two bytes on its way.
 */
const CALL_UNITS = 8 * 1024 * 1024;

/** The room for content in one call to the ledger. */
export class CallRoom {
  #units = CALL_UNITS;

  /** Takes a request with all its content. Null: some of it has to be stored in R2 first. */
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
 * The large item with its content, if both fit the ledger's row. A scheduled message's content is
 * kept in R2 (docs/storage.md §Scheduled messages).
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
