// Serves GET /v1/deliverability: what providers did with the mail, and what is wrong (contract.md
// §Deliverability).
import { type Endpoint, endpoint, json } from "../../endpoint.ts";
import { windowOf } from "../stats/count-window.ts";
import { pullHours } from "../stats/pull-counts.ts";
import { MailWindow } from "./provider-window.ts";
import { previousWindow, reportOn } from "./mail-report.ts";
import { Deliverability, DeliverabilityQuery } from "./wire.ts";

export const deliverabilityEndpoints: readonly Endpoint[] = [
  endpoint({
    method: "GET",
    path: "/v1/deliverability",
    summary: "The fate of the mail by provider, and findings",
    description:
      "Each mailbox provider's figures from `start` up to `end`, and in the window before: how much " +
      "mail it took, put off and refused, how soon it took it, its most frequent refusals; and " +
      "findings, each with its evidence and what can be done. The window is the last 24 hours where it is " +
      "left out, never further back than the team's retention, rounded out to whole hours. Mail " +
      "to the simulator's addresses counts in none of it.",
    operationId: "getDeliverability",
    permission: "full",
    query: DeliverabilityQuery,
    responses: { 200: Deliverability },
    async handle({ env, caller: { team }, query, now }) {
      const window = windowOf({ ...query, interval: "hour" }, team.eventRetentionDays, now);
      const before = previousWindow(window, team.eventRetentionDays, now);
      const [current, previous] = [new MailWindow(), new MailWindow()];
      const both = { start: before?.start ?? window.start, end: window.end };
      await pullHours(env, team, both, { isReal: true }, (at, hour) =>
        (at < window.start ? previous : current).add(at, hour),
      );
      const answer = reportOn({ window, before, current, previous, now });
      return json(200, answer);
    },
  }),
];
