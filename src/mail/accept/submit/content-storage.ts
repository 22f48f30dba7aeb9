// Stores large content in R2 if the ledger has no space for it (docs/architecture.md §Accept).
// Content is stored before its message is accepted, so that no accepted message lacks its content.
import type { Admission, AdmitItem } from "../../../rpc/ledger-calls.ts";
import { logError } from "../../../lib/log.ts";
import { SMALL_CONTENT_BYTES } from "../../../limits.ts";
import { contentKeyOf } from "../../r2-content.ts";
import type { StoredContent } from "../../stored-content.ts";
import type { PreparedMessage } from "../prepare-message.ts";
import type { SendContext } from "../send-context.ts";

/** A message whose content is large. call-room.ts decides where its content is stored. */
export interface LargeItem {
  readonly kind: "large";
  readonly candidate: PreparedMessage["candidate"];
  /** A lower bound of the length of the stored content, in UTF-16 units or bytes. */
  readonly contentUnits: number;
  /**
   * Makes the content. Called only when the content is stored, because 100 entries of a batch may
   * share megabytes of content.
   */
  readonly makeContent: () => StoredContent;
}

/** One message of a request, before the request goes to the ledger. */
export type SendItem = AdmitItem | LargeItem;

/** Maximum number of writes to R2 at one time. A worker has six connections. */
const PUTS_AT_ONCE = 6;
/**
 * Maximum length of content in memory at one time, in UTF-16 units or bytes. A worker has memory
 * for the request itself and about this much content.
 */
const UNITS_AT_ONCE = 16 * 1024 * 1024;

/** The item of a message whose content could not be stored. */
export const FAULT = {
  kind: "failed",
  error: JSON.stringify({
    type: "internal_error",
    message: "The message could not be taken; it was not sent. Retry with backoff.",
  }),
  isFault: true,
} as const satisfies AdmitItem;

export function itemOf(prepared: PreparedMessage): SendItem {
  const { candidate, content } = prepared;
  return content.length <= SMALL_CONTENT_BYTES
    ? { kind: "candidate", candidate: { ...candidate, content, contentKey: null } }
    : { kind: "large", candidate, contentUnits: content.length, makeContent: () => content };
}

export function areSmall(items: readonly SendItem[]): items is readonly AdmitItem[] {
  return items.every(({ kind }) => kind !== "large");
}

/**
 * Writes large content to R2, and returns the items for the call to the ledger. If the content of
 * an item can't be written, only that item fails.
 */
export async function storeContents(
  context: SendContext,
  items: readonly SendItem[],
): Promise<AdmitItem[]> {
  const largest = Math.max(...items.map((item) => (item.kind === "large" ? item.contentUnits : 1)));
  const width = Math.min(PUTS_AT_ONCE, Math.max(1, Math.floor(UNITS_AT_ONCE / largest)));
  const stored: AdmitItem[] = [];
  const queue = items.entries();
  const work = async (): Promise<void> => {
    for (const [index, item] of queue)
      stored[index] = item.kind === "large" ? await storeContent(context, item) : item;
  };
  await Promise.all(Array.from({ length: width }, work));
  return stored;
}

async function storeContent(
  { env, sender, requestId }: SendContext,
  { candidate, makeContent }: LargeItem,
): Promise<AdmitItem> {
  const contentKey = keyOf(sender.team.id, candidate);
  try {
    await env.CONTENT.put(contentKey, makeContent());
  } catch (error) {
    logError("pipeline_unavailable", error, {
      request_id: requestId,
      what: "content",
      team_id: sender.team.id,
      email_id: candidate.id,
    });
    return FAULT;
  }
  return { kind: "candidate", candidate: { ...candidate, content: null, contentKey } };
}

/** Removes, after the response, the content of messages that the ledger did not queue. */
export function deleteUnusedContents(
  { env, sender, defer }: SendContext,
  items: readonly SendItem[],
  admission: Admission,
): void {
  const unused = items.flatMap((item, index) =>
    item.kind === "large" && !isQueued(admission, index)
      ? [keyOf(sender.team.id, item.candidate)]
      : [],
  );
  if (unused.length > 0) defer(env.CONTENT.delete(unused));
}

/**
 * Returns whether this request queued the item's message. Returns false if an earlier request with
 * the same key queued it.
 */
function isQueued(admission: Admission, index: number): boolean {
  if (admission.kind !== "answered" || admission.replayed || admission.answer.kind !== "accepted")
    return false;
  return admission.answer.items[index]?.kind === "queued";
}

function keyOf(teamId: string, { id, scheduledAt }: PreparedMessage["candidate"]): string {
  return contentKeyOf(teamId, id, scheduledAt !== undefined);
}
