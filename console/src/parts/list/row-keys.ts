// The keys of a list: `j`, `k` and the arrows move between rows, Esc closes the open row, `x` ticks
// the row's box, and Enter presses the row's button. If a key moves to a row that is not drawn, the
// row is drawn before it gets the focus.
import { type RefObject, useEffect, useRef } from "react";
import { isKey } from "../key-table.ts";
import { isTyping } from "../shortcuts.ts";

interface RowKeysProps {
  readonly body: RefObject<HTMLElement | null>;
  readonly rows: number;
  /** The index of the row that has or last had the focus. -1 means that no row has had it. */
  readonly focused: number;
  /** The index of the open row. -1 means that no row is open. */
  readonly open: number;
  /** Returns the index of the first visible row. */
  readonly firstSeen: () => number;
  /** Draws a row and scrolls it into view. */
  readonly onReach: (row: number) => void;
  readonly onClose: () => void;
}

const BOX = "td > input[type=checkbox]";

export function useRowKeys(props: RowKeysProps): void {
  const latest = useRef(props);
  latest.current = props;
  const wanted = useRef(-1);
  useEffect(() => {
    if (wanted.current >= 0 && focusRow(props.body.current, wanted.current)) wanted.current = -1;
  });
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent): void => {
      const { body, open, onClose, onReach } = latest.current;
      if (!body.current || !isForRows(event, body.current)) return;
      if (isKey(event.key, "closeRow") && open >= 0) {
        onClose();
        focusRow(body.current, open);
      }
      const step = Number(isKey(event.key, "nextRow")) - Number(isKey(event.key, "previousRow"));
      const isAmong = body.current.contains(document.activeElement);
      if (isAmong && isKey(event.key, "chooseRow"))
        document.activeElement?.closest("tr")?.querySelector<HTMLElement>(BOX)?.click();
      if (step === 0 || (event.key.startsWith("Arrow") && !isAmong)) return;
      event.preventDefault();
      const row = rowAfter(latest.current, isAmong, step);
      if (row < 0) return;
      wanted.current = focusRow(body.current, row) ? -1 : row;
      onReach(row);
    };
    document.addEventListener("keydown", onKeyDown);
    return () => document.removeEventListener("keydown", onKeyDown);
  }, []);
}

/** Returns the row to which a key moves. Without a focused row, returns the first visible row. */
function rowAfter({ rows, focused, firstSeen }: RowKeysProps, isAmong: boolean, step: number) {
  const row = isAmong && focused >= 0 ? focused + step : firstSeen();
  return Math.min(rows - 1, Math.max(0, row));
}

/** Tells whether the focus is in a row or on the page itself. */
function isForRows(event: KeyboardEvent, rows: HTMLElement): boolean {
  const { target } = event;
  if (event.metaKey || event.ctrlKey || event.altKey || isTyping(event)) return false;
  if (!(target instanceof HTMLElement) || target.closest("dialog")) return false;
  return target === document.body || target.id === "content" || rows.contains(target);
}

function focusRow(body: HTMLElement | null, row: number): boolean {
  const button = body?.querySelector<HTMLElement>(`tr[data-row="${row}"] button.row`);
  button?.focus({ preventScroll: true });
  return button !== null && button !== undefined;
}
