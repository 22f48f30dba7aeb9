// Counts the items of a virtual list: each row is an item, and the detail after the open row is an
// item too. An item's index determines its row number for screen readers. Pure.

export interface ListItem {
  /** The index of the row. A detail has the index of its row. */
  readonly row: number;
  readonly isDetail: boolean;
}

/** Indexes of the first and the last item in the viewport. */
interface ItemRange {
  readonly startIndex: number;
  readonly endIndex: number;
}

/**
 * Returns the item at an index. `open` is the index of the open row. -1 means that no row is open.
 */
export function itemAt(index: number, open: number): ListItem {
  if (open < 0 || index <= open) return { row: index, isDetail: false };
  return index === open + 1 ? { row: open, isDetail: true } : { row: index - 1, isDetail: false };
}

export function itemOfRow(row: number, open: number): number {
  return open < 0 || row <= open ? row : row + 1;
}

export function countItems(rows: number, open: number): number {
  return open < 0 ? rows : rows + 1;
}

/**
 * Returns the items to draw, in order. They are the items in the viewport, `beyond` items on each
 * side of it, and the items in `kept`, which are always drawn. -1 in `kept` stands for no item.
 */
export function drawnItems(
  { startIndex, endIndex }: ItemRange,
  beyond: number,
  count: number,
  kept: readonly number[],
): number[] {
  const first = Math.max(0, startIndex - beyond);
  const last = Math.min(count - 1, endIndex + beyond);
  const near = Array.from({ length: Math.max(0, last - first + 1) }, (_, index) => first + index);
  const far = kept.filter((index) => index >= 0 && index < count);
  return [...new Set([...near, ...far])].toSorted((left, right) => left - right);
}

/**
 * Returns the number of rows of the whole table with its head, for `aria-rowcount`. It is -1 if the
 * table has more rows and their number is unknown.
 */
export function countTableRows(items: number, loaded: number, total: number | null): number {
  return total === null ? -1 : Math.max(total, loaded) + (items - loaded) + 1;
}
