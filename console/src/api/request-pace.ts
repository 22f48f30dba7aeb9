// The pace of requests that follow each other.

/**
 * The time between two requests. A session may send 10 requests a second (contract.md §Console
 * sessions), and the console also sends other requests.
 */
export const PACE_MS = 150;

export function pause(ms = PACE_MS): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
