// Decides where a message's content rests (docs/architecture.md §Accept): beside its row while it
// is small, else in R2, written before the ledger is asked, so that no message is accepted whose
// content was not stored.
import { Buffer } from "node:buffer";
import type { AdmitItem } from "../../contracts/ledger-contract.ts";
import { INLINE_CONTENT_BYTES } from "../../limits.ts";
import type { Draft } from "./draft.ts";

/** A UTF-16 unit takes at most three bytes of UTF-8. */
const BYTES_PER_UNIT = 3;

/** Whether a draft's content rides in the ledger's row. */
export function fitsInline({ content }: Draft): boolean {
  if (content.length * BYTES_PER_UNIT <= INLINE_CONTENT_BYTES) return true;
  return (
    content.length <= INLINE_CONTENT_BYTES &&
    Buffer.byteLength(textOf(content)) <= INLINE_CONTENT_BYTES
  );
}

/** The draft as the ledger takes it. */
export function itemOf(draft: Draft): AdmitItem {
  const place = fitsInline(draft)
    ? { content: textOf(draft.content), contentKey: null }
    : { content: null, contentKey: contentKeyOf(draft) };
  return { kind: "candidate", candidate: { ...draft.candidate, ...place } };
}

export async function putContents(bucket: R2Bucket, drafts: readonly Draft[]): Promise<void> {
  await Promise.all(drafts.map((draft) => bucket.put(contentKeyOf(draft), draft.content)));
}

export async function deleteContents(
  bucket: R2Bucket,
  drafts: readonly Pick<Draft, "candidate">[],
): Promise<void> {
  await bucket.delete(drafts.map(contentKeyOf));
}

/** The row's column is text: bytes stand in it as one character each. */
function textOf(content: Draft["content"]): string {
  return typeof content === "string"
    ? content
    : Buffer.from(content.buffer, content.byteOffset, content.byteLength).toString("latin1");
}

function contentKeyOf({ candidate }: Pick<Draft, "candidate">): string {
  return `content/${candidate.id}`;
}
