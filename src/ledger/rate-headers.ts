// Writes the headers that every response to a rate-limited request carries (contract.md §Response
// headers).
import type { RateState } from "../contracts/ledger-contract.ts";

export function rateHeaders(rate: RateState): Record<string, string> {
  return {
    "RateLimit-Limit": String(rate.limit),
    "RateLimit-Remaining": String(rate.remaining),
    "RateLimit-Reset": String(rate.resetSeconds),
  };
}
