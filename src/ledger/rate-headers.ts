// The headers that every rate-limited response carries (wire.md "Errors").
import type { RateState } from "./contract.ts";

export function rateHeaders(rate: RateState): Record<string, string> {
  return {
    "RateLimit-Limit": String(rate.limit),
    "RateLimit-Remaining": String(rate.remaining),
    "RateLimit-Reset": String(rate.resetSeconds),
  };
}
