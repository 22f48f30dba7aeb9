// Serves GET /v1/whoami, which describes the presented key and its team's limits (contract.md
// §Identity).
import * as z from "zod";
import { type Endpoint, endpoint, json } from "../../endpoint.ts";
import { refuse } from "../../refusal.ts";
import { courierFor, Sending, toSending } from "../team-settings/courier-choice.ts";

const Identity = z
  .object({
    team: z.object({ id: z.string(), name: z.string() }).nullable(),
    api_key: z.object({ id: z.string(), permissions: z.enum(["full", "send_only"]) }),
    limits: z
      .object({ daily: z.int(), monthly: z.int(), delivery_rate_per_minute: z.int() })
      .nullable(),
    sending: Sending.optional(),
  })
  .meta({ id: "Identity" });

export const identityEndpoints: readonly Endpoint[] = [
  endpoint({
    method: "GET",
    path: "/v1/whoami",
    summary: "The caller's team, key permission and sending limits",
    description:
      "`daily` and `monthly` limit the number of messages; a 429 uses the same names in " +
      "`scope`. `delivery_rate_per_minute` is the rate at which accepted mail is released; it " +
      "never refuses a send. `sending` is only present when a courier other than the gateway " +
      "carries the team's mail. It says which parts of the mail that courier keeps unchanged.",
    operationId: "getIdentity",
    permission: "send",
    responses: { 200: Identity },
    handle({ settings, caller: { team, key } }) {
      if (!key) throw refuse("not_permitted");
      const courier = courierFor(team.courier, settings);
      const identity: z.output<typeof Identity> = {
        team: { id: team.id, name: team.name },
        api_key: { id: key.id, permissions: key.permissions },
        limits: {
          daily: team.limits.daily,
          monthly: team.limits.monthly,
          delivery_rate_per_minute: team.limits.deliveryRatePerMinute,
        },
        // The response has `sending` only for other couriers than the gateway, because the gateway
        // changes no part of the mail (contract.md §Identity).
        ...(courier === "gateway" ? {} : { sending: toSending(courier) }),
      };
      return Promise.resolve(json(200, identity));
    },
  }),
];
