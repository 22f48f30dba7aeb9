// Stores content over 96 KB in separate rows, and decides whether the ledger has space for more
// (docs/storage.md §A ledger's content). Large content may take LEDGER_LARGE_BYTES of the ledger's
// disk. Further large content goes to R2. Content in the message's own row would be written again
// with every change of a recipient's state.
import { Buffer } from "node:buffer";
import type { AdmitItem, Candidate } from "../../rpc/ledger-calls.ts";
import { LEDGER_LARGE_BYTES, SMALL_CONTENT_BYTES } from "../../limits.ts";

const SCHEMA = `
  CREATE TABLE IF NOT EXISTS large_content (seq INTEGER PRIMARY KEY, content BLOB NOT NULL);
`;

/**
 * Maximum number of bytes of a message and its content. The platform allows 2 MB for a row
 * (Cloudflare's documented limits of SQLite-backed Durable Objects: "Maximum string, BLOB or table
 * row size"). Local workerd has no such limit. The rest of the row is for the states of fifty
 * recipients, each with a quoted reply of 1 KB.
 */
const MESSAGE_BYTES = 1_750_000;
/** A UTF-16 unit takes at most three bytes of UTF-8. */
const BYTES_PER_UNIT = 3;

/**
 * SQL clause that selects the content of messages whose numbers are in a JSON array. SQLite knows
 * the length of a BLOB without reading the BLOB.
 */
const SOME = "FROM large_content WHERE seq IN (SELECT value FROM json_each(?))";

type Content = Candidate["content"];
type Bytes = Uint8Array<ArrayBuffer>;

export class LargeContent {
  readonly #sql: SqlStorage;
  /**
   * The total size of large content, which changes in the same transactions as the rows. A rollback
   * makes a new object, which reads the total from disk again.
   */
  #held: number;

  constructor(sql: SqlStorage) {
    this.#sql = sql;
    sql.exec(SCHEMA);
    this.#held = sql
      .exec<{ bytes: number }>("SELECT total(length(content)) AS bytes FROM large_content")
      .one().bytes;
  }

  /** Bytes of large content in the ledger. */
  get held(): number {
    return this.#held;
  }

  hasRoomFor(bytes: number): boolean {
    return bytes === 0 || this.held + bytes <= LEDGER_LARGE_BYTES;
  }

  store(seq: number, content: Bytes): void {
    this.#sql.exec("INSERT INTO large_content VALUES (?, ?)", seq, content);
    this.#held += content.length;
  }

  /**
   * Reads the content of a message. Returns null if the ledger has no large content of the message.
   */
  read(seq: number): Bytes | null {
    const [row] = this.#sql
      .exec<{ content: ArrayBuffer }>("SELECT content FROM large_content WHERE seq = ?", seq)
      .toArray();
    return row ? new Uint8Array(row.content) : null;
  }

  /**
   * Reads the content of messages in their order. Leaves out each content that would bring the
   * total above `bytes`.
   */
  readSome(seqs: readonly number[], bytes: number): ReadonlyMap<number, Bytes | null> {
    const read = new Map<number, Bytes | null>();
    if (this.#held === 0 || bytes === 0) return read;
    let left = bytes;
    for (const { seq, length } of this.#sql
      .exec<{ seq: number; length: number }>(
        `SELECT seq, length(content) AS length ${SOME} ORDER BY seq`,
        JSON.stringify(seqs),
      )
      .toArray()) {
      if (length > left) continue;
      left -= length;
      read.set(seq, this.read(seq));
    }
    return read;
  }

  /** Deletes the content of messages that are deleted. */
  drop(seqs: readonly number[]): void {
    if (this.#held === 0) return;
    const gone = JSON.stringify(seqs);
    const { bytes } = this.#sql
      .exec<{ bytes: number }>(`SELECT total(length(content)) AS bytes ${SOME}`, gone)
      .one();
    if (bytes === 0) return;
    this.#sql.exec(`DELETE ${SOME}`, gone);
    this.#held -= bytes;
  }
}

export function isLarge(content: Content): content is Bytes {
  return content instanceof Uint8Array && content.length > SMALL_CONTENT_BYTES;
}

/**
 * Counts the bytes of large content in these messages. Returns 0 if all their content is small or
 * in R2.
 */
export function largeBytesIn(candidates: readonly Pick<Candidate, "content">[]): number {
  return candidates.reduce((sum, { content }) => sum + (isLarge(content) ? content.length : 0), 0);
}

/** Throws if a message and its content might need a row that is larger than the platform allows. */
export function assertRowsFit(items: readonly AdmitItem[]): void {
  for (const item of items) {
    if (item.kind === "failed") continue;
    const { id, meta, content } = item.candidate;
    if ((meta.length + (content?.length ?? 0)) * BYTES_PER_UNIT <= MESSAGE_BYTES) continue;
    const bytes = Buffer.byteLength(meta) + bytesOf(content);
    if (bytes > MESSAGE_BYTES)
      throw new Error(
        `message ${id} has ${bytes} bytes; a row of the ledger can have ${MESSAGE_BYTES}`,
      );
  }
}

function bytesOf(content: Content): number {
  return typeof content === "string" ? Buffer.byteLength(content) : (content?.length ?? 0);
}
