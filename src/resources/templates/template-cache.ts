// Published templates for the sends that use them, kept in the isolate for at most a minute
// (docs/storage.md §What an isolate remembers). The isolate forgets at once a template that it
// publishes or deletes, so that a caller who publishes and then sends to the same isolate sends
// what was published.
import type { Scope } from "../../db/client.ts";
import { WeightedCache } from "../../lib/template/weighted-cache.ts";
import { CREDENTIAL_CACHE_MS } from "../../limits.ts";
import { findSendable, type Sendable } from "./store.ts";

interface Known {
  readonly template: Sendable;
  readonly freshUntil: number;
}

const CACHE_BYTES = 8_000_000;
const BYTES_OF_TEMPLATE = 500;
const BYTES_OF_CHARACTER = 2;

const ID = /^template_[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

const known = new WeightedCache<Known>(CACHE_BYTES);

/** Counts what was forgotten, so that a look-up that began before does not bring it back. */
let changes = 0;

/**
 * `unpublished`: a template of the team's that was never published. Undefined where the team has
 * none: of another team, deleted, or no id at all.
 */
export async function sendableTemplate(
  scope: Scope,
  id: string,
): Promise<Sendable | "unpublished" | undefined> {
  if (!ID.test(id)) return undefined;
  const key = keyOf(scope, id);
  const now = Date.now();
  const hit = known.find(key);
  if (hit && now < hit.freshUntil) return hit.template;
  const before = changes;
  const template = await findSendable(scope, id);
  if (template === undefined || template === "unpublished") return template;
  known.remove(key);
  if (changes === before)
    known.insert(key, { template, freshUntil: now + CREDENTIAL_CACHE_MS }, weightOf(template));
  return template;
}

/** To be called after a template was published or deleted. */
export function forgetTemplate(scope: Scope, id: string): void {
  changes += 1;
  known.remove(keyOf(scope, id));
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
