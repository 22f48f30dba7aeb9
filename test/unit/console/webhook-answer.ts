// Makes webhooks for tests, as the API returns them.
import type { Webhook } from "../../../packages/postern/src/generated/types.ts";

/** An active webhook that has delivered nothing yet. */
export function webhookWith(given: Partial<Webhook>): Webhook {
  return {
    id: "wh_1",
    name: "orders",
    url: "https://shop.example.com/hook",
    events: ["email.sent"],
    status: "active",
    format: "batch",
    signing_secret_prefix: "whsec_abc",
    signing_secret_previous_prefix: null,
    signing_secret_grace_expires_at: null,
    last_delivery_at: null,
    created_at: "2026-11-01T00:00:00.000Z",
    ...given,
  };
}
