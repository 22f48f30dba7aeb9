// Says what the couriers are, and what each treatment of the mail means (docs/operating.md
// §Couriers). Pure.
import type { Deployment, Team } from "../../api/operator/types.ts";
import type { Tone } from "../../parts/tone.ts";

type Keeps = Team["sending"]["keeps"];
export type ShownCourier = Deployment["outbound"];

export const COURIER_MEANINGS: Readonly<Record<ShownCourier, string>> = {
  gateway:
    "Your own hosts, with a reputation and a DKIM signature of your own. Delivers once and only once.",
  smtp: "A relay with an account of yours. “Delivered” means that the relay took the message.",
  cloudflare: "Cloudflare’s Email Service. It signs for the zone, and has a quota a day.",
};

export const KEPT_PARTS: Readonly<Record<keyof Keeps, string>> = {
  dkim_signature: "The signature with the sending domain’s own key",
  message_id: "The Message-ID that events name",
  return_path: "Bounces and complaints after a delivery",
  ip_pool: "The IP pool that a send names",
  server_reply: "The reply of the recipient’s own mail server",
};

export const TREATMENTS: Readonly<Record<Keeps[keyof Keeps], readonly [Tone, string]>> = {
  kept: ["ok", "Kept"],
  up_to_relay: ["wait", "Up to the relay"],
  lost: ["mute", "Lost"],
};
