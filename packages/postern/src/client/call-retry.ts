// Decides whether and when a failed attempt is repeated. Pure.
import type { ApiCall } from "../request/api-call.ts";
import { ApiError, type PosternError } from "./client-errors.ts";

const FIRST_WAIT_MS = 250;
const LONGEST_WAIT_MS = 8_000;
/**
 * Error types for which the service stored nothing and counted nothing (docs/contract.md
 * §Statuses).
 */
const NOTHING_DONE = new Set(["rate_limit_exceeded", "provisioning_error"]);

/**
 * A request that can safely arrive twice is repeated after any failure. Any other request is
 * repeated only if the API itself reported that it did nothing.
 */
export function isRepeatable(error: PosternError, { method, isSend }: ApiCall): boolean {
  const mayArriveTwice = method === "GET" || isSend === true;
  if (!(error instanceof ApiError)) return mayArriveTwice;
  const { status, type } = error;
  if (NOTHING_DONE.has(type) || (status === 502 && type === "internal_error")) return true;
  return mayArriveTwice && (status >= 500 || type === "idempotency_concurrent");
}

/**
 * Returns the milliseconds before the next attempt. `attempt` counts from 0. The wait doubles with
 * each attempt up to a maximum. `random` (0 to 1) scales it, so that many callers do not retry at
 * the same moment. The answer's `Retry-After` is added to the wait.
 */
export function waitBefore(attempt: number, error: PosternError, random: number): number {
  const longest = Math.min(LONGEST_WAIT_MS, FIRST_WAIT_MS * 2 ** attempt);
  const asked = error instanceof ApiError ? (error.retryAfterSeconds ?? 0) * 1_000 : 0;
  return asked + (longest * (1 + random)) / 2;
}
