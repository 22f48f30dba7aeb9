// Stores the inbox's messages in a SQLite file. The messages' heads are also in memory. A message
// counts as stored when the kernel has its transaction. Therefore a kill of the process loses no
// message that it answered with 250.
import { randomUUID } from "node:crypto";
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";

const FILE = "messages.sqlite";
/**
 * SQLite makes no fsync here, because losing a developer's mail at a power failure does little
 * harm.
 */
const SCHEMA = `
  PRAGMA journal_mode = WAL;
  PRAGMA synchronous = OFF;
  CREATE TABLE IF NOT EXISTS messages (
    number INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, head TEXT NOT NULL, raw BLOB NOT NULL
  );
`;

/** A stored message, as listed by GET /api/messages. */
export interface MessageHead {
  readonly id: string;
  /** The envelope sender without angle brackets. It is empty for a bounce. */
  readonly mail_from: string;
  readonly rcpt_to: readonly string[];
  /** The message's From, To and Subject. A missing field is an empty text. */
  readonly from: string;
  readonly to: string;
  readonly subject: string;
  /** All copies of a message have the same value, even if their recipients differ. */
  readonly message_id: string;
  readonly received_at: string;
  readonly size: number;
  /** The TLS version of the SMTP session. Null: the session had no TLS. */
  readonly tls: string | null;
  /**
   * The client's IP address, its name in EHLO, and the number of the message in its SMTP session.
   */
  readonly session: { readonly client: string; readonly helo: string; readonly message: number };
}

export class MessageStore {
  readonly #database: DatabaseSync;
  readonly #heads = new Map<string, MessageHead>();

  constructor(directory: string) {
    mkdirSync(directory, { recursive: true });
    this.#database = new DatabaseSync(join(directory, FILE));
    this.#database.exec(SCHEMA);
    for (const { head } of this.#database
      .prepare("SELECT head FROM messages ORDER BY number")
      .all())
      this.#remember(JSON.parse(String(head)) as MessageHead);
  }

  /** Stores a message, which then survives a kill of this process. */
  add(raw: Buffer, envelope: Omit<MessageHead, "id" | "received_at" | "size">): MessageHead {
    const received_at = new Date().toISOString();
    const head = { id: randomUUID(), ...envelope, received_at, size: raw.length };
    this.#database
      .prepare("INSERT INTO messages (id, head, raw) VALUES (?, ?, ?)")
      .run(head.id, JSON.stringify(head), raw);
    this.#remember(head);
    return head;
  }

  /** Lists heads of messages, newest first. `to` selects one recipient, ignoring case. */
  list(to: string | null, limit: number): MessageHead[] {
    const wanted = to?.toLowerCase();
    const found: MessageHead[] = [];
    for (const head of [...this.#heads.values()].toReversed()) {
      if (found.length >= limit) break;
      if (wanted === undefined || head.rcpt_to.some((address) => address.toLowerCase() === wanted))
        found.push(head);
    }
    return found;
  }

  find(id: string): MessageHead | undefined {
    return this.#heads.get(id);
  }

  /** Returns a message's bytes as received. Returns undefined if no message has this id. */
  raw(id: string): Buffer | undefined {
    const row = this.#database.prepare("SELECT raw FROM messages WHERE id = ?").get(id);
    return row && Buffer.from(row["raw"] as Uint8Array);
  }

  clear(): void {
    this.#database.exec("DELETE FROM messages");
    this.#heads.clear();
  }

  close(): void {
    this.#database.close();
  }

  #remember(head: MessageHead): void {
    this.#heads.set(head.id, head);
  }
}
