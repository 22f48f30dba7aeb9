// Decides which couriers may carry a team's mail, and which parts of the mail each courier keeps
// unchanged (docs/couriers.md).
import type { Env } from "../../env.ts";
import { COURIERS, type CourierName, isSetUp, type Settings } from "../../settings.ts";
import * as z from "zod";

/**
 * `kept`: the part of the mail stays as the gateway would send it. `up_to_relay`: the service hands
 * the part over unchanged, but the relay may change it. `lost`: the part is replaced, or the
 * service never learns it.
 */
const Treatment = z.enum(["kept", "up_to_relay", "lost"]);

const Keeps = z.object({
  /** The DKIM signature with the sending domain's own key. */
  dkim_signature: Treatment,
  /** The Message-ID that events show. */
  message_id: Treatment,
  /** Reports that come after a delivery: bounces and complaints. A lost report makes no event. */
  return_path: Treatment,
  /** The IP pool that a send names. */
  ip_pool: Treatment,
  /**
   * The reply of the recipient's own mail server. If lost, `delivered` only means that the relay
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
    // Cloudflare's Email Service has its own return-path, and reports the bounces itself.
    return_path: "kept",
    ip_pool: "lost",
    server_reply: "kept",
  },
};

/**
 * Returns the courier in force. `choice` is the team's own choice, or null for the deployment's
 * courier.
 */
export function courierFor(choice: CourierName | null, settings: Settings): CourierName {
  return choice ?? settings.outbound;
}

export function toSending(courier: CourierName): z.output<typeof Sending> {
  return { courier, keeps: KEEPS[courier] };
}

/**
 * Returns the problems with the courier and the IP pools that a team has after a change, by member.
 * Names only members that the request contains (`given`).
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
  // A team with IP pools cannot use a courier without pools, because its mail would then come from
  // other addresses.
  if (given.courier !== undefined)
    return { courier: [`\`${inForce}\` has no IP pools, but the team has some`] };
  return given.ip_pools ? { ip_pools: [`the courier \`${inForce}\` has no IP pools`] } : {};
}
