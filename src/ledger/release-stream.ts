// Names the streams in which messages wait for their release (docs/architecture.md §Release): each
// campaign has one, and the messages without a campaign share one. Messages of high priority have
// such streams of their own. Pure.
import type { Priority } from "../rpc/priority.ts";

/** No campaign's name has a colon. */
const HIGH = "high:";

/** `stream`: the campaign, or "" for a message without one. `priority`: unset for normal. */
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
