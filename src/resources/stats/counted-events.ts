// Adds the provider and the message's start to events, because the counts need them (contract.md
// §Providers). Pure.
import { type MessageEvents, type OwnEvent, recordStart } from "../../rpc/event-records.ts";
import type { EventOrigin } from "../../rpc/recent-events-calls.ts";
import { attemptHosts } from "../providers/attempt-hosts.ts";
import { eventProvider } from "../providers/provider-of.ts";
import type { CountedEvent } from "./hour-counts.ts";

/** Returns a message's events to count. `simulated`: the domain of the simulator's addresses. */
export function countedEvents(
  { message, events }: MessageEvents,
  simulated: string,
): CountedEvent[] {
  const hostOf = attemptHosts(events);
  const startedAt = recordStart(message);
  return events.map((event) =>
    countedEvent(event, message.fromDomain, { startedAt, mxHost: hostOf(event) }, simulated),
  );
}

/** Returns an event for counting. `sender` is the sending domain. */
export function countedEvent(
  { type, bounce, exchange, occurredAt, recipient }: OwnEvent,
  sender: string,
  { startedAt, mxHost }: EventOrigin,
  simulated: string,
): CountedEvent {
  const provider = eventProvider({ recipient, mxHost }, simulated);
  return { type, bounce, exchange, occurredAt, recipient, sender, startedAt, provider };
}
