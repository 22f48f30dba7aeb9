// Describes the delivery methods (the API's couriers), and which parts of a message each preserves
// (docs/couriers.md). Pure.
import type { Deployment, Team } from "../../api/operator/types.ts";
import type { Tone } from "../../parts/tone.ts";

type Keeps = Team["sending"]["keeps"];
export type DeliveryMethod = Deployment["outbound"];

export const DELIVERY_METHODS: Readonly<
  Record<DeliveryMethod, { readonly name: string; readonly means: string }>
> = {
  gateway: {
    name: "SMTP gateway",
    means:
      "Your own hosts, with your own reputation and DKIM signature. No message is delivered twice.",
  },
  smtp: {
    name: "SMTP relay",
    means:
      "Your account with an SMTP relay. “Delivered” means that the relay accepted the message.",
  },
  cloudflare: {
    name: "Cloudflare Email Service",
    means: "Cloudflare signs the mail itself and limits how much you can send per day.",
  },
};

export const PRESERVED_PARTS: Readonly<Record<keyof Keeps, string>> = {
  dkim_signature: "DKIM signature of the sending domain",
  message_id: "Message-ID",
  return_path: "Return-path, which receives later bounces and complaints",
  ip_pool: "IP pool",
  server_reply: "Reply of the recipient’s mail server",
};

export const TREATMENTS: Readonly<Record<Keeps[keyof Keeps], readonly [Tone, string]>> = {
  kept: ["ok", "Preserved"],
  up_to_relay: ["wait", "Depends on the relay"],
  lost: ["mute", "Not preserved"],
};
