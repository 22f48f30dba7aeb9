// Stores the kept content of sent messages in R2, one object a message (docs/storage.md §Kept
// content). The name follows from the message's start and the days of the team, so no row and no
// index leads to it. The names begin with the day of expiry, so the oldest are listed first.
import type { ContentDays } from "../../content-days.ts";
import { CONTENT_DAYS } from "../../operator/setting-table.ts";
import { dayOf, daysBack } from "../../db/days.ts";
import { removeExpiredObjects, removeObjectsBelow } from "../../db/expired-objects.ts";
import { logError } from "../../lib/log.ts";
import { DAY_MS } from "../../limits.ts";
import { type WholeMessage, packSent, unpackSent } from "./sent-form.ts";

/** The facts of a message from which the names of its objects follow. */
export interface SentName {
  readonly teamId: string;
  readonly emailId: string;
  /** Unix milliseconds. */
  readonly startsAt: number;
}

/** A message that was found in R2, and the days for which it was to be kept then. */
export interface SentObject {
  readonly kept: WholeMessage;
  readonly days: ContentDays;
}

const LONGEST_DAYS = Math.max(...CONTENT_DAYS);
const PREFIX = "kept/";

export function sentKeyOf({ teamId, emailId, startsAt }: SentName, days: ContentDays): string {
  return `${PREFIX}${dayOf(startsAt + days * DAY_MS)}/${teamId}/${emailId}`;
}

/** Returns whether the message already has its object for these days. */
export async function isStored(bucket: R2Bucket, name: SentName, days: ContentDays) {
  return (await bucket.head(sentKeyOf(name, days))) !== null;
}

/** Stores a message, unless another consumer stored it. */
export async function putSent(
  bucket: R2Bucket,
  name: SentName,
  days: ContentDays,
  message: WholeMessage,
): Promise<void> {
  await bucket.put(sentKeyOf(name, days), packSent(message), { onlyIf: { etagDoesNotMatch: "*" } });
}

/**
 * Finds the object of a message; null: the bucket has none that is whole. The team may have had
 * other days when the message was sent, so all possible names are asked. `likely`: the days that are
 * asked first.
 */
export async function findSent(
  bucket: R2Bucket,
  name: SentName,
  likely: ContentDays,
): Promise<SentObject | null> {
  const others = CONTENT_DAYS.filter((days) => days !== 0 && days !== likely);
  for (const asked of [[likely], others]) {
    const objects = await Promise.all(asked.map((days) => bucket.get(sentKeyOf(name, days))));
    const at = objects.findIndex((object) => object !== null);
    const object = objects[at];
    if (object) return wholeObject(name, new Uint8Array(await object.arrayBuffer()), asked[at]!);
  }
  return null;
}

/** An object that is not whole counts as missing. */
function wholeObject(name: SentName, bytes: Uint8Array, days: ContentDays): SentObject | null {
  try {
    return { kept: unpackSent(bytes), days };
  } catch (error) {
    logError("kept_content_unreadable", error, { team_id: name.teamId, email_id: name.emailId });
    return null;
  }
}

/**
 * Deletes kept content of a team. Returns how many of the `calls` to R2 are left; none: some objects
 * may be left too.
 */
export async function removeSentOf(
  bucket: R2Bucket,
  teamId: string,
  now: number,
  calls: number,
): Promise<number> {
  let left = calls;
  for (const day of daysBack(dayOf(now + (LONGEST_DAYS + 1) * DAY_MS), dayOf(now)))
    left = await removeObjectsBelow(bucket, `${PREFIX}${day}/${teamId}/`, left, () => true);
  return left;
}

/** Deletes objects whose day is over. Returns how many of the `calls` to R2 are left. */
export async function removeExpiredSent(
  bucket: R2Bucket,
  now: number,
  calls: number,
): Promise<number> {
  return removeExpiredObjects(bucket, PREFIX, now, calls);
}
