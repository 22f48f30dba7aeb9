// Caches published templates for sends in the isolate, for at most a minute (docs/storage.md §What
// an isolate remembers). The isolate that publishes or deletes a template forgets it at once, so
// that a caller who publishes and then sends through the same isolate sends the new content.
import type { Scope } from "../../db/client.ts";
import { WeightedCache } from "../../lib/template/weighted-cache.ts";
import { CREDENTIAL_CACHE_MS } from "../../limits.ts";
import { findSendable, type Sendable } from "./store.ts";

interface CachedTemplate {
  readonly template: Sendable;
  readonly freshUntil: number;
}

const CACHE_BYTES = 8_000_000;
const BYTES_OF_TEMPLATE = 500;
const BYTES_OF_CHARACTER = 2;

const ID = /^template_[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

const cache = new WeightedCache<CachedTemplate>(CACHE_BYTES);

/**
 * Number of deletions from the cache. A look-up that began before a deletion must not store its
 * result.
 */
let changes = 0;

/**
 * Returns the template's content, `unpublished` when the team has never published it, or undefined
 * when the team has no such template.
 */
export async function getSendable(
  scope: Scope,
  id: string,
): Promise<Sendable | "unpublished" | undefined> {
  if (!ID.test(id)) return undefined;
  const key = keyOf(scope, id);
  const now = Date.now();
  const hit = cache.find(key);
  if (hit && now < hit.freshUntil) return hit.template;
  const before = changes;
  const template = await findSendable(scope, id);
  if (template === undefined || template === "unpublished") return template;
  cache.remove(key);
  if (changes === before)
    cache.insert(key, { template, freshUntil: now + CREDENTIAL_CACHE_MS }, weightOf(template));
  return template;
}

/** Call this after a template was published or deleted. */
export function forgetTemplate(scope: Scope, id: string): void {
  changes += 1;
  cache.remove(keyOf(scope, id));
}

function keyOf({ teamId }: Scope, id: string): string {
  return `${teamId} ${id}`;
}

function weightOf({ subject, html, text }: Sendable): number {
  return (
    BYTES_OF_TEMPLATE +
    BYTES_OF_CHARACTER * ((subject?.length ?? 0) + (html?.length ?? 0) + (text?.length ?? 0))
  );
}
