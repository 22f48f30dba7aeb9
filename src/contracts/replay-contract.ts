// The call of the object that replays past events to one webhook (docs/webhooks.md §Replay).
import type { EventType } from "./event-types.ts";
import type { Position } from "./history-query.ts";

/** What is left of a replay: its events are found from `position` backwards. */
export interface Replay {
  /** `rpl_<uuid>`. */
  readonly id: string;
  readonly types: readonly EventType[];
  readonly position: Position;
}

/** The replays of one webhook. */
export interface Replayer {
  /**
   * Begins a replay, which is on disk when this resolves. False: WEBHOOK_REPLAYS are under way
   * already, and nothing was begun.
   */
  begin(teamId: string, replay: Replay): Promise<boolean>;
}
