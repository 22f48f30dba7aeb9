// The difference between two texts by lines: the shortest list of removed and added lines (Myers),
// with a few lines around each change. Pure.

export interface DiffLine {
  readonly change: "same" | "removed" | "added";
  readonly text: string;
}

/** A run of lines; a gap stands for lines without a change that are left out. */
export type DiffPart = DiffLine | { readonly change: "gap"; readonly lines: number };

/** More changes than this are shown as all of the old, then all of the new. */
const MOST_CHANGES = 1_000;
const AROUND = 3;

export function diffLines(before: string, after: string): DiffLine[] {
  const old = linesOf(before);
  const fresh = linesOf(after);
  let start = 0;
  while (start < old.length && start < fresh.length && old[start] === fresh[start]) start += 1;
  let end = 0;
  while (
    end < Math.min(old.length, fresh.length) - start &&
    old[old.length - 1 - end] === fresh[fresh.length - 1 - end]
  )
    end += 1;
  return [
    ...marked("same", old.slice(0, start)),
    ...diffMiddle(old.slice(start, old.length - end), fresh.slice(start, fresh.length - end)),
    ...marked("same", old.slice(old.length - end)),
  ];
}

/** Leaves out the lines that are far from every change. */
export function foldSame(lines: readonly DiffLine[], around = AROUND): DiffPart[] {
  const near = new Set<number>();
  for (const [index, { change }] of lines.entries())
    if (change !== "same")
      for (let at = index - around; at <= index + around; at += 1) near.add(at);
  const parts: DiffPart[] = [];
  let left = 0;
  const closeGap = (): void => {
    if (left > 0) parts.push({ change: "gap", lines: left });
    left = 0;
  };
  for (const [index, line] of lines.entries()) {
    if (!near.has(index)) left += 1;
    else {
      closeGap();
      parts.push(line);
    }
  }
  closeGap();
  return parts;
}

function linesOf(text: string): string[] {
  return text === "" ? [] : text.split("\n");
}

function marked(change: DiffLine["change"], lines: readonly string[]): DiffLine[] {
  return lines.map((text) => ({ change, text }));
}

function diffMiddle(old: readonly string[], fresh: readonly string[]): DiffLine[] {
  const trail = old.length > 0 && fresh.length > 0 ? searchPaths(old, fresh) : null;
  return trail === null
    ? [...marked("removed", old), ...marked("added", fresh)]
    : walkBack(old, fresh, trail);
}

/**
 * The furthest reach in `old` on each diagonal after 0, 1, 2 … changes, until both ends are met;
 * null: that takes too many changes.
 */
function searchPaths(
  old: readonly string[],
  fresh: readonly string[],
): Map<number, number>[] | null {
  const trail: Map<number, number>[] = [];
  let reach = new Map([[1, 0]]);
  for (let changes = 0; changes <= MOST_CHANGES; changes += 1) {
    const next = new Map<number, number>();
    trail.push(next);
    for (let diagonal = -changes; diagonal <= changes; diagonal += 2) {
      let x = firstX(reach, diagonal, changes);
      while (x < old.length && x - diagonal < fresh.length && old[x] === fresh[x - diagonal])
        x += 1;
      next.set(diagonal, x);
      if (x >= old.length && x - diagonal >= fresh.length) return trail;
    }
    reach = next;
  }
  return null;
}

/** The place where a path enters the diagonal: by an added line from above, or by a removed one. */
function firstX(reach: ReadonlyMap<number, number>, diagonal: number, changes: number): number {
  return isFromAbove(reach, diagonal, changes)
    ? (reach.get(diagonal + 1) ?? 0)
    : (reach.get(diagonal - 1) ?? 0) + 1;
}

function isFromAbove(reach: ReadonlyMap<number, number>, diagonal: number, changes: number) {
  if (diagonal === -changes) return true;
  if (diagonal === changes) return false;
  return (reach.get(diagonal - 1) ?? 0) < (reach.get(diagonal + 1) ?? 0);
}

function walkBack(
  old: readonly string[],
  fresh: readonly string[],
  trail: readonly ReadonlyMap<number, number>[],
): DiffLine[] {
  const lines: DiffLine[] = [];
  let x = old.length;
  let y = fresh.length;
  for (let changes = trail.length - 1; changes >= 0; changes -= 1) {
    const reach = trail[changes - 1] ?? new Map([[1, 0]]);
    const diagonal = x - y;
    const isAdded = isFromAbove(reach, diagonal, changes);
    const entry = firstX(reach, diagonal, changes);
    for (; x > entry; x -= 1, y -= 1) lines.push({ change: "same", text: old[x - 1] ?? "" });
    if (changes === 0) break;
    if (isAdded) {
      y -= 1;
      lines.push({ change: "added", text: fresh[y] ?? "" });
    } else {
      x -= 1;
      lines.push({ change: "removed", text: old[x] ?? "" });
    }
  }
  return lines.toReversed();
}
