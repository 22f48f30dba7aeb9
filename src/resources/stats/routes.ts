// Serves GET /v1/stats: counts of a team's events by hour or day (contract.md §Statistics).
import { type Endpoint, endpoint, json } from "../../endpoint.ts";
import { WindowCounts } from "./entries.ts";
import { pullHours } from "./pull-counts.ts";
import { windowOf } from "./count-window.ts";
import { Stats, type StatsEntry, StatsQuery } from "./wire.ts";

export const statsEndpoints: readonly Endpoint[] = [
  endpoint({
    method: "GET",
    path: "/v1/stats",
    summary: "Counts of events by hour or day",
    description:
      "Counts recipients by the time of their events, from `start` up to `end`. By default " +
      "these are the last 24 hours. The window never reaches back beyond the team's " +
      "retention, and is rounded out to whole intervals in UTC. Each interval has an entry, " +
      "even if it is empty. By `recipient_domain` an interval has an entry for each domain " +
      "that occurs, the largest first: at most 64 domains an hour and 200 in all are named, " +
      "and the entry `other` holds the rest. By `sending_domain` it has the same of the domains " +
      "that mail was sent from. By `provider` it has an entry for each mailbox " +
      "provider or filter whose mail servers accepted or refused mail.",
    operationId: "getStats",
    permission: "full",
    query: StatsQuery,
    responses: { 200: Stats },
    async handle({ env, caller: { team }, query, now }) {
      const window = windowOf(query, team.eventRetentionDays, now);
      const counts = new WindowCounts(window);
      const asked = { isReal: query.simulator === "exclude" };
      await pullHours(env, team, window, asked, (at, hour) => counts.add(at, hour));
      const answer: Stats = {
        interval: window.interval,
        start: new Date(window.start).toISOString(),
        end: new Date(window.end).toISOString(),
        data: entriesBy(query.group_by, counts),
        ...(query.group_by === "type" ? { total: counts.total() } : {}),
      };
      return json(200, answer);
    },
  }),
];

function entriesBy(group: StatsQuery["group_by"], counts: WindowCounts): StatsEntry[] {
  if (group === "recipient_domain" || group === "sending_domain")
    return counts.entriesByDomain(group);
  return group === "provider" ? counts.entriesByProvider() : counts.entries();
}
