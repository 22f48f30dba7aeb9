// Decides which couriers may carry a team's mail, and which parts of the mail each courier keeps
// unchanged (docs/couriers.md).
import type { Env } from "../../env.ts";
import { COURIERS, type CourierName, isSetUp, type Settings } from "../../settings.ts";
import * as z from "zod";

/**
 * `kept`: the recipient gets this part of the mail as the gateway would send it. `up_to_relay`: the
 * service passes the part to the relay unchanged, but the relay may change it. `lost`: the courier
 * replaces the part, or never reports it to the service.
 */
const Treatment = z.enum(["kept", "up_to_relay", "lost"]);

const Keeps = z.object({
  /** The DKIM signature with the sending domain's own key. */
  dkim_signature: Treatment,
  /** The Message-ID that events show. */
  message_id: Treatment,
  /** Reports after a delivery: bounces and complaints. A lost report causes no event. */
  return_path: Treatment,
  /** The IP pool that a send names. */
  ip_pool: Treatment,
  /**
   * The reply of the recipient's mail server. If it is lost, `delivered` only means that the relay
   * accepted the message.
   */
  server_reply: Treatment,
});

export const Sending = z.object({ courier: z.enum(COURIERS), keeps: Keeps });

const KEEPS: Readonly<Record<CourierName, z.output<typeof Keeps>>> = {
  gateway: {
    dkim_signature: "kept",
    message_id: "kept",
    return_path: "kept",
    ip_pool: "kept",
    server_reply: "kept",
  },
  smtp: {
    dkim_signature: "up_to_relay",
    message_id: "up_to_relay",
    return_path: "up_to_relay",
    ip_pool: "lost",
    server_reply: "lost",
  },
  cloudflare: {
    dkim_signature: "lost",
    message_id: "lost",
    // Cloudflare's Email Service uses its own return-path, and reports bounces itself.
    return_path: "kept",
    ip_pool: "lost",
    server_reply: "kept",
  },
};

/** Returns the courier of a team's mail. `choice` null: the team uses the deployment's courier. */
export function courierFor(choice: CourierName | null, settings: Settings): CourierName {
  return choice ?? settings.outbound;
}

export function toSending(courier: CourierName): z.output<typeof Sending> {
  return { courier, keeps: KEEPS[courier] };
}

/**
 * Returns the problems with a team's courier and IP pools after a change, by member. Names only
 * members that the request contains (`given`).
 */
export function findCourierProblems(
  given: {
    readonly courier?: CourierName | null | undefined;
    readonly ip_pools?: readonly string[] | undefined;
  },
  result: { readonly courier: CourierName | null; readonly ipPools: readonly string[] },
  env: Env,
  settings: Settings,
): Record<string, string[]> {
  if (given.courier && !isSetUp(given.courier, env, settings))
    return { courier: ["is not set up in this deployment"] };
  const inForce = courierFor(result.courier, settings);
  if (result.ipPools.length === 0 || KEEPS[inForce].ip_pool === "kept") return {};
  // A team with IP pools cannot use a courier without pools, because the mail would then come from
  // other IP addresses.
  if (given.courier !== undefined)
    return { courier: [`\`${inForce}\` does not support IP pools, but the team has IP pools`] };
  return given.ip_pools ? { ip_pools: [`are not supported by the courier \`${inForce}\``] } : {};
}
