// Writes the error about an exceeded quota (contract.md §Rate and quota refusals), as a flat error
// body or for a failed batch item. Pure.
import type { Quota, QuotaScope } from "../../refusal.ts";

interface QuotaError {
  readonly message: string;
  readonly scope: QuotaScope;
  readonly limit: number;
  readonly retry_after_seconds: number;
}

export function toQuotaError({ scope, limit, retryAfterSeconds }: Quota): QuotaError {
  const noun =
    scope === "daily" || scope === "monthly"
      ? `${scope} sending limit`
      : `limit of distinct labels (${scope})`;
  return {
    message: `The team's ${noun} of ${limit} is reached.`,
    scope,
    limit,
    retry_after_seconds: retryAfterSeconds,
  };
}
