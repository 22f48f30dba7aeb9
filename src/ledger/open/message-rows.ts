// Reads and writes the rows of open messages in the ledger's table (docs/architecture.md §Admit).
// Each message has one row. Its content may be in other rows (content-groups.ts, large-content.ts).
import { ContentGroups } from "./content-groups.ts";
import { isLarge, LargeContent } from "./large-content.ts";
import type { Jobs } from "./job.ts";
import type { MentioningMessage } from "../../rpc/ledger.ts";
import type { Candidate, ClaimedMessage } from "../../rpc/ledger-calls.ts";
import { idsBelow, messagesMentioning } from "../newest-messages.ts";
import { LOG_GAP } from "../ledger-table.ts";

/**
 * Maximum number of messages in one INSERT. Each message has eight values, and a statement may have
 * a hundred.
 */
const MESSAGES_PER_INSERT = 12;
const INSERT =
  "INSERT INTO ledger (seq, id, accepted_at, recipients, stream, jobs, content_key, meta, " +
  "content) VALUES ";
const INSERT_FROM =
  "INSERT INTO ledger (seq, id, accepted_at, recipients, stream, jobs, content_key, meta, " +
  "content) SELECT ?, id, due_at, recipients, ?, '{}', content_key, meta, content FROM ";

/** A message to store. The caller decides the message's number and stream. */
export interface NewMessageRow {
  readonly seq: number;
  readonly emailId: string;
  /** The message's scheduled time, or else the time of its acceptance, in Unix milliseconds. */
  readonly startsAt: number;
  readonly recipients: number;
  /** The stream in which jobs of the message wait. Null means that all its jobs are released. */
  readonly stream: string | null;
  readonly contentKey: string | null;
  readonly meta: string;
  readonly content: Candidate["content"];
}

/** A scheduled message that is due and becomes an open message. */
export interface WaitedMessage {
  /**
   * The table in which the message waited, with the columns seq, id, due_at, recipients,
   * content_key, meta and content.
   */
  readonly table: string;
  /** The number of the message's row in the table in which the message waited. */
  readonly row: number;
  readonly emailId: string;
  readonly recipients: number;
  readonly stream: string;
  readonly contentKey: string | null;
}

/** An open message as it is read for a look-up. */
interface FoundRow {
  readonly startsAt: number;
  readonly recipients: number;
  readonly meta: string;
  readonly jobs: Jobs;
}

/** A message as it is claimed, before content from other rows is added. */
interface ClaimedRow extends Record<string, SqlStorageValue> {
  seq: number;
  emailId: string;
  startsAt: number;
  contentKey: string | null;
  meta: string;
  content: string | ArrayBuffer | null;
}

export class MessageRows {
  readonly large: LargeContent;
  readonly #sql: SqlStorage;
  readonly #contentGroups: ContentGroups;
  /** A lower bound of the numbers of open messages. */
  #oldest = 0;

  constructor(sql: SqlStorage) {
    this.#sql = sql;
    this.#contentGroups = new ContentGroups(sql);
    this.large = new LargeContent(sql);
  }

  /**
   * Stores messages with consecutive numbers. Returns the content group of each message
   * (job-sender.ts).
   */
  insert(messages: readonly NewMessageRow[]): number[] {
    const stored = this.#contentGroups.store(
      messages[0]?.seq ?? 0,
      messages.map(({ content }) => content),
    );
    const rows = messages.map((one, index) => [
      one.seq,
      one.emailId,
      one.startsAt,
      one.recipients,
      one.stream,
      one.contentKey,
      one.meta,
      isLarge(one.content) ? null : stored[index]!.content,
    ]);
    for (let at = 0; at < rows.length; at += MESSAGES_PER_INSERT) {
      const some = rows.slice(at, at + MESSAGES_PER_INSERT);
      this.#sql.exec(
        INSERT + some.map(() => "(?, ?, ?, ?, ?, '{}', ?, ?, ?)").join(", "),
        ...some.flat(),
      );
    }
    for (const { seq, content } of messages) if (isLarge(content)) this.large.store(seq, content);
    return stored.map(({ contentGroup }) => contentGroup);
  }

  /**
   * Copies a message from the table in which it waited. The caller deletes its row in that table.
   */
  insertFrom({ table, row }: WaitedMessage, seq: number, stream: string | null): void {
    this.#sql.exec(`${INSERT_FROM}${table} WHERE seq = ?`, seq, stream, row);
  }

  /**
   * Reads messages with their content, in the order of their numbers. Leaves out each large content
   * that would bring the total above `largeBytes`.
   */
  read(seqs: readonly number[], largeBytes: number): ClaimedMessage[] {
    if (seqs.length === 0) return [];
    const rows = this.#sql.exec<ClaimedRow>(
      "SELECT seq, id AS emailId, accepted_at AS startsAt, content_key AS contentKey, meta, content " +
        "FROM ledger WHERE seq IN (SELECT value FROM json_each(?)) ORDER BY seq",
      JSON.stringify(seqs),
    );
    const grouped = this.#contentGroups.lookup();
    const large = this.large.readSome(seqs, largeBytes);
    return Array.from(rows, ({ seq, content, ...row }) => {
      if (content !== null) return { ...row, content: textOrBytes(content) };
      const other = row.contentKey === null ? (grouped(seq) ?? large.get(seq) ?? null) : null;
      return { ...row, content: other };
    });
  }

  find(seq: number): FoundRow {
    const { jobs, ...row } = this.#sql
      .exec<{ startsAt: number; recipients: number; jobs: string; meta: string }>(
        "SELECT accepted_at AS startsAt, recipients, jobs, meta FROM ledger WHERE seq = ?",
        seq,
      )
      .one();
    return { ...row, jobs: JSON.parse(jobs) as Jobs };
  }

  /**
   * Returns a message's start, in Unix milliseconds, and its sending domain. "" means that the row
   * does not have the domain.
   */
  originOf(seq: number): { readonly startsAt: number; readonly domain: string } {
    return this.#sql
      .exec<{ startsAt: number; domain: string }>(
        "SELECT accepted_at AS startsAt, coalesce(meta ->> '$.fromDomain', '') AS domain " +
          "FROM ledger WHERE seq = ?",
        seq,
      )
      .one();
  }

  /** Returns those of the given messages whose JSON contains `text`, ignoring case. */
  metasWith(
    seqs: readonly number[],
    text: string,
  ): { readonly seq: number; readonly meta: string }[] {
    return this.#sql
      .exec<{ seq: number; meta: string }>(
        `SELECT seq, meta FROM ledger WHERE seq IN (SELECT value FROM json_each(?)) AND
         instr(lower(meta), lower(?)) > 0`,
        JSON.stringify(seqs),
        text,
      )
      .toArray();
  }

  /** Searches the JSON of the newest messages for `text`, ignoring upper and lower case. */
  mentioning(text: string, limit: number): MentioningMessage[] {
    const open = `ledger WHERE seq < ${LOG_GAP} ORDER BY seq DESC`;
    return messagesMentioning(this.#sql, open, text, limit);
  }

  /**
   * Returns up to `limit` ids of messages with jobs in the backlog: the highest ids below `before`.
   */
  idsOfWaiting(before: string, limit: number): string[] {
    return idsBelow(this.#sql, "ledger WHERE stream IS NOT NULL AND", before, limit);
  }

  /**
   * Returns the start of the oldest open message in Unix milliseconds. The start is the message's
   * scheduled time, or else its acceptance. Throws if no message is open.
   */
  oldestAcceptedAt(): number {
    const oldest =
      "SELECT seq, accepted_at AS at FROM ledger WHERE seq >= ? AND day IS NULL ORDER BY seq LIMIT 1";
    const { seq, at } = this.#sql.exec<{ seq: number; at: number }>(oldest, this.#oldest).one();
    this.#oldest = seq;
    return at;
  }

  contentGroupOf(seq: number): number {
    return this.#contentGroups.groupOf(seq);
  }

  /**
   * Deletes the content of messages whose rows are deleted. Does not delete a content group that
   * other messages still use.
   */
  dropContent(seqs: readonly number[]): void {
    if (seqs.length === 0) return;
    this.#contentGroups.drop(seqs);
    this.large.drop(seqs);
  }

  /** The keys of all content that the messages have in R2. */
  contentKeys(): string[] {
    const rows = this.#sql.exec<{ content_key: string }>(
      "SELECT content_key FROM ledger WHERE content_key IS NOT NULL",
    );
    return Array.from(rows, (row) => row.content_key);
  }
}

/** Returns stored content as text or, if it was stored as bytes, as bytes. */
export function textOrBytes(content: string | ArrayBuffer): string | Uint8Array<ArrayBuffer> {
  return typeof content === "string" ? content : new Uint8Array(content);
}
