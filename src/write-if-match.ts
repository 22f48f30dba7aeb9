// Writes only if the caller has seen the version that the write replaces (contract.md
// §Preconditions). Without an If-Match header, a write is unconditional.
import type { ApiRequest } from "./endpoint.ts";
import { isMatch } from "./lib/crypto/etag.ts";
import { requireRow, refuse } from "./refusal.ts";

type Conditional = Pick<ApiRequest, "headers">;

interface ConditionalWrite<Before, After> {
  /** Reads the version that the write replaces. Throws `not_found` without one. */
  readonly read: () => Promise<Before>;
  readonly etagOf: (before: Before) => string;
  /**
   * Writes if the stored version is still `before`. Returns undefined and writes nothing if there
   * is another version. If `before` is null, the write is unconditional, and undefined
   * means that the resource does not exist.
   */
  readonly write: (before: Before | null) => Promise<After | undefined>;
}

/** Number of attempts to write while other requests change the same resource. */
const ATTEMPTS = 5;

/** Writes, and returns the result of `write`. Throws `not_found` or `precondition_failed`. */
export async function writeIfMatch<Before, After>(
  request: Conditional,
  { read, etagOf, write }: ConditionalWrite<Before, After>,
): Promise<After> {
  if (request.headers.get("If-Match") === null) {
    return requireRow(await write(null));
  }
  for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
    const before = await read();
    requireMatch(request, etagOf(before));
    const after = await write(before);
    if (after !== undefined) return after;
  }
  throw new Error(`a resource was changed by others ${ATTEMPTS} times in a row`);
}

/** Throws `precondition_failed` if the request has an If-Match header without this tag. */
export function requireMatch({ headers }: Conditional, etag: string): void {
  const header = headers.get("If-Match");
  if (header !== null && !isMatch(header, etag)) throw refuse("precondition_failed", { etag });
}
