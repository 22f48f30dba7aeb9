// Serves GET /v1/stats: how many recipients had which events, by hour or day (contract.md
// §Statistics).
import { type Endpoint, endpoint, json } from "../../endpoint.ts";
import { pullCounts } from "./pull-counts.ts";
import { windowOf } from "./count-window.ts";
import { Stats, StatsQuery } from "./wire.ts";

export const statsEndpoints: readonly Endpoint[] = [
  endpoint({
    method: "GET",
    path: "/v1/stats",
    summary: "Counts of events by hour or day",
    description:
      "Recipients, counted by when it happened, from `start` up to `end`: the last 24 hours " +
      "where they are left out, never further back than the team's retention, rounded out to " +
      "whole intervals in UTC. " +
      "Each interval has its entry, an empty one too. By `recipient_domain` an interval has " +
      "an entry for each domain that occurs, the largest first: at most 64 domains an hour " +
      "and 200 in all are named, and the entry `other` holds the rest.",
    operationId: "getStats",
    permission: "full",
    query: StatsQuery,
    responses: { 200: Stats },
    async handle({ env, caller: { team }, query, now }) {
      const window = windowOf(query, team.eventRetentionDays, now);
      const counts = await pullCounts(env, team, window);
      const answer: Stats = {
        interval: window.interval,
        start: new Date(window.start).toISOString(),
        end: new Date(window.end).toISOString(),
        data: query.group_by === "recipient_domain" ? counts.entriesByDomain() : counts.entries(),
        ...(query.group_by === "type" ? { total: counts.total() } : {}),
      };
      return json(200, answer);
    },
  }),
];
