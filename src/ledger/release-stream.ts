// Names the streams in which messages wait for their release (docs/architecture.md §Release). Each
// campaign has a stream, and all messages without a campaign share one. Messages of high priority
// have a second set of such streams. Pure.
import type { Priority } from "../rpc/priority.ts";

/** Prefix of the streams of high priority. The name of a campaign cannot contain a colon. */
const HIGH = "high:";

/**
 * `stream`: the campaign, or "" for a message without a campaign. `priority`: absent if it is
 * normal.
 */
export function streamOf({
  stream,
  priority,
}: {
  readonly stream: string;
  readonly priority?: Priority | null | undefined;
}): string {
  return `${priority === "high" ? HIGH : ""}${stream}`;
}

export function priorityOf(stream: string): Priority {
  return stream.startsWith(HIGH) ? "high" : "normal";
}
