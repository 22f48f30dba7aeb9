// Names the streams in which messages wait for their release (docs/architecture.md §Release). Each
// campaign of a sending domain has a stream. All messages of a domain without a campaign share one
// stream. Messages of high priority have a second set of such streams. Pure.
import type { Priority } from "../rpc/priority.ts";

/** Prefix of the streams of high priority. The name of a campaign cannot contain a colon. */
const HIGH = "high:";
/**
 * Precedes the sending domain in the name of a stream. The name of a campaign cannot contain this
 * character.
 */
const AT = "@";

interface Streamed {
  /** The campaign. "" means that the message has no campaign. */
  readonly stream: string;
  /** Absent means normal priority. */
  readonly priority?: Priority | null | undefined;
  /** The sending domain. "" means that the domain is unknown. */
  readonly domain: string;
}

export function streamOf({ stream, priority, domain }: Streamed): string {
  return `${priority === "high" ? HIGH : ""}${stream}${domain ? AT + domain : ""}`;
}

/**
 * Returns the stream for messages without a campaign that has the same priority and domain as
 * `stream`.
 */
export function commonStreamOf(stream: string): string {
  return streamOf({ stream: "", priority: priorityOf(stream), domain: domainOf(stream) });
}

/** Returns the sending domain of a stream. "" means that the stream's name has no domain. */
export function domainOf(stream: string): string {
  return stream.split(AT)[1] ?? "";
}

export function priorityOf(stream: string): Priority {
  return stream.startsWith(HIGH) ? "high" : "normal";
}
