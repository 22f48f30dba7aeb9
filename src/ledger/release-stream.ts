// Names the streams in which messages wait for their release (docs/architecture.md §Release). Each
// campaign of a sending domain has a stream, and all messages of a domain without a campaign share
// one. Messages of high priority have a second set of such streams. Pure.
import type { Priority } from "../rpc/priority.ts";

/** Prefix of the streams of high priority. The name of a campaign cannot contain a colon. */
const HIGH = "high:";
/** Precedes the sending domain. The name of a campaign cannot contain it. */
const AT = "@";

interface Streamed {
  /** The campaign, or "" for a message without a campaign. */
  readonly stream: string;
  /** Absent: normal. */
  readonly priority?: Priority | null | undefined;
  /** The sending domain. Absent: the last version of the worker accepted the message. */
  readonly domain?: string | null | undefined;
}

export function streamOf({ stream, priority, domain }: Streamed): string {
  return `${priority === "high" ? HIGH : ""}${stream}${domain ? AT + domain : ""}`;
}

/** Returns the stream of the messages without a campaign that have this priority and domain. */
export function commonStreamOf(stream: string): string {
  return streamOf({ stream: "", priority: priorityOf(stream), domain: domainOf(stream) });
}

/** Returns the sending domain of a stream; "": not known. */
export function domainOf(stream: string): string {
  return stream.split(AT)[1] ?? "";
}

export function priorityOf(stream: string): Priority {
  return stream.startsWith(HIGH) ? "high" : "normal";
}
