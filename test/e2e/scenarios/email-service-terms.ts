// Derives the expected results through Cloudflare's Email Service from the results through the
// gateway. The service retries a deferred message by itself. Its retries appear as delays of one
// attempt, and end after the service's own number of retries. If a delivery failed without a
// server's reply, the worker makes the next attempt. Events name neither the mail server nor TLS.
import {
  event,
  type ExpectedEvent,
  type Fate,
  NO_CONNECTION,
  NO_RESPONSE,
  NO_SERVER,
  NO_TLS,
  ownReply,
  QUEUED,
  runsHere,
  type Scenario,
} from "./scenario-terms.ts";

/** The number of times that the Email Service's double tries a deferred message. */
const SERVICE_ATTEMPTS = 7;
const OWN_WORDS: ReadonlySet<string | null> = new Set([
  NO_CONNECTION,
  NO_RESPONSE,
  NO_SERVER,
  NO_TLS,
]);
const FAILED = ownReply(451, NO_RESPONSE);
/** The attempts of the worker at a message that cannot be delivered for 72 hours. */
const FAILED_FOR_72_HOURS = [
  event("delayed", "1..n", FAILED),
  event("bounced", "n+1", { bounce_type: "expired", ...FAILED }),
];

export function tellsOfEmailService(scenario: Scenario): boolean {
  return scenario.gatewayOnly === undefined && runsHere(scenario);
}

export function throughEmailService(scenario: Scenario): Scenario {
  const fates = Object.entries(scenario.fates).map(([address, told]): [string, Fate] => [
    address,
    {
      ...told,
      events: eventsThrough(told.events),
      ...(told.next && { next: eventsThrough(told.next) }),
    },
  ]);
  return { ...scenario, fates: Object.fromEntries(fates) };
}

function eventsThrough(events: readonly ExpectedEvent[]): ExpectedEvent[] {
  let attempt = 1;
  return events.flatMap((told): ExpectedEvent[] => {
    if (told.type === "email.sent") return [{ ...told, smtp_response: QUEUED }];
    if (told.attempt === null) return [told];
    if (OWN_WORDS.has(told.smtp_response)) {
      if (told.attempt === "n+1") return [];
      if (told.attempt === "1..n" || told.type === "email.bounced") return FAILED_FOR_72_HOURS;
      return [event("delayed", attempt++, FAILED)];
    }
    const quoted = { ...told, attempt, mx_host: null, tls: false };
    const isRun = told.attempt === "1..n";
    return Array.from({ length: isRun ? SERVICE_ATTEMPTS - 1 : 1 }, () => quoted);
  });
}
