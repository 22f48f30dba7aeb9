// Finds the mail server of each event of a message. `email.sent` does not record a server. So it
// gets the server of the attempt's outcome, which the same transaction recorded. Pure.
import type { OwnEvent } from "../../rpc/event-records.ts";

type AttemptEvent = Pick<OwnEvent, "recipient" | "attempt" | "exchange">;

/** Returns a function that finds an event's mail server. `events` are the events of one message. */
export function attemptHosts(
  events: readonly AttemptEvent[],
): (event: AttemptEvent) => string | null {
  const hosts = new Map<string, string>();
  for (const event of events)
    if (event.exchange?.mxHost) hosts.set(attemptOf(event), event.exchange.mxHost);
  return (event) =>
    event.exchange
      ? event.exchange.mxHost
      : event.attempt === null
        ? null
        : (hosts.get(attemptOf(event)) ?? null);
}

function attemptOf({ recipient, attempt }: AttemptEvent): string {
  return `${attempt} ${recipient}`;
}
