// Deletes the content of versions without a row (docs/storage.md §What takes it away). A version
// has no row if its template or team was deleted, newer versions replaced it, or its publication
// failed. Each sweep handles one sixteenth of the teams.
import { coreWith } from "../../../db/core-shards.ts";
import { listObjects } from "../../../db/stored-objects.ts";
import type { Env } from "../../../env.ts";
import { GatheredFaults } from "../../../lib/gathered-faults.ts";
import { HOUR_MS } from "../../../limits.ts";
import { BODIES, keysWithoutVersion } from "../version-rows.ts";

const HEX = "0123456789abcdef";
const PAGES_PER_SWEEP = 20;
/** The sweep does not delete a younger object, because its publication may not be complete yet. */
const SETTLED_AFTER_MS = HOUR_MS;

/** Deletes content without a version. `now` is in Unix milliseconds. */
export async function sweepVersions(env: Env, now: number): Promise<void> {
  const { CONTENT } = env;
  const faults = new GatheredFaults();
  const prefix = `${BODIES}team_${HEX[Math.floor(now / HOUR_MS) % HEX.length]}`;
  for await (const old of listObjects(CONTENT, prefix, now - SETTLED_AFTER_MS, PAGES_PER_SWEEP)) {
    const keys = old.map(({ key }) => key);
    for (const [core, those] of Map.groupBy(keys, (key) => coreWith(env, teamIdIn(key))))
      await faults.of(removeFrom(CONTENT, core, those));
  }
  faults.throwAny();
}

async function removeFrom(bucket: R2Bucket, core: D1Database, keys: string[]): Promise<void> {
  const left = await keysWithoutVersion(core, keys);
  if (left.length > 0) await bucket.delete(left);
}

function teamIdIn(key: string): string {
  return key.split("/")[1] ?? "";
}
