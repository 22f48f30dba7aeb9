// Lists, in a response header, names that the caller chose (contract.md §Ignored members): sorted,
// and limited in bytes whatever the names contain. Pure.

const HEADER_BYTES = 512;
const LISTABLE = /^[A-Za-z0-9_.-]{1,64}$/;
/** Paths after this many are only counted, so that a hostile body causes no long sorting. */
const PATHS_SORTED = 1_000;

/**
 * Lists paths, each given as its segments: `attachments.0.name, replyTo, +2`. The paths are sorted,
 * and the number of omitted paths comes last. A path is omitted if a segment is not 1 to 64
 * characters of `A-Z a-z 0-9 _ . -`, if the header has no space for it, or if it comes after the
 * first thousand. Returns undefined if no path exists. `omitted`: the number of further paths,
 * which the list only counts.
 */
export function listNames(paths: Iterable<readonly string[]>, omitted = 0): string | undefined {
  let count = omitted;
  const names: string[] = [];
  for (const path of paths) {
    count += 1;
    if (count - omitted <= PATHS_SORTED && path.every((segment) => LISTABLE.test(segment)))
      names.push(path.join("."));
  }
  if (count === 0) return undefined;
  const listed = takeFitting(names.toSorted(), count);
  return (listed.length === count ? listed : [...listed, `+${count - listed.length}`]).join(", ");
}

/** Takes paths while they fit into the header. Reserves space for the number of omitted paths. */
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
