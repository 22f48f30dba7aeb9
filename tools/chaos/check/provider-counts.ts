// Checks the counters by provider (contract.md §Statistics, §Deliverability): in a round, the
// counters must grow by exactly the events of the round. An event belongs to the provider under
// which GET /v1/events finds it. Pure.
import type { CountedFacts, Counters } from "../read-counters.ts";
import { providerOf } from "../plan-servers.ts";
import type { EventFact, RoundFacts } from "../recorded-facts.ts";
import type { Violation } from "./check.ts";

/** The types of events that GET /v1/deliverability counts, and their names there. */
const FIGURES: Readonly<Record<string, string>> = {
  sent: "sent",
  delivered: "delivered",
  delayed: "deferred",
  bounced: "bounced",
  complained: "complaints",
};

/** Finds each counter that differs from the events, and each delivery with a wrong provider. */
export function findWrongCounts(
  { events, emailService }: Pick<RoundFacts, "events" | "emailService">,
  counted: CountedFacts,
): Violation[] {
  const providerFor = ({ id }: EventFact): string => counted.providers.get(id) ?? "none";
  const [stats, deliverability] = [new Map<string, number>(), new Map<string, number>()];
  for (const event of events) {
    const [provider, type] = [providerFor(event), event.type.slice("email.".length)];
    const figure = FIGURES[type];
    raise(stats, `${provider} ${type}`);
    if (figure !== undefined) raise(deliverability, `${provider} ${figure}`);
    if (type !== "bounced") continue;
    const name = `${provider} bounced ${event.bounce_classification ?? "none"}`;
    raise(stats, name);
    raise(deliverability, name);
  }
  const strayed = events
    .filter(({ type }) => type === "email.delivered" && !emailService)
    .filter((event) => providerFor(event) !== providerOf(event.recipient));
  return [
    ...differences("/v1/stats", counted.stats, stats),
    ...differences("/v1/deliverability", counted.deliverability, deliverability),
    ...strayed.map(
      ({ id, recipient }) => `the filter by provider does not find ${id} for ${recipient}`,
    ),
  ].map((detail) => ({ rule: "counters", token: null, detail }));
}

function differences(path: string, counted: Counters, events: Counters): string[] {
  return [...new Set([...counted.keys(), ...events.keys()])]
    .filter((name) => (counted.get(name) ?? 0) !== (events.get(name) ?? 0))
    .map(
      (name) => `${path} has ${counted.get(name) ?? 0} ${name}, events ${events.get(name) ?? 0}`,
    );
}

function raise(counts: Map<string, number>, name: string): void {
  counts.set(name, (counts.get(name) ?? 0) + 1);
}
