// Finds the mail server of each of a message's events. `email.sent` has no exchange of its own, so
// it has the server of the outcome of the same attempt, which the same transaction recorded. Pure.
import type { OwnEvent } from "../../rpc/event-records.ts";

type AttemptEvent = Pick<OwnEvent, "recipient" | "attempt" | "exchange">;

/** Returns a function that tells the mail server of each of these events of one message. */
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
