// Lists, in a response header, names that the caller chose (contract.md §Ignored members): sorted,
// and limited in bytes whatever the names contain. Pure.

const HEADER_BYTES = 512;
const LISTABLE = /^[A-Za-z0-9_.-]{1,64}$/;
/**
 * The list never has room for more paths than this, because each path takes at least three bytes
 * with its separator.
 */
const PATHS_THAT_FIT = HEADER_BYTES / 2;

/**
 * Lists paths, each given as its segments: `attachments.0.name, replyTo, +2`. They are sorted, and
 * the number of omitted paths comes last. A path is omitted if a segment is not 1 to 64 characters
 * of `A-Z a-z 0-9 _ . -`, or if no room is left. Returns undefined without paths.
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
  const listed = takeFitting(firstOf(smallest), count);
  return (listed.length === count ? listed : [...listed, `+${count - listed.length}`]).join(", ");
}

function firstOf(paths: string[]): string[] {
  return paths.toSorted().slice(0, PATHS_THAT_FIT);
}

/** Takes paths while they fit. Reserves room for the number of omitted paths. */
function takeFitting(paths: readonly string[], count: number): string[] {
  const listed: string[] = [];
  let room = HEADER_BYTES - `+${count}`.length;
  for (const path of paths) {
    room -= path.length + ", ".length;
    if (room < 0) break;
    listed.push(path);
  }
  return listed;
}
