// Reads and writes the rows of open messages in the ledger's table (docs/architecture.md §Admit),
// one row each, and the content that groups of small messages share (content-groups.ts).
import { ContentGroups } from "./content-groups.ts";
import { LARGE_BYTES, LargeContent, largeBytesIn } from "./large-content.ts";
import type { Jobs } from "./job.ts";
import type { Candidate, ClaimedMessage } from "../contracts/ledger-contract.ts";

/** Messages that one statement writes. Each has eight values, and a statement takes a hundred. */
const MESSAGES_PER_INSERT = 12;
const INSERT =
  "INSERT INTO ledger (seq, id, accepted_at, recipients, stream, jobs, content_key, meta, " +
  "content) VALUES ";
const OPEN_COLUMNS = `seq, id, accepted_at, recipients, stream, jobs, content_key, ${LARGE_BYTES} AS large_bytes`;
/** The content is null if it is large. */
const CLAIMED_COLUMNS =
  `seq, id, accepted_at, content_key, meta, ${LARGE_BYTES} AS large_bytes, ` +
  `iif(${LARGE_BYTES} > 0, NULL, content) AS content`;

/** A message to store. Its number and its jobs' first state are the caller's business. */
export interface NewMessageRow {
  readonly seq: number;
  readonly emailId: string;
  readonly acceptedAt: number;
  readonly recipients: number;
  /** Null: all jobs are released already. */
  readonly stream: string | null;
  readonly contentKey: string | null;
  readonly meta: string;
  readonly content: Candidate["content"];
}

/** An open message as a restart finds it. */
export interface OpenRow extends Record<string, SqlStorageValue> {
  seq: number;
  id: string;
  accepted_at: number;
  recipients: number;
  stream: string | null;
  jobs: string;
  content_key: string | null;
  large_bytes: number;
}

interface ClaimedRow extends Record<string, SqlStorageValue> {
  seq: number;
  id: string;
  accepted_at: number;
  content_key: string | null;
  meta: string;
  large_bytes: number;
  content: string | ArrayBuffer | null;
}

export class MessageRows {
  readonly #sql: SqlStorage;
  readonly #contentGroups: ContentGroups;
  readonly large = new LargeContent();

  constructor(sql: SqlStorage) {
    this.#sql = sql;
    this.#contentGroups = new ContentGroups(sql);
  }

  all(): Iterable<OpenRow> {
    return this.#sql.exec<OpenRow>(`SELECT ${OPEN_COLUMNS} FROM ledger WHERE day IS NULL`);
  }

  /**
   * Stores messages with consecutive numbers. Returns the content group of each (dispatch.ts).
   */
  insert(messages: readonly NewMessageRow[]): number[] {
    this.large.add(largeBytesIn(messages));
    const stored = this.#contentGroups.store(
      messages[0]?.seq ?? 0,
      messages.map(({ content }) => content),
    );
    const rows = messages.map((one, index) => [
      one.seq,
      one.emailId,
      one.acceptedAt,
      one.recipients,
      one.stream,
      one.contentKey,
      one.meta,
      stored[index]!.content,
    ]);
    for (let at = 0; at < rows.length; at += MESSAGES_PER_INSERT) {
      const some = rows.slice(at, at + MESSAGES_PER_INSERT);
      this.#sql.exec(
        INSERT + some.map(() => "(?, ?, ?, ?, ?, '{}', ?, ?, ?)").join(", "),
        ...some.flat(),
      );
    }
    return stored.map(({ contentGroup }) => contentGroup);
  }

  saveJobs(seq: number, json: string): void {
    this.#sql.exec("UPDATE ledger SET jobs = ? WHERE seq = ?", json, seq);
  }

  readJobs(seq: number): Jobs {
    const { jobs } = this.#sql
      .exec<{ jobs: string }>("SELECT jobs FROM ledger WHERE seq = ?", seq)
      .one();
    return JSON.parse(jobs) as Jobs;
  }

  /**
   * Reads messages with their content, in the order of their numbers. Large content is read as long
   * as it has not more than `largeBytes` together.
   */
  read(seqs: readonly number[], largeBytes: number): ClaimedMessage[] {
    if (seqs.length === 0) return [];
    const rows = this.#sql.exec<ClaimedRow>(
      `SELECT ${CLAIMED_COLUMNS} FROM ledger WHERE seq IN (SELECT value FROM json_each(?)) ` +
        "ORDER BY seq",
      JSON.stringify(seqs),
    );
    const grouped = this.#contentGroups.lookup();
    let room = largeBytes;
    const contentOf = (row: ClaimedRow): Candidate["content"] => {
      if (row.content_key !== null) return null;
      if (row.large_bytes === 0)
        return row.content === null ? grouped(row.seq) : storedOf(row.content);
      if (row.large_bytes > room) return null;
      room -= row.large_bytes;
      return this.readLarge(row.seq);
    };
    return Array.from(rows, (row) => ({
      emailId: row.id,
      acceptedAt: row.accepted_at,
      meta: row.meta,
      content: contentOf(row),
      contentKey: row.content_key,
    }));
  }

  /** Reads large content from the message's own row. */
  readLarge(seq: number): Uint8Array<ArrayBuffer> {
    const { content } = this.#sql
      .exec<{ content: ArrayBuffer }>("SELECT content FROM ledger WHERE seq = ?", seq)
      .one();
    return new Uint8Array(content);
  }

  /** Takes a message whose row is about to be deleted from the count of large content. */
  uncount(seq: number): void {
    if (this.large.held === 0) return;
    const { bytes } = this.#sql
      .exec<{ bytes: number }>(`SELECT ${LARGE_BYTES} AS bytes FROM ledger WHERE seq = ?`, seq)
      .one();
    this.large.remove(bytes);
  }

  find(seq: number): { readonly recipients: number; readonly meta: string; readonly jobs: Jobs } {
    const row = this.#sql
      .exec<{ recipients: number; jobs: string; meta: string }>(
        "SELECT recipients, jobs, meta FROM ledger WHERE seq = ?",
        seq,
      )
      .one();
    return { ...row, jobs: JSON.parse(row.jobs) as Jobs };
  }

  /** Messages that have a lease on disk and whose JSON contains `text`, in any case. */
  leased(text: string): { readonly id: string; readonly meta: string; readonly jobs: string }[] {
    return this.#sql
      .exec<{ id: string; meta: string; jobs: string }>(
        `SELECT id, meta, jobs FROM ledger WHERE day IS NULL AND instr(jobs, '"leased"') > 0 AND
         instr(lower(meta), lower(?)) > 0`,
        text,
      )
      .toArray();
  }

  /** The number of a message that has jobs in the backlog. */
  seqOfWaiting(emailId: string): number | undefined {
    return this.#sql
      .exec<{ seq: number }>("SELECT seq FROM ledger WHERE id = ? AND stream IS NOT NULL", emailId)
      .toArray()[0]?.seq;
  }

  /** When the oldest open message was accepted, Unix milliseconds. Throws if none is open. */
  oldestAcceptedAt(): number {
    const oldest = "SELECT accepted_at AS at FROM ledger WHERE day IS NULL ORDER BY seq LIMIT 1";
    return this.#sql.exec<{ at: number }>(oldest).one().at;
  }

  contentGroupOf(seq: number): number {
    return this.#contentGroups.groupOf(seq);
  }

  /** Deletes content groups that only these messages, whose rows are deleted, still used. */
  dropContent(seqs: readonly number[]): void {
    if (seqs.length > 0) this.#contentGroups.drop(seqs);
  }

  /** The R2 keys of all content that is not stored in the ledger itself. */
  contentKeys(): string[] {
    const rows = this.#sql.exec<{ content_key: string }>(
      "SELECT content_key FROM ledger WHERE content_key IS NOT NULL",
    );
    return Array.from(rows, (row) => row.content_key);
  }
}

function storedOf(content: string | ArrayBuffer): Candidate["content"] {
  return typeof content === "string" ? content : new Uint8Array(content);
}
