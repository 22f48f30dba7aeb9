// Stores the messages that wait for their scheduled time (docs/storage.md §Scheduled messages) in a
// separate table. A restart does not read this table, so a million scheduled messages cost no
// memory, and no time at a restart. Only the earliest time is in memory.
import type { MentioningMessage } from "../../rpc/ledger.ts";
import type { Candidate, ClaimedMessage } from "../../rpc/ledger-calls.ts";
import type {
  ScheduledMessage,
  ScheduledPage,
  ScheduledRange,
  WaitingCampaign,
} from "../../rpc/schedule-calls.ts";
import type { Priority } from "../../rpc/priority.ts";
import type { QuotaUse } from "../admission/counters.ts";
import type { FreshLabel } from "../admission/label-counts.ts";
import { idsBelow, messagesMentioning } from "../newest-messages.ts";
import { textOrBytes, type WaitedMessage } from "../open/message-rows.ts";
import {
  listScheduledRows,
  OF_CAMPAIGN,
  SOONEST,
  WAITING,
  waiting,
  type WaitingMessageRow,
} from "./scheduled-list.ts";
import { streamOf } from "../release-stream.ts";
import { CAMPAIGN_INDEX, countWaitingCampaigns } from "./waiting-campaigns.ts";

const SCHEMA = `
  CREATE TABLE IF NOT EXISTS scheduled (
    seq INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, due_at INTEGER NOT NULL, accepted_at INTEGER NOT NULL,
    recipients INTEGER NOT NULL, stream TEXT NOT NULL, overage INTEGER NOT NULL, labels TEXT, content_key TEXT, meta TEXT NOT NULL, content, priority TEXT, domain TEXT
  );
  CREATE INDEX IF NOT EXISTS scheduled_due ON scheduled (due_at);
  ${CAMPAIGN_INDEX};
  CREATE INDEX IF NOT EXISTS scheduled_content ON scheduled (content_key) WHERE content_key IS NOT NULL;
`;

const INSERT =
  "INSERT INTO scheduled (id, due_at, accepted_at, recipients, stream, priority, domain, overage, " +
  "labels, content_key, meta, content) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)";
const DUE =
  "SELECT seq AS row, id AS emailId, recipients, stream, priority, domain, " +
  "content_key AS contentKey FROM scheduled WHERE due_at <= ? ORDER BY due_at, seq LIMIT ?";
const WITH_CONTENT =
  "SELECT id AS emailId, due_at AS startsAt, meta, content, content_key AS contentKey " +
  "FROM scheduled WHERE id = ?";
const TAKEN =
  "id AS emailId, due_at AS scheduledAt, accepted_at AS acceptedAt, recipients, overage, labels, " +
  "content_key AS contentKey, meta, seq";

/** A message that is stored until `scheduledAt`. */
interface NewScheduled extends QuotaUse {
  readonly candidate: Candidate;
  readonly scheduledAt: number;
}

/** A message that left the table because it was canceled. */
export interface LeavingMessage extends QuotaUse {
  readonly emailId: string;
  readonly meta: string;
  readonly scheduledAt: number;
  readonly contentKey: string | null;
}

interface DueRow extends Record<string, SqlStorageValue> {
  row: number;
  emailId: string;
  recipients: number;
  stream: string;
  priority: Priority | null;
  domain: string;
  contentKey: string | null;
}

interface ContentRow extends Record<string, SqlStorageValue> {
  emailId: string;
  startsAt: number;
  meta: string;
  content: string | ArrayBuffer | null;
  contentKey: string | null;
}

interface TakenRow extends Record<string, SqlStorageValue> {
  seq: number;
  emailId: string;
  scheduledAt: number;
  acceptedAt: number;
  recipients: number;
  overage: number;
  labels: string | null;
  contentKey: string | null;
  meta: string;
}

export class ScheduledRows {
  readonly #sql: SqlStorage;
  #dueAt: number;

  constructor(sql: SqlStorage) {
    this.#sql = sql;
    sql.exec(SCHEMA);
    this.#dueAt = this.#earliest();
  }

  /**
   * The time at which the next message is due, in Unix milliseconds. Infinity means that no message
   * waits.
   */
  get dueAt(): number {
    return this.#dueAt;
  }

  add({ candidate, scheduledAt, acceptedAt, recipients, overage, labels }: NewScheduled): void {
    this.#sql.exec(
      INSERT,
      candidate.id,
      scheduledAt,
      acceptedAt,
      recipients,
      candidate.stream,
      candidate.priority ?? null,
      candidate.domain,
      overage,
      labels.length > 0 ? JSON.stringify(labels) : null,
      candidate.contentKey,
      candidate.meta,
      candidate.content,
    );
    this.#dueAt = Math.min(this.#dueAt, scheduledAt);
  }

  /** Returns messages that are due, up to `limit`, sorted by their scheduled times. */
  due(now: number, limit: number): WaitedMessage[] {
    if (now < this.#dueAt) return [];
    const rows = this.#sql.exec<DueRow>(DUE, now, limit);
    return Array.from(rows, ({ priority, domain, ...row }) => ({
      ...row,
      table: "scheduled",
      stream: streamOf({ stream: row.stream, priority, domain }),
    }));
  }

  /** Deletes the rows of messages that were released. */
  drop(due: readonly WaitedMessage[]): void {
    this.#sql.exec(
      "DELETE FROM scheduled WHERE seq IN (SELECT value FROM json_each(?))",
      JSON.stringify(due.map(({ row }) => row)),
    );
    this.#dueAt = this.#earliest();
  }

  /**
   * Removes a message. Returns the amounts that it took from the quotas, or undefined if no such
   * message waits.
   */
  take(emailId: string): LeavingMessage | undefined {
    return this.#take("id = ?", emailId)[0];
  }

  /** Removes up to `limit` messages of a campaign, those with the earliest scheduled time first. */
  takeCampaign(campaign: string, limit: number): LeavingMessage[] {
    return this.#take(`seq IN (SELECT seq ${OF_CAMPAIGN} ${SOONEST} LIMIT ?)`, campaign, limit);
  }

  /** True if the schedule has a message of the campaign. */
  hasCampaign(campaign: string): boolean {
    return this.#sql.exec(`SELECT 1 ${OF_CAMPAIGN} LIMIT 1`, campaign).toArray().length > 0;
  }

  waitingCampaigns(): WaitingCampaign[] {
    return countWaitingCampaigns(this.#sql);
  }

  /** Changes a message's time. Returns false if no such message waits. */
  move(emailId: string, scheduledAt: number): boolean {
    const moved = this.#sql
      .exec("UPDATE scheduled SET due_at = ? WHERE id = ? RETURNING seq", scheduledAt, emailId)
      .toArray();
    this.#dueAt = this.#earliest();
    return moved.length > 0;
  }

  find(emailId: string): ScheduledMessage | undefined {
    const [row] = this.#sql.exec<WaitingMessageRow>(`${WAITING} WHERE id = ?`, emailId).toArray();
    return row && waiting(row);
  }

  /** Reads a message with its content. */
  read(emailId: string): ClaimedMessage | undefined {
    const [row] = this.#sql.exec<ContentRow>(WITH_CONTENT, emailId).toArray();
    return row && { ...row, content: row.content === null ? null : textOrBytes(row.content) };
  }

  has(emailId: string): boolean {
    return this.#sql.exec("SELECT 1 FROM scheduled WHERE id = ?", emailId).toArray().length > 0;
  }

  list(range: ScheduledRange, limit: number): ScheduledPage {
    return listScheduledRows(this.#sql, range, limit);
  }

  /** Returns up to `limit` ids of scheduled messages: the highest ids below `before`. */
  idsBelow(before: string, limit: number): string[] {
    return idsBelow(this.#sql, "scheduled WHERE", before, limit);
  }

  /** Searches the JSON of the newest messages for `text`, ignoring upper and lower case. */
  mentioning(text: string, limit: number): MentioningMessage[] {
    return messagesMentioning(this.#sql, "scheduled ORDER BY id DESC", text, limit);
  }

  /** The keys of all content that the messages have in R2. */
  contentKeys(): string[] {
    const rows = this.#sql.exec<{ content_key: string }>(
      "SELECT content_key FROM scheduled WHERE content_key IS NOT NULL",
    );
    return Array.from(rows, (row) => row.content_key);
  }

  /** Removes and returns the messages that meet an SQL condition. */
  #take(condition: string, ...values: SqlStorageValue[]): LeavingMessage[] {
    const rows = this.#sql
      .exec<TakenRow>(`DELETE FROM scheduled WHERE ${condition} RETURNING ${TAKEN}`, ...values)
      .toArray();
    if (rows.length > 0) this.#dueAt = this.#earliest();
    return rows
      .toSorted((left, right) => left.scheduledAt - right.scheduledAt || left.seq - right.seq)
      .map(({ labels, ...row }) => ({
        ...row,
        labels: labels === null ? [] : (JSON.parse(labels) as FreshLabel[]),
      }));
  }

  #earliest(): number {
    const first = "SELECT min(due_at) AS at FROM scheduled";
    return this.#sql.exec<{ at: number | null }>(first).one().at ?? Number.POSITIVE_INFINITY;
  }
}
