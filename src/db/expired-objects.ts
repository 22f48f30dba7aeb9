// Deletes R2 objects by the day of expiry in their keys (docs/storage.md §Kept content, §Replies).
// Such a key is `<prefix><day>/…`, so the oldest are listed first. R2 lists
// up to 1,000 objects on a page, and deletes as many in a call.
import { dayOf } from "./days.ts";

/** Deletes objects whose day is over. Returns how many of the `calls` to R2 are left. */
export async function removeExpiredObjects(
  bucket: R2Bucket,
  prefix: string,
  now: number,
  calls: number,
): Promise<number> {
  const today = dayOf(now);
  const isOver = (key: string) => (key.split("/")[1] ?? today) < today;
  return removeObjectsBelow(bucket, prefix, calls, isOver);
}

/**
 * Deletes the first objects below a prefix, up to the first that is not `unneeded`. Returns how many
 * of the `calls` to R2 are left; none: some objects may be left too.
 */
export async function removeObjectsBelow(
  bucket: R2Bucket,
  prefix: string,
  calls: number,
  unneeded: (key: string) => boolean,
): Promise<number> {
  let cursor: string | undefined;
  for (let left = calls; left > 0;) {
    const listed = await bucket.list({ prefix, ...(cursor === undefined ? {} : { cursor }) });
    left -= 1;
    const keys = listed.objects.map(({ key }) => key);
    const wanted = keys.filter(unneeded);
    if (wanted.length > 0) {
      await bucket.delete(wanted);
      left -= 1;
    }
    if (!listed.truncated || wanted.length < keys.length) return Math.max(0, left);
    ({ cursor } = listed);
  }
  return 0;
}
