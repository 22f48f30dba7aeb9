// Computes the progress of a replay. A replay runs backwards, from the end of its period to the
// start. Pure.
import type { WebhookReplay } from "../../../../packages/postern/src/generated/types.ts";
import { formatCount, formatDuration } from "../../parts/figures.ts";

/** A replay's event types and its period. */
export interface ReplayRequest {
  readonly start: string;
  readonly end?: string;
  readonly event_types: WebhookReplay["event_types"];
}

/** Returns the completed part of the period, from 0 to 1. */
export function doneShare({ start, end, reached_at: reached, status }: WebhookReplay): number {
  if (status === "done") return 1;
  const whole = Date.parse(end) - Date.parse(start);
  if (whole <= 0) return 0;
  return Math.min(1, Math.max(0, (Date.parse(end) - Date.parse(reached)) / whole));
}

/**
 * Describes the number of delivered events, the speed, the remaining time, and the reason if the
 * replay stopped. `isPaused`: the service paused the webhook after failures.
 */
export function replayText(replay: WebhookReplay, now: number, isPaused = false): string {
  const { status, sent, created_at: created, completed_at: completed } = replay;
  const took = (completed === null ? now : Date.parse(completed)) - Date.parse(created);
  const handed = `${formatCount(sent)} ${sent === 1 ? "event" : "events"} queued`;
  if (status === "done") return `Done: ${handed} in ${formatDuration(Math.max(0, took))}.`;
  if (status === "stopped") return `Stopped when the webhook was disabled: ${handed}.`;
  if (isPaused) return `${handed}. Waiting for the endpoint to answer with a 2xx.`;
  const share = doneShare(replay);
  if (share === 0 || took < 1_000) return `${handed}.`;
  const rate = formatCount(Math.round((sent * 1_000) / took));
  const left = formatDuration((took * (1 - share)) / share);
  return `${handed}, ${rate} per second. About ${left} left.`;
}
