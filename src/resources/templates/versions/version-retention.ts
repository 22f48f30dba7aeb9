// Deletes the content of versions that are gone (docs/storage.md §What takes it away): of templates
// and teams that were deleted, of versions that gave way to newer ones, and of publications that
// were not made. Each sweep looks at a sixteenth of the teams.
import type { Env } from "../../../env.ts";
import { HOUR_MS } from "../../../limits.ts";
import { BODIES, keysWithoutVersion } from "../version-rows.ts";

const HEX = "0123456789abcdef";
const PAGES_PER_SWEEP = 20;
/** A younger object may belong to a publication that is just being made. */
const SETTLED_AFTER_MS = HOUR_MS;

/** `now` is in Unix milliseconds. */
export async function sweepVersions({ CONTENT, DB }: Env, now: number): Promise<void> {
  const prefix = `${BODIES}team_${HEX[Math.floor(now / HOUR_MS) % HEX.length]}`;
  let cursor: string | undefined;
  for (let page = 0; page < PAGES_PER_SWEEP; page += 1) {
    const listed = await CONTENT.list({ prefix, ...(cursor !== undefined && { cursor }) });
    const keys = listed.objects
      .filter(({ uploaded }) => uploaded.getTime() < now - SETTLED_AFTER_MS)
      .map(({ key }) => key);
    const left = keys.length > 0 ? await keysWithoutVersion(DB, keys) : [];
    if (left.length > 0) await CONTENT.delete(left);
    if (!listed.truncated) return;
    cursor = listed.cursor;
  }
}
