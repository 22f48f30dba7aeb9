// Says what the couriers are, and what each treatment of the mail means (docs/operating.md
// §Couriers). Pure.
import type { Deployment, Team } from "../../api/operator/types.ts";
import type { Tone } from "../../parts/tone.ts";

type Keeps = Team["sending"]["keeps"];
export type ShownCourier = Deployment["outbound"];

export const COURIER_MEANINGS: Readonly<Record<ShownCourier, string>> = {
  gateway: "Your own hosts, with your own reputation and DKIM signature. Never delivers twice.",
  smtp: "Your account at an SMTP relay. “Delivered” means the relay accepted the message.",
  cloudflare: "Cloudflare’s Email Service. It signs mail itself and has a daily quota.",
};

export const KEPT_PARTS: Readonly<Record<keyof Keeps, string>> = {
  dkim_signature: "DKIM signature with the sending domain’s own key",
  message_id: "Message-ID",
  return_path: "Return-path: bounces and complaints after delivery",
  ip_pool: "IP pool",
  server_reply: "Reply of the recipient’s mail server",
};

export const TREATMENTS: Readonly<Record<Keeps[keyof Keeps], readonly [Tone, string]>> = {
  kept: ["ok", "Kept"],
  up_to_relay: ["wait", "Decided by the relay"],
  lost: ["mute", "Lost"],
};
