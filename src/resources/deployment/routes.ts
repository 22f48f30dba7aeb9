// Serves GET /admin/deployment (docs/doctor.md): the deployment's settings without secrets, and
// whether its gateways accept its token. Serves GET /admin/gateways too: the results of each
// gateway's own checks.
import * as z from "zod";
import { type Endpoint, endpoint, json } from "../../endpoint.ts";
import type { Env } from "../../env.ts";
import { logError } from "../../lib/log.ts";
import { COURIERS } from "../../settings.ts";
import { GatewayWatch, readGatewayWatch } from "./gateway-watch.ts";
import { GATEWAY_STATE_NAMES } from "../../operator/gateway-check-table.ts";
import { jurisdictionOf, objectOf } from "../../object-of.ts";
import { METRICS_OBJECT } from "../../rpc/metrics-calls.ts";
import { countTeamsElsewhere } from "../team-settings/teams-with-ledger.ts";
import { askGateway } from "./gateway-link.ts";

const Deployment = z.object({
  service_domain: z.string(),
  public_url: z.string(),
  outbound: z.enum(COURIERS),
  /** The state of each gateway. The list is empty when the deployment has no gateway. */
  gateways: z.array(
    z.object({
      url: z.string(),
      state: z.enum(GATEWAY_STATE_NAMES),
      status: z.int().nullable(),
      date: z.iso.datetime().nullable(),
    }),
  ),
  /** The jurisdiction within which all data must stay. Null: no jurisdiction is set. */
  jurisdiction: z.enum(["eu"]).nullable(),
  /** The jurisdiction that the Metrics object reports. Null: it has no jurisdiction. */
  object_jurisdiction: z.string().nullable(),
  /** The number of teams that had their first mail under another jurisdiction. */
  teams_elsewhere: z.int(),
  /** The settings by which people sign in to the console. Null: only API keys can sign in. */
  access: z
    .object({ issuer: z.string(), audience: z.string(), console_url: z.string() })
    .nullable(),
  /** The worker's clock. */
  time: z.iso.datetime(),
});

const Gateways = z.object({
  gateways: z.array(z.object({ url: z.string(), watch: GatewayWatch.nullable() })),
});

export const deploymentEndpoints: readonly Endpoint[] = [
  endpoint({
    method: "GET",
    path: "/admin/deployment",
    summary: "Get the deployment's settings, and whether its gateways agree",
    description:
      "Asks each gateway whether it accepts this worker's token. `state`: `agreed`, " +
      "`refused` (the tokens differ), `unavailable` (it accepts no mail at the moment), " +
      "`unreachable`, or `unexpected` (something else answers there). No secret is shown.",
    permission: "operator",
    responses: { 200: Deployment },
    async handle({ env, settings, now }) {
      const { serviceDomain, publicUrl, outbound, egressUrls, gatewayToken, access } = settings;
      const [gateways, told, elsewhere] = await Promise.all([
        Promise.all(
          egressUrls.map(async (url) => ({ url, ...(await askGateway(url, gatewayToken)) })),
        ),
        readObjectJurisdiction(env),
        countTeamsElsewhere(env, jurisdictionOf(env)),
      ]);
      const deployment: z.output<typeof Deployment> = {
        service_domain: serviceDomain,
        public_url: publicUrl,
        outbound,
        gateways,
        jurisdiction: jurisdictionOf(env),
        object_jurisdiction: told,
        teams_elsewhere: elsewhere,
        access: access && {
          issuer: access.issuer,
          audience: access.audience,
          console_url: access.consoleUrl,
        },
        time: new Date(now).toISOString(),
      };
      return json(200, deployment);
    },
  }),
  endpoint({
    method: "GET",
    path: "/admin/gateways",
    summary: "List the gateways, what each found about itself, and its destinations",
    description:
      "Each gateway checks every hour what receivers see of it: the addresses that its mail " +
      "leaves from (`addresses`), their reverse DNS (`ptr`), the name that EHLO gives " +
      "(`helo`), the service's SPF record (`spf`), its `certificate`, and, if configured, " +
      "block lists (`block_list`; `link` is the page that takes an address off the list). " +
      "`unknown`: the gateway could not find out. `failed`: the word of an earlier version of " +
      "the gateway for `critical`. `destinations` lists the twenty most used " +
      "now: their connections (`open`), the messages that wait for a connection (`waiting`), " +
      "the connections refused since the gateway's start (`refused`), how many connections " +
      "they may have now (`concurrency`) and the reason for that number (`why`): `most` (the " +
      "maximum for a destination of its kind), `answers` (the number grows as its servers " +
      "answer), `failures` (its servers fail), `announced` (a server announced this limit) or " +
      "`share` (other destinations use the rest). `watch` is null if the gateway is down or " +
      "of an earlier version.",
    permission: "operator",
    responses: { 200: Gateways },
    async handle({ settings: { egressUrls, gatewayToken } }) {
      const gateways: z.output<typeof Gateways>["gateways"] = await Promise.all(
        egressUrls.map(async (url) => ({ url, watch: await readGatewayWatch(url, gatewayToken) })),
      );
      return json(200, { gateways });
    },
  }),
];

/** Returns null if the object has no jurisdiction or does not answer. */
async function readObjectJurisdiction(env: Env): Promise<string | null> {
  try {
    return await objectOf(env, "METRICS", METRICS_OBJECT).jurisdiction();
  } catch (error) {
    logError("object_jurisdiction_unread", error);
    return null;
  }
}
