// The table of Resend's endpoints that are served here (docs/from-resend.md §Calls).
import { emailEndpoints } from "./emails.ts";
import type { ResendEndpoint } from "./resend-endpoint.ts";

/**
 * Paths without parameters come first: else `/emails/batch` would be taken for `/emails/:id`.
 */
export const resendEndpoints: readonly ResendEndpoint[] = [...emailEndpoints].toSorted(
  (one, other) => Number(one.path.includes(":")) - Number(other.path.includes(":")),
);
