// Makes the entry of the trail for a change that the team's ledger decides (docs/audit.md).
import { entryBy, type NotedChange } from "./audit.ts";
import type { ApiRequest } from "./endpoint.ts";
import { DAY_MS } from "./limits.ts";

/** Returns the entry of a change for the ledger. Undefined: the endpoint leaves no entry. */
export function notedChange(
  { author, settings, now }: Pick<ApiRequest, "author" | "settings" | "now">,
  target: string | null,
  changed: readonly string[] = [],
): NotedChange | undefined {
  return author
    ? { entry: entryBy(author, target, changed), keptSince: now - settings.auditDays * DAY_MS }
    : undefined;
}
