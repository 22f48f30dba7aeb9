// The calls of the Durable Object that replays past events to one webhook (docs/webhooks.md
// §Replay), with their arguments and results. Times are Unix milliseconds.
import type { AuditEntry } from "../audit.ts";
import type { EventType } from "./event-types.ts";
import type { Position } from "./history-query.ts";

/** A replay, and the position in the history at which it continues to read backwards. */
export interface Replay {
  /** `rpl_<uuid>`. */
  readonly id: string;
  readonly types: readonly EventType[];
  readonly position: Position;
}

export type ReplayStatus = "running" | "done" | "stopped";

/** A replay that is running, or that ended in the last seven days. */
export interface KnownReplay {
  /**
   * Replays are sorted by this number, in the order in which they began. It is unique within the
   * webhook.
   */
  readonly position: number;
  readonly id: string;
  readonly types: readonly EventType[];
  readonly start: number;
  readonly end: number;
  readonly status: ReplayStatus;
  /** Number of events handed to the outbox. */
  readonly sent: number;
  /** The replay has handed over the events after this time and up to `end`. */
  readonly reachedAt: number;
  readonly createdAt: number;
  /** When the replay ended. Null: the replay is running. */
  readonly endedAt: number | null;
}

/** The replays of one webhook. */
export interface Replayer {
  /**
   * Begins a replay of the events before `end`. The replay is on disk when this resolves. Returns
   * false, and begins nothing, if WEBHOOK_REPLAYS are running already. `entry`: the replay's entry
   * in the trail.
   */
  begin(
    teamId: string,
    replay: Replay,
    end: number,
    now: number,
    entry?: AuditEntry | null,
  ): Promise<boolean>;
  /**
   * Returns up to `limit` replays before the position `before`, newest first. `before` null: begins
   * with the newest replay.
   */
  list(limit: number, before: number | null, now: number): KnownReplay[];
}
