// Stores the content of sent messages in R2, one object for each message (docs/storage.md §Kept
// content). The object's name is derived from the message's start and from the days for which the
// team keeps content. So the service finds it without a row or an index. The names begin with the
// day of expiry, so R2 lists the oldest objects first.
import type { ContentDays } from "../../content-days.ts";
import { CONTENT_DAYS } from "../../operator/setting-table.ts";
import { dayOf, daysBack } from "../../db/days.ts";
import { removeExpiredObjects, removeObjectsBelow } from "../../db/stored-objects.ts";
import { logError } from "../../lib/log.ts";
import { DAY_MS } from "../../limits.ts";
import { type WholeMessage, packSent, unpackSent } from "./sent-form.ts";

/** The facts of a message from which the names of its objects are derived. */
export interface SentName {
  readonly teamId: string;
  readonly emailId: string;
  /** Unix milliseconds. */
  readonly startsAt: number;
}

/** A message that was found in R2, and the number of days in its object's name. */
export interface SentObject {
  readonly kept: WholeMessage;
  readonly days: ContentDays;
}

const LONGEST_DAYS = Math.max(...CONTENT_DAYS);
const PREFIX = "kept/";
/** Maximum number of calls to R2 with which a request deletes content. The sweep ends the work. */
const CALLS_PER_REQUEST = 200;

export function sentKeyOf({ teamId, emailId, startsAt }: SentName, days: ContentDays): string {
  return `${PREFIX}${dayOf(startsAt + days * DAY_MS)}/${teamId}/${emailId}`;
}

/** Returns whether the message already has an object for this number of days. */
export async function isStored(bucket: R2Bucket, name: SentName, days: ContentDays) {
  return (await bucket.head(sentKeyOf(name, days))) !== null;
}

/** Stores a message, unless another consumer has already stored it. */
export async function putSent(
  bucket: R2Bucket,
  name: SentName,
  days: ContentDays,
  message: WholeMessage,
): Promise<void> {
  await bucket.put(sentKeyOf(name, days), packSent(message), { onlyIf: { etagDoesNotMatch: "*" } });
}

/**
 * Finds the object of a message. Returns null if the bucket has no complete object. Tries the names
 * for all numbers of days, because the team may have changed its setting since the send. `likely`
 * is the number of days to try first.
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

/** Decodes an object. Returns null for an incomplete object, which counts as missing. */
function wholeObject(name: SentName, bytes: Uint8Array, days: ContentDays): SentObject | null {
  try {
    return { kept: unpackSent(bytes), days };
  } catch (error) {
    logError("kept_content_unreadable", error, { team_id: name.teamId, email_id: name.emailId });
    return null;
  }
}

/**
 * Deletes kept content of a team. Returns how many of the allowed `calls` to R2 remain. If it
 * returns 0, it may have left objects.
 */
export async function removeSentOf(
  bucket: R2Bucket,
  teamId: string,
  now: number,
  calls = CALLS_PER_REQUEST,
): Promise<number> {
  let left = calls;
  for (const day of daysBack(dayOf(now + (LONGEST_DAYS + 1) * DAY_MS), dayOf(now)))
    left = await removeObjectsBelow(bucket, `${PREFIX}${day}/${teamId}/`, left, () => true);
  return left;
}

/** Deletes objects whose day is over. Returns how many of the allowed `calls` to R2 remain. */
export async function removeExpiredSent(
  bucket: R2Bucket,
  now: number,
  calls: number,
): Promise<number> {
  return removeExpiredObjects(bucket, PREFIX, now, calls);
}
