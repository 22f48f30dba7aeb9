// Decides whether a failed attempt is repeated, and when. Pure.
import type { ApiCall } from "../request/api-call.ts";
import { ApiError, type PosternError } from "./client-errors.ts";

const FIRST_WAIT_MS = 250;
const LONGEST_WAIT_MS = 8_000;
/** Types whose request stored nothing and counted nothing (docs/contract.md §Statuses). */
const NOTHING_DONE = new Set(["rate_limit_exceeded", "provisioning_error"]);

/**
 * A request that may arrive twice is repeated after any fault. Every other one is repeated only if
 * the API itself said that nothing was done.
 */
export function isRepeatable(error: PosternError, { method, isSend }: ApiCall): boolean {
  const mayArriveTwice = method === "GET" || isSend === true;
  if (!(error instanceof ApiError)) return mayArriveTwice;
  const { status, type } = error;
  if (NOTHING_DONE.has(type) || (status === 502 && type === "internal_error")) return true;
  return mayArriveTwice && (status >= 500 || type === "idempotency_concurrent");
}

/**
 * Milliseconds until the next attempt, counted from 0: as long as the answer's `Retry-After` says,
 * and doubled each time with `random` from 0 to 1 against callers that repeat in step.
 */
export function waitBefore(attempt: number, error: PosternError, random: number): number {
  const longest = Math.min(LONGEST_WAIT_MS, FIRST_WAIT_MS * 2 ** attempt);
  const asked = error instanceof ApiError ? (error.retryAfterSeconds ?? 0) * 1_000 : 0;
  return asked + (longest * (1 + random)) / 2;
}
