// Reads the flags that the platform sets on the error of a failed call to a Durable Object
// (Cloudflare's documentation, Durable Objects · Error handling and · Automatic retries).

/**
 * Returns whether the platform refused the call because the object has too many calls. The refused
 * call never ran. An immediate retry makes the overload worse.
 */
export function isOverload(error: unknown): boolean {
  return isMarked(error, "overloaded");
}

/** Returns whether the platform has already retried the call itself, up to four times. */
export function isRepeatedByPlatform(error: unknown): boolean {
  return isMarked(error, "retryable");
}

function isMarked(error: unknown, mark: "overloaded" | "retryable"): boolean {
  return error instanceof Error && (error as unknown as Record<string, unknown>)[mark] === true;
}
