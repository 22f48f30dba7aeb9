// GET /v1/whoami names the presented key and what its team may send (contract.md §Identity).
import * as z from "zod";
import { type Endpoint, endpoint, json } from "../../endpoint.ts";
import { courierInForce, Sending, sendingBy } from "../team-settings/courier-choice.ts";

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
      "`daily` and `monthly` are caps on messages, named as a 429's `scope` is; `delivery_rate_per_minute` is how fast accepted mail is released, and refuses nothing. `sending` is there only where another courier than the gateway carries the team's mail, and says what that one can't keep.",
    operationId: "getIdentity",
    permission: "send",
    responses: { 200: Identity },
    handle({ settings, caller: { team, key } }) {
      const courier = courierInForce(team.courier, settings);
      const identity: z.output<typeof Identity> = {
        team: { id: team.id, name: team.name },
        api_key: { id: key.id, permissions: key.permissions },
        limits: {
          daily: team.limits.daily,
          monthly: team.limits.monthly,
          delivery_rate_per_minute: team.limits.deliveryRatePerMinute,
        },
        // Where nothing is lost, the member is absent (contract.md §Identity).
        ...(courier === "gateway" ? {} : { sending: sendingBy(courier) }),
      };
      return Promise.resolve(json(200, identity));
    },
  }),
];
