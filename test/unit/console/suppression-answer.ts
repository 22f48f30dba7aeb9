// Makes suppressions for tests, as the API returns them.
import type { Suppression } from "../../../packages/postern/src/generated/types.ts";

/** A suppression for every topic that a member of the team added. */
export function suppressionWith(given: Partial<Suppression>): Suppression {
  const at = given.created_at ?? new Date(0).toISOString();
  return {
    id: "sup_1",
    email: "jo@example.com",
    topic: "*",
    reason: "manual",
    origin: "manual",
    classification: null,
    smtp_code: null,
    note: null,
    suppressed_at: at,
    expires_at: null,
    created_at: at,
    explanation: {
      state: "suppressed",
      summary: "",
      cause: "manual",
      evidence: null,
      next: "",
      actions: [],
    },
    ...given,
  };
}
