// The calls of the object that replays past events to one webhook (docs/webhooks.md §Replay), with
// their arguments and results. Times are Unix milliseconds.
import type { EventType } from "./event-types.ts";
import type { Position } from "./history-query.ts";

/** A replay, and the position from which its events are read backwards. */
export interface Replay {
  /** `rpl_<uuid>`. */
  readonly id: string;
  readonly types: readonly EventType[];
  readonly position: Position;
}

export type ReplayStatus = "running" | "done" | "stopped";

/** A replay that is running, or that ended in the last seven days. */
export interface KnownReplay {
  /** Orders the replays by their beginnings; unique within the webhook. */
  readonly position: number;
  readonly id: string;
  readonly types: readonly EventType[];
  readonly start: number;
  readonly end: number;
  readonly status: ReplayStatus;
  /** Number of events handed to the outbox. */
  readonly sent: number;
  /** The events after this time, up to `end`, are handed to the outbox. */
  readonly reachedAt: number;
  readonly createdAt: number;
  /** Null: it is running. */
  readonly endedAt: number | null;
}

/** The replays of one webhook. */
export interface Replayer {
  /**
   * Begins a replay of the events before `end`, which is on disk when this resolves. False:
   * WEBHOOK_REPLAYS are running already, and this one was not begun.
   */
  begin(teamId: string, replay: Replay, end: number, now: number): Promise<boolean>;
  /** Returns up to `limit` replays before a position, newest first; null: from the newest. */
  list(limit: number, before: number | null, now: number): KnownReplay[];
}
