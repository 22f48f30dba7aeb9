// The table of Resend's endpoints that Postern serves (docs/from-resend.md §Calls).
import { apiKeyEndpoints } from "./api-keys.ts";
import { domainEndpoints } from "./domains.ts";
import { emailEndpoints } from "./emails.ts";
import { logEndpoints } from "./logs/resend-logs.ts";
import type { ResendEndpoint } from "./resend-endpoint.ts";
import { receivedEndpoints } from "./received/resend-received.ts";
import { suppressionEndpoints } from "./resend-suppressions.ts";
import { templateEndpoints } from "./resend-templates.ts";
import { usageEndpoints } from "./resend-usage.ts";
import { webhookEventEndpoints } from "./webhook-events.ts";
import { webhookEndpoints } from "./resend-webhooks.ts";

/** Paths without parameters come first. Otherwise `/emails/batch` would match `/emails/:id`. */
export const resendEndpoints: readonly ResendEndpoint[] = [
  ...receivedEndpoints,
  ...emailEndpoints,
  ...domainEndpoints,
  ...apiKeyEndpoints,
  ...templateEndpoints,
  ...webhookEndpoints,
  ...webhookEventEndpoints,
  ...suppressionEndpoints,
  ...usageEndpoints,
  ...logEndpoints,
].toSorted((one, other) => Number(one.path.includes(":")) - Number(other.path.includes(":")));
