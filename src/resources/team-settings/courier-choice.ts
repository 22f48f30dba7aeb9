// Decides which couriers may carry a team's mail, and what each keeps of it on its way
// (docs/operating.md §Couriers).
import type { Env } from "../../env.ts";
import { COURIERS, type CourierName, isSetUp, type Settings } from "../../settings.ts";
import * as z from "zod";

/**
 * `kept`: it arrives so. `up_to_relay`: it is handed over so, and the relay decides. `lost`: it is
 * replaced, or never learnt.
 */
const Fate = z.enum(["kept", "up_to_relay", "lost"]);

const Keeps = z.object({
  /** The signature of the sending domain's own key. */
  dkim_signature: Fate,
  /** The Message-ID that events name. */
  message_id: Fate,
  /** Where bounces and complaints go that come after a delivery: without it they make no events. */
  return_path: Fate,
  /** The pool that a send names. */
  ip_pool: Fate,
  /**
   * What the recipient's own mail server said: without it `delivered` means that the relay took the
   * message.
   */
  server_reply: Fate,
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
    return_path: "lost",
    ip_pool: "lost",
    server_reply: "lost",
  },
};

/** `choice`: the team's own; null: the deployment's. */
export function courierInForce(choice: CourierName | null, settings: Settings): CourierName {
  return choice ?? settings.outbound;
}

export function sendingBy(courier: CourierName): z.output<typeof Sending> {
  return { courier, keeps: KEEPS[courier] };
}

/**
 * What is wrong with a choice, by the member to blame. `given`: what the request names; only that
 * is blamed.
 */
export function courierProblems(
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
  const inForce = courierInForce(result.courier, settings);
  if (result.ipPools.length === 0 || KEEPS[inForce].ip_pool === "kept") return {};
  // Mail is never sent from a pool that was not chosen.
  if (given.courier !== undefined)
    return { courier: [`\`${inForce}\` has no IP pools, and the team has`] };
  return given.ip_pools ? { ip_pools: [`the courier \`${inForce}\` has no IP pools`] } : {};
}
