// Scans the messages in a team's chunks, last accepted first (docs/storage.md §Listing messages). A
// scan finds a message in every chunk in which the message begins. So it does not matter at which
// chunk the previous page stopped.
import type { MessageRecord } from "../../rpc/event-records.ts";
import type { Bookmarks } from "../../rpc/shard-types.ts";
import { daysBack, dayOf } from "../../db/days.ts";
import { ShardSessions } from "../../db/shard-session.ts";
import { shardOn } from "../../db/shards.ts";
import type { Env } from "../../env.ts";
import { EMAIL_PREFIX } from "../../lib/ids.ts";
import { DAY_MS, HOUR_MS } from "../../limits.ts";
import { isBeginning } from "./messages-begun-in-chunk.ts";
import { matchesEvent, matchesMessage } from "./event-filters.ts";
import type { MessageFilters } from "../../rpc/history-query.ts";
import { bookmarksFor, type HistoryTeam, CHUNKS_PER_REQUEST } from "./history.ts";
import { LateReader, messageReadersOf } from "./message-readers.ts";
import { openChunk } from "./open-chunk.ts";
import { bodyOf, LATE_MS, type ChunkRow } from "./store.ts";
import { hexTime, TIME_DIGITS } from "./chunk-form.ts";
import type { ChunkReaderQuery } from "./chunk-readers.ts";
import { ChunkScan } from "./chunk-scan.ts";

/**
 * A position in the list of messages, newest first: a message's id, or a prefix of an id. Messages
 * with lower ids come after the position.
 */
export type MessagePosition = string;

export interface MessageWindow {
  /** The position in the list at which the previous page ended. */
  readonly before: MessagePosition;
  /** The time of the earliest wanted event, Unix milliseconds. */
  readonly start: number;
  readonly now: number;
}

/**
 * Returns the position between the messages accepted before `ms` (Unix milliseconds) and the
 * messages accepted at `ms` or later.
 */
function placeAt(ms: number): MessagePosition {
  const digits = hexTime(ms);
  return `${EMAIL_PREFIX}${digits.slice(0, 8)}-${digits.slice(8)}`;
}

export class MessageScan {
  readonly #team: HistoryTeam;
  readonly #ask: ChunkReaderQuery;
  readonly #window: MessageWindow;
  readonly #sessions: ShardSessions;
  readonly #scan: ChunkScan;
  readonly #found = new Map<string, MessageRecord>();

  constructor(
    env: Env,
    team: HistoryTeam,
    filters: MessageFilters,
    window: MessageWindow,
    seen: Bookmarks,
  ) {
    const last = timeOf(window.before, window.now + DAY_MS);
    this.#team = team;
    this.#window = window;
    this.#ask = { team, filters, start: window.start, last };
    this.#sessions = new ShardSessions(env, seen);
    // A day's table may have chunks that begin in the last hour of the previous day.
    const first = dayOf(Math.min(last + LATE_MS + HOUR_MS, window.now + DAY_MS));
    const days = daysBack(dayOf(window.now + DAY_MS), dayOf(window.start));
    this.#scan = new ChunkScan(
      {
        readers: days.flatMap((day) => messageReadersOf(day, this.#ask, day > first)),
        start: 0,
        daysAhead: days.filter((day) => day > first).length,
        take: (row) => this.#take(row),
      },
      (day) => this.#sessions.on(shardOn(team.shards, day)),
    );
  }

  /** The messages found so far, unsorted. */
  get found(): Iterable<MessageRecord> {
    return this.#found.values();
  }

  /** The position down to which the scan has found all messages. Null: the scan is complete. */
  get horizon(): MessagePosition | null {
    const { latest } = this.#scan;
    return latest === null ? null : placeAt(latest + 1);
  }

  /** True if this request may read more chunks. */
  get mayGoOn(): boolean {
    return this.#scan.chunks < CHUNKS_PER_REQUEST;
  }

  /**
   * Makes one round trip to each shard. `wanted` is the number of messages that the page still
   * needs. When the request has read its maximum of chunks, removes the readers of late chunks,
   * because these chunks might not help to complete this page.
   */
  goOn(wanted: number): Promise<void> {
    if (!this.mayGoOn) this.#scan.leave((reader) => reader instanceof LateReader);
    return this.#scan.goOn(wanted);
  }

  /** Returns the bookmarks for the next pages of the list. */
  bookmarks(): Bookmarks {
    const { start, now } = this.#window;
    return bookmarksFor(this.#team, { start, at: now }, this.#sessions.bookmarks());
  }

  #take(row: ChunkRow): void {
    const { team, filters, start } = this.#ask;
    const chunk = openChunk(team.id, bodyOf(row));
    const events = chunk.events({
      message: (message) =>
        message.emailId < this.#window.before && matchesMessage(message, filters),
      event: (event) => event.occurredAt >= start && matchesEvent(event, filters),
    });
    for (const event of events) {
      if (!isBeginning(event) || this.#found.has(event.emailId)) continue;
      this.#found.set(event.emailId, chunk.message(event.emailId)!);
    }
  }
}

/** Returns the time in a position's id, in Unix milliseconds, or `most` if it is later. */
function timeOf(place: MessagePosition, most: number): number {
  const digits = place.slice(EMAIL_PREFIX.length).replaceAll("-", "").slice(0, TIME_DIGITS);
  return digits.length < TIME_DIGITS ? most : Math.min(Number.parseInt(digits, 16), most);
}
