// Caches published templates for sends, in each isolate for at most a minute (docs/storage.md §What
// an isolate remembers). An isolate that changes a template removes all templates of the team from
// its cache, by id and by alias. So a caller who publishes and then sends through the same isolate
// sends the new content.
import type { Scope } from "../../db/client.ts";
import { markOwnChange, readNear, watchOwnChanges } from "../../db/core-reads.ts";
import { WeightedCache } from "../../lib/template/weighted-cache.ts";
import { CREDENTIAL_CACHE_MS } from "../../limits.ts";
import { findSendable, type Sendable } from "./sendable.ts";
import { isAlias, isTemplateId } from "./template-alias.ts";

interface CachedTemplate {
  readonly template: Sendable;
  readonly freshUntil: number;
}

const CACHE_BYTES = 8_000_000;
const BYTES_OF_TEMPLATE = 500;
const BYTES_OF_CHARACTER = 2;

const cache = new WeightedCache<CachedTemplate>(CACHE_BYTES);

/**
 * Returns the content of the template with this id or alias. Returns `unpublished` if the template
 * was never published, and undefined if the team does not have the template.
 */
export async function getSendable(
  scope: Scope,
  named: string,
): Promise<Sendable | "unpublished" | undefined> {
  if (!isTemplateId(named) && !isAlias(named)) return undefined;
  const key = prefixOf(scope) + named;
  const now = Date.now();
  const hit = cache.find(key);
  if (hit && now < hit.freshUntil) return hit.template;
  const isUnchanged = watchOwnChanges();
  let problem: "unpublished" | undefined;
  const template = await readNear(scope.db, async (db) => {
    const found = await findSendable({ ...scope, db }, named);
    problem = found === "unpublished" ? found : undefined;
    return found === "unpublished" ? undefined : found;
  });
  if (template === undefined) return problem;
  cache.remove(key);
  if (isUnchanged())
    cache.insert(key, { template, freshUntil: now + CREDENTIAL_CACHE_MS }, weightOf(template));
  return template;
}

/**
 * Removes the team's templates from the cache. Must be called after a template was published or
 * deleted, and after an alias was set or removed.
 */
export function forgetTemplates(scope: Scope): void {
  markOwnChange();
  cache.removeAll(prefixOf(scope));
}

function prefixOf({ teamId }: Scope): string {
  return `${teamId} `;
}

function weightOf({ subject, html, text, ...defaults }: Sendable): number {
  const texts = [subject, html, text, JSON.stringify(defaults)];
  const characters = texts.reduce((sum, part) => sum + (part?.length ?? 0), 0);
  return BYTES_OF_TEMPLATE + BYTES_OF_CHARACTER * characters;
}
