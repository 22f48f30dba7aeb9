// Serves GET /admin/deployment (docs/operating.md §Doctor): the deployment's settings without
// secrets, and whether its gateways accept its token.
import * as z from "zod";
import { type Endpoint, endpoint, json } from "../../endpoint.ts";
import { COURIERS } from "../../settings.ts";
import { askGateway, LINK_STATES } from "./gateway-link.ts";

const Deployment = z.object({
  service_domain: z.string(),
  public_url: z.string(),
  outbound: z.enum(COURIERS),
  /** Empty when no gateway is set up. */
  gateways: z.array(
    z.object({
      url: z.string(),
      state: z.enum(LINK_STATES),
      status: z.int().nullable(),
      date: z.iso.datetime().nullable(),
    }),
  ),
  /** The worker's clock. */
  time: z.iso.datetime(),
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
    async handle({ settings, now }) {
      const { serviceDomain, publicUrl, outbound, egressUrls, gatewayToken } = settings;
      const gateways = await Promise.all(
        egressUrls.map(async (url) => ({ url, ...(await askGateway(url, gatewayToken)) })),
      );
      const deployment: z.output<typeof Deployment> = {
        service_domain: serviceDomain,
        public_url: publicUrl,
        outbound,
        gateways,
        time: new Date(now).toISOString(),
      };
      return json(200, deployment);
    },
  }),
];
