// Names the streams in which messages wait for their release (docs/architecture.md §Release): one a
// campaign, one for the messages without a campaign, and the same again for messages of high
// priority. Pure.
import type { Priority } from "../contracts/priority.ts";

/** No campaign's name has a colon. */
const HIGH = "high:";

/** `campaign`: null or empty for a message without one. */
export function streamOf({
  campaign,
  priority,
}: {
  readonly campaign: string | null;
  readonly priority: Priority;
}): string {
  return `${priority === "high" ? HIGH : ""}${campaign ?? ""}`;
}

export function priorityOf(stream: string): Priority {
  return stream.startsWith(HIGH) ? "high" : "normal";
}
