// The call of the object that replays past events to one webhook (docs/webhooks.md §Replay).
import type { EventType } from "./event-types.ts";
import type { Position } from "./history-query.ts";

/** A replay, and the position from which its events are read backwards. */
export interface Replay {
  /** `rpl_<uuid>`. */
  readonly id: string;
  readonly types: readonly EventType[];
  readonly position: Position;
}

/** The replays of one webhook. */
export interface Replayer {
  /**
   * Begins a replay, which is on disk when this resolves. False: WEBHOOK_REPLAYS are running
   * already, and this one was not begun.
   */
  begin(teamId: string, replay: Replay): Promise<boolean>;
}
