// Draws only those rows of a long list that are in or near the viewport. Rows have a fixed height,
// and an open row's detail is measured. The focused row and the open row always stay drawn, so that
// neither the focus nor typed text is lost.
import { useWindowVirtualizer } from "@tanstack/react-virtual";
import {
  type RefObject,
  useCallback,
  useLayoutEffect,
  useState,
  useSyncExternalStore,
} from "react";
import { countItems, drawnItems, itemAt, itemOfRow } from "./list-items.ts";

/** The viewport width from which a row has one line (tables.css). */
const ONE_LINE = window.matchMedia("(width > 820px)");
const ROW_PX = 40;
const TWO_LINE_ROW_PX = 60;
/** The assumed height of a detail until the detail is measured. */
const DETAIL_PX = 320;
/** The number of rows drawn on each side of the viewport. */
const BEYOND = 10;
/**
 * The heights of the head at the top and of a phone's section bar at the bottom. Both hide rows
 * behind them.
 */
export const HEAD_PX = 40;
const FOOT_PX = 64;

interface ListWindowProps<Row> {
  readonly rows: readonly Row[];
  readonly idOf: (row: Row) => string;
  /** The index of the open row. -1 means that no row is open. */
  readonly open: number;
  /** The index of the focused row. -1 means that no row has the focus. */
  readonly focused: number;
  readonly body: RefObject<HTMLElement | null>;
}

export function useListWindow<Row>({ rows, idOf, open, focused, body }: ListWindowProps<Row>) {
  const rowHeight = useRowHeight();
  const count = countItems(rows.length, open);
  const getItemKey = useCallback(
    (index: number) => {
      const { row, isDetail } = itemAt(index, open);
      const one = rows[row];
      const id = one === undefined ? String(row) : idOf(one);
      return isDetail ? `${id} detail` : id;
    },
    [rows, idOf, open],
  );
  const rangeExtractor = useCallback(
    (range: { readonly startIndex: number; readonly endIndex: number }) => {
      const own = focused < 0 ? -1 : itemOfRow(focused, open);
      return drawnItems(range, BEYOND, count, [own, open, open < 0 ? -1 : open + 1]);
    },
    [count, focused, open],
  );
  const estimateSize = useCallback(
    (index: number) => (itemAt(index, open).isDetail ? DETAIL_PX : rowHeight),
    [open, rowHeight],
  );
  const virtualizer = useWindowVirtualizer<HTMLTableRowElement>({
    count,
    getItemKey,
    rangeExtractor,
    estimateSize,
    scrollMargin: useTop(body),
    scrollPaddingStart: HEAD_PX,
    scrollPaddingEnd: FOOT_PX,
    initialRect: { width: window.innerWidth, height: window.innerHeight },
    initialOffset: () => window.scrollY,
    useFlushSync: false,
  });
  // The browser keeps the scroll position itself when content above grows.
  virtualizer.shouldAdjustScrollPositionOnItemSizeChange = () => false;
  useLayoutEffect(() => virtualizer.measure(), [virtualizer, rowHeight]);
  const top = virtualizer.options.scrollMargin;
  const items = virtualizer.getVirtualItems();
  const drawn = items.map(({ key, index, start }, nth) => ({
    key,
    index,
    /** The distance to the end of the previous drawn item, in pixels. */
    gap: start - (items[nth - 1]?.end ?? top),
  }));
  const below = virtualizer.getTotalSize() - ((items.at(-1)?.end ?? top) - top);
  return { virtualizer, rowHeight, drawn, below };
}

/** Returns the position of the first row on the page, in pixels. */
function useTop(body: RefObject<HTMLElement | null>): number {
  const [top, setTop] = useState(0);
  useLayoutEffect(() => {
    const measure = (): void => {
      const box = body.current?.getBoundingClientRect();
      if (box) setTop(Math.round(box.top + window.scrollY));
    };
    measure();
    const observer = new ResizeObserver(measure);
    observer.observe(document.body);
    return () => observer.disconnect();
  }, [body]);
  return top;
}

function useRowHeight(): number {
  const isOneLine = useSyncExternalStore(
    (listener) => {
      ONE_LINE.addEventListener("change", listener);
      return () => ONE_LINE.removeEventListener("change", listener);
    },
    () => ONE_LINE.matches,
  );
  return isOneLine ? ROW_PX : TWO_LINE_ROW_PX;
}
