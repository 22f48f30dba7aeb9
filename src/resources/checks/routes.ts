// Serves GET /admin/checks: the result of every check, with its limit, its sentence and the next
// step (docs/checks.md). The doctor and the console print this response.
import { type Endpoint, endpoint, json } from "../../endpoint.ts";
import type { Env } from "../../env.ts";
import { logError } from "../../lib/log.ts";
import { withTimeout } from "../../lib/with-timeout.ts";
import { SECOND_MS } from "../../limits.ts";
import { METRICS_OBJECT } from "../../rpc/metrics-calls.ts";
import { misspeltSettings, type Settings } from "../../settings.ts";
import { readGatewayWatch } from "../deployment/gateway-watch.ts";
import { askGateway } from "../deployment/gateway-link.ts";
import { collect } from "../metrics/collect.ts";
import { gatewayRows } from "./gateway-rows.ts";
import { judgeChecks, worstStatus } from "./judge-checks.ts";
import { Checks, type CheckRow } from "./wire.ts";
import { objectOf } from "../../object-of.ts";

const WATCH_WITHIN_MS = 2 * SECOND_MS;

export const checkEndpoints: readonly Endpoint[] = [
  endpoint({
    method: "GET",
    path: "/admin/checks",
    summary: "Judge the deployment's numbers and gateways",
    description:
      "Every check with its limit, a sentence and the next step. `status`: `critical`, " +
      "`warning`, `unknown` (a source does not answer), `alert_only` (only Prometheus can judge " +
      "the number) or `ok`. `since` is the time when the worker first saw the check beyond its " +
      "limit. Numbers are totals over all teams, at most a minute old.",
    permission: "operator",
    responses: { 200: Checks },
    async handle({ env, settings, now }) {
      const [{ samples, marks }, gateways] = await Promise.all([
        collect(env, now),
        readGateways(settings),
      ]);
      const misspelt = misspeltSettings(env);
      const hasGateways = settings.egressUrls.length > 0;
      const rows = [
        ...judgeChecks({ samples, marks, misspelt, hasGateways, now }),
        ...gateways.flat(),
      ];
      const answer: Checks = {
        checked_at: new Date(now).toISOString(),
        status: worstStatus(rows),
        checks: await datedRows(env, rows, now),
      };
      return json(200, answer);
    },
  }),
];

function readGateways({ egressUrls, gatewayToken }: Settings): Promise<CheckRow[][]> {
  return Promise.all(
    egressUrls.map(async (url) => {
      const [link, watch] = await Promise.all([
        askGateway(url, gatewayToken),
        readGatewayWatch(url, gatewayToken),
      ]);
      return gatewayRows({ url, link, watch });
    }),
  );
}

/** Sets `since` in the row of each check that is over its limit, if the Metrics object answers. */
async function datedRows(env: Env, rows: readonly CheckRow[], now: number): Promise<CheckRow[]> {
  const over = [...new Set(rows.filter(needsAttention).map(keyOf))];
  try {
    const since = await withTimeout(WATCH_WITHIN_MS, async () =>
      objectOf(env, "METRICS", METRICS_OBJECT).watch(over, now),
    );
    return rows.map((row) => {
      const at = needsAttention(row) ? since[keyOf(row)] : undefined;
      return at === undefined ? row : { ...row, since: new Date(at).toISOString() };
    });
  } catch (error) {
    logError("metrics_source_silent", error, { source: "counters" });
    return [...rows];
  }
}

function needsAttention({ status }: CheckRow): boolean {
  return status === "critical" || status === "warning";
}

function keyOf({ check, subject }: CheckRow): string {
  return subject === null ? check : `${check} ${subject}`;
}
