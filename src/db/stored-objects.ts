// Lists R2 objects, and deletes them by the day of expiry in their keys (docs/storage.md §Kept
// content, §Replies). These keys begin with `<prefix><day>/`, so R2 lists the oldest objects first.
// One call to R2 lists or deletes up to 1,000 objects.
import { dayOf } from "./days.ts";

/**
 * Lists the objects below a prefix in the order of their keys, in at most `most` pages. Leaves out
 * objects that were stored at `before` (Unix milliseconds) or later.
 */
export async function* listObjects(
  bucket: R2Bucket,
  prefix: string,
  before = Number.POSITIVE_INFINITY,
  most = Number.POSITIVE_INFINITY,
): AsyncGenerator<R2Object[]> {
  let cursor: string | undefined;
  for (let page = 0; page < most; page += 1) {
    const listed = await bucket.list({ prefix, ...(cursor !== undefined && { cursor }) });
    yield listed.objects.filter(({ uploaded }) => uploaded.getTime() < before);
    if (!listed.truncated) return;
    ({ cursor } = listed);
  }
}

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
  if (calls <= 0) return 0;
  let left = calls;
  for await (const objects of listObjects(bucket, prefix)) {
    const wanted = objects.map(({ key }) => key).filter(unneeded);
    if (wanted.length > 0) await bucket.delete(wanted);
    left -= wanted.length > 0 ? 2 : 1;
    if (left <= 0 || wanted.length < objects.length) break;
  }
  return Math.max(0, left);
}
