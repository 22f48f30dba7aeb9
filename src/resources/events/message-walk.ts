// Walks through the messages that a team's chunks have, the last accepted first (docs/storage.md
// §Listing messages). Each is found in every chunk in which it begins, so it is found wherever the
// walk goes on.
import type { MessageRecord } from "../../rpc/event-records.ts";
import type { Bookmarks } from "../../rpc/shard-types.ts";
import { daysBack, dayOf } from "../../db/days.ts";
import { ShardSessions } from "../../db/read-session.ts";
import { shardOn } from "../../db/shards.ts";
import type { Env } from "../../env.ts";
import { DAY_MS, HOUR_MS } from "../../limits.ts";
import { isBeginning } from "./begun-messages.ts";
import { matchesEvent, matchesMessage } from "./event-filters.ts";
import type { MessageFilters } from "../../rpc/history-query.ts";
import { bookmarksFor, type HistoryTeam, CHUNKS_PER_REQUEST } from "./history.ts";
import { LateStream, messageStreamsOf, type MessageAsk } from "./message-streams.ts";
import { openChunk } from "./open-chunk.ts";
import { bodyOf, LATE_MS, type ChunkRow } from "./store.ts";
import { Walk } from "./walk.ts";

/** A place among messages: all with lower ids lie below it. It is an id, or the start of ids. */
export type MessagePosition = string;

export interface MessageWindow {
  /** The place that earlier pages of the list reached. */
  readonly before: MessagePosition;
  /** The earliest event that is shown, Unix milliseconds. */
  readonly start: number;
  readonly now: number;
}

const PREFIX = "email_";
/** The digits of a version 7 UUID that are its time. */
const TIME_DIGITS = 12;

/** The place below which all messages were accepted before `ms`, Unix milliseconds. */
function placeAt(ms: number): MessagePosition {
  const digits = ms.toString(16).padStart(TIME_DIGITS, "0");
  return `${PREFIX}${digits.slice(0, 8)}-${digits.slice(8)}`;
}

export class MessageWalk {
  readonly #team: HistoryTeam;
  readonly #ask: MessageAsk;
  readonly #window: MessageWindow;
  readonly #sessions: ShardSessions;
  readonly #walk: Walk;
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
    // A day's chunks may begin within the hour before it.
    const first = dayOf(Math.min(last + LATE_MS + HOUR_MS, window.now + DAY_MS));
    const days = daysBack(dayOf(window.now + DAY_MS), dayOf(window.start));
    this.#walk = new Walk(
      {
        streams: days.flatMap((day) => messageStreamsOf(day, this.#ask, day > first)),
        start: 0,
        daysAhead: days.filter((day) => day > first).length,
        take: (row) => this.#take(row),
      },
      (day) => this.#sessions.on(shardOn(team.shards, day)),
    );
  }

  /** The messages found so far, in no particular order. */
  get found(): Iterable<MessageRecord> {
    return this.#found.values();
  }

  /** A place above every message that is still to be found; null: the walk is complete. */
  get horizon(): MessagePosition | null {
    const { latest } = this.#walk;
    return latest === null ? null : placeAt(latest + 1);
  }

  /** True if one request may read more chunks. */
  get mayGoOn(): boolean {
    return this.#walk.chunks < CHUNKS_PER_REQUEST;
  }

  /**
   * Makes one round trip to each shard. `wanted`: how many more messages are needed. A walk that
   * has read its chunks leaves the late ones, since they may be in no useful order.
   */
  goOn(wanted: number): Promise<void> {
    if (!this.mayGoOn) this.#walk.leave((stream) => stream instanceof LateStream);
    return this.#walk.goOn(wanted);
  }

  /** The bookmarks for the pages of the list after this one. */
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

/** The time of the ids at a place, Unix milliseconds, at most `most`. */
function timeOf(place: MessagePosition, most: number): number {
  const digits = place.slice(PREFIX.length).replaceAll("-", "").slice(0, TIME_DIGITS);
  return digits.length < TIME_DIGITS ? most : Math.min(Number.parseInt(digits, 16), most);
}
