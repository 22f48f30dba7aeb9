// Counts the content over 96 KB that the ledger itself holds, and decides whether it takes more
// (docs/storage.md §A ledger's content). Other large content goes to R2, so that attachments take
// no more of the ledger's disk than LEDGER_LARGE_BYTES. The count is in memory: it follows the rows
// inside their transactions, and a restart or a rollback reads it from them.
import { Buffer } from "node:buffer";
import type { AdmitItem, Candidate } from "../contracts/ledger-contract.ts";
import { LEDGER_LARGE_BYTES, SMALL_CONTENT_BYTES } from "../limits.ts";

/**
 * SQL: the bytes of the row's content if it is large, else 0. Large content is never text. SQLite
 * knows both the type and the length of a BLOB without reading it.
 */
export const LARGE_BYTES =
  `iif(typeof(content) = 'blob' AND length(content) > ${SMALL_CONTENT_BYTES}, ` +
  "length(content), 0)";

/**
 * The platform's maximum for a row is 2 MB (Cloudflare's documented limits of SQLite-backed Durable
 * Objects: "Maximum string, BLOB or table row size"). Local workerd has none. The rest is for the
 * states of fifty recipients, which quote replies of 1 KB each.
 */
const MESSAGE_ROW_BYTES = 1_750_000;
/** A UTF-16 unit takes at most three bytes of UTF-8. */
const BYTES_PER_UNIT = 3;

export class LargeContent {
  #held = 0;

  /** Bytes of large content in the ledger. */
  get held(): number {
    return this.#held;
  }

  hasRoomFor(bytes: number): boolean {
    return bytes === 0 || this.held + bytes <= LEDGER_LARGE_BYTES;
  }

  add(bytes: number): void {
    this.#held += bytes;
  }

  remove(bytes: number): void {
    this.#held -= bytes;
  }
}

/** The bytes of large content in these messages; 0: all their content is small or in R2. */
export function largeBytesIn(candidates: readonly Pick<Candidate, "content">[]): number {
  return candidates.reduce((sum, { content }) => sum + largeBytesOf(content), 0);
}

/** Throws if a message's row would be larger than the platform's rows may be. */
export function assertRowsFit(items: readonly AdmitItem[]): void {
  for (const item of items) {
    if (item.kind === "failed") continue;
    const { id, meta, content } = item.candidate;
    if ((meta.length + (content?.length ?? 0)) * BYTES_PER_UNIT <= MESSAGE_ROW_BYTES) continue;
    const bytes = Buffer.byteLength(meta) + bytesOf(content);
    if (bytes > MESSAGE_ROW_BYTES)
      throw new Error(`the row of ${id} would have ${bytes} bytes; ${MESSAGE_ROW_BYTES} fit`);
  }
}

function largeBytesOf(content: Candidate["content"]): number {
  return content instanceof Uint8Array && content.length > SMALL_CONTENT_BYTES ? content.length : 0;
}

function bytesOf(content: Candidate["content"]): number {
  return typeof content === "string" ? Buffer.byteLength(content) : (content?.length ?? 0);
}
