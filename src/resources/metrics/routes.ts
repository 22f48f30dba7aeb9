// Serves GET /admin/metrics (docs/metrics-and-alerts.md §Metrics) to a Prometheus server with the
// operator's token.
import * as z from "zod";
import { type Endpoint, endpoint } from "../../endpoint.ts";
import { collect } from "./collect.ts";
import { expose, EXPOSITION_TYPE } from "./exposition.ts";

export const metricsEndpoints: readonly Endpoint[] = [
  endpoint({
    method: "GET",
    path: "/admin/metrics",
    summary: "Numbers for monitoring",
    description:
      "Prometheus text format 0.0.4: totals over all teams, at most a minute old. If a source " +
      "does not answer, its metrics are left out and `postern_source_up` names it.",
    permission: "operator",
    produces: "text/plain",
    responses: { 200: z.string() },
    async handle({ env, now }) {
      return {
        status: 200,
        body: expose((await collect(env, now)).samples),
        headers: { "Content-Type": EXPOSITION_TYPE },
      };
    },
  }),
];
