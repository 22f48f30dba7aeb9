// Lists names that a caller made up in a response header (contract.md §Ignored members): sorted, in
// a bounded number of bytes, whatever the names hold.

const HEADER_BYTES = 512;
const LISTABLE = /^[A-Za-z0-9_.-]{1,64}$/;
/** A path takes at least three bytes with its separator, so more than these never fit. */
const PATHS_THAT_FIT = HEADER_BYTES / 2;

/**
 * The paths, each as its segments, as `attachments.0.name, replyTo, +2`: sorted, the number of
 * those that are not shown at the end. A path is not shown when a segment is not 1 to 64 of `A-Z
 * a-z 0-9 _ . -`, or when no room is left. Undefined for no paths at all.
 */
export function listNames(paths: Iterable<readonly string[]>): string | undefined {
  let count = 0;
  let smallest: string[] = [];
  for (const path of paths) {
    count += 1;
    if (path.every((segment) => LISTABLE.test(segment))) smallest.push(path.join("."));
    if (smallest.length >= 2 * PATHS_THAT_FIT) smallest = firstOf(smallest);
  }
  if (count === 0) return undefined;
  const shown = thoseThatFit(firstOf(smallest), count);
  return (shown.length === count ? shown : [...shown, `+${count - shown.length}`]).join(", ");
}

function firstOf(paths: string[]): string[] {
  return paths.toSorted().slice(0, PATHS_THAT_FIT);
}

/** Room for the number of the others is kept free. */
function thoseThatFit(paths: readonly string[], count: number): string[] {
  const shown: string[] = [];
  let room = HEADER_BYTES - `+${count}`.length;
  for (const path of paths) {
    room -= path.length + ", ".length;
    if (room < 0) break;
    shown.push(path);
  }
  return shown;
}
