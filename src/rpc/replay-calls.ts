// The calls of the Durable Object that replays past events to one webhook (docs/webhooks.md
// §Replay), with their arguments and results. Times are Unix milliseconds.
import type { AuditEntry } from "../audit.ts";
import type { EventType } from "./event-types.ts";
import type { Position } from "./history-query.ts";

/** A running replay, and its position in the history, which it reads from new to old. */
export interface Replay {
  /** `rpl_<uuid>`. */
  readonly id: string;
  readonly types: readonly EventType[];
  readonly position: Position;
}

export type ReplayStatus = "running" | "done" | "stopped";

/** A replay that is running, or that ended in the last seven days. */
export interface KnownReplay {
  /** The replay's number in the order in which replays began, unique within the webhook. */
  readonly position: number;
  readonly id: string;
  readonly types: readonly EventType[];
  readonly start: number;
  readonly end: number;
  readonly status: ReplayStatus;
  /** Number of events that the replay passed to the outbox. */
  readonly sent: number;
  /** The replay has passed the events between this time and `end` to the outbox. */
  readonly reachedAt: number;
  readonly createdAt: number;
  /** When the replay ended. Null: the replay is running. */
  readonly endedAt: number | null;
}

/** The replays of one webhook. */
export interface Replayer {
  /**
   * Begins a replay of the events before `end`, and stores it durably. Begins nothing and returns
   * false if WEBHOOK_REPLAYS replays are already running. `entry` is the replay's entry in the
   * audit trail.
   */
  begin(
    teamId: string,
    replay: Replay,
    end: number,
    now: number,
    entry?: AuditEntry | null,
  ): Promise<boolean>;
  /**
   * Returns up to `limit` replays with positions below `before`, newest first. If `before` is null,
   * begins with the newest replay.
   */
  list(limit: number, before: number | null, now: number): KnownReplay[];
}
