// Deletes R2 objects by the day of expiry in their keys (docs/storage.md §Kept content, §Replies).
// These keys begin with `<prefix><day>/`, so R2 lists the oldest objects first. One call to R2
// lists or deletes up to 1,000 objects.
import { dayOf } from "./days.ts";

/** Deletes objects whose day is over. Returns how many of the allowed `calls` to R2 remain. */
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
 * Deletes objects below a prefix in the order of their keys, and stops at the first object that is
 * not `unneeded`. Returns how many of the allowed `calls` to R2 remain. If it returns 0, it may
 * have left `unneeded` objects.
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
