// Reads what the platform says about a failed call to a Durable Object (Cloudflare's documentation,
// Durable Objects · Error handling and · Automatic retries).

/**
 * Tells whether the platform refused the call because the object has too many calls. Such a call
 * never ran. Another call soon after it makes the overload worse.
 */
export function isOverload(error: unknown): boolean {
  return isMarked(error, "overloaded");
}

/** Tells whether the platform itself has repeated the call already, up to four times. */
export function isRepeatedByPlatform(error: unknown): boolean {
  return isMarked(error, "retryable");
}

function isMarked(error: unknown, mark: "overloaded" | "retryable"): boolean {
  return error instanceof Error && (error as unknown as Record<string, unknown>)[mark] === true;
}
