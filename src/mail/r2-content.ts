// Makes the keys of content in R2 (docs/storage.md §Scheduled messages), and deletes content of
// scheduled messages that no ledger needs. The age of content does not show whether it is needed,
// because a message may wait for weeks and its time may be changed many times. So the keys are
// divided into slices, and each sweep asks the ledgers about the content of one slice.
import { listObjects } from "../db/stored-objects.ts";
import type { Env } from "../env.ts";
import { GatheredFaults } from "../lib/gathered-faults.ts";
import { CONTENT_LIFETIME_MS, HOUR_MS } from "../limits.ts";
import { objectOf } from "../object-of.ts";

const SLICES = 256;
const SLICE_DIGITS = 2;

/** Returns the key of a message's content in R2. */
export function contentKeyOf(teamId: string, emailId: string, isScheduled: boolean): string {
  return isScheduled
    ? `${sliceOf(emailId.slice(-SLICE_DIGITS))}${teamId}/${emailId}`
    : `content/${emailId}`;
}

/**
 * Deletes the content of one slice that no ledger needs. The hour of `now` (Unix milliseconds)
 * selects the slice. Every slice is selected once in 11 days. Recent content is not deleted,
 * because it may belong to a send that is not accepted yet.
 */
export async function removeUnneededContent(env: Env, now: number): Promise<void> {
  const slice = (Math.floor(now / HOUR_MS) % SLICES).toString(16).padStart(SLICE_DIGITS, "0");
  const faults = new GatheredFaults();
  for await (const old of listObjects(env.CONTENT, sliceOf(slice), now - CONTENT_LIFETIME_MS)) {
    const byTeam = Map.groupBy(old, ({ key }) => key.split("/")[2] ?? "");
    for (const [teamId, objects] of byTeam) {
      const keys = objects.map(({ key }) => key);
      await faults.of(removeUnneeded(env, teamId, keys));
    }
  }
  faults.throwAny();
}

async function removeUnneeded(env: Env, teamId: string, keys: readonly string[]): Promise<void> {
  const needed = new Set(
    await objectOf(env, "TEAM_LEDGER", teamId).needingContent(keys.map(emailIdIn)),
  );
  const unneeded = keys.filter((key) => !needed.has(emailIdIn(key)));
  if (unneeded.length > 0) await env.CONTENT.delete(unneeded);
}

function sliceOf(digits: string): string {
  return `scheduled/${digits}/`;
}

function emailIdIn(key: string): string {
  return key.split("/")[3] ?? "";
}
