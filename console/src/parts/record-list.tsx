// A list that grows without end: rows open in place, `j` and `k` move, Enter opens, Esc closes. Rows
// are buttons in a table, so that a pointer, a keyboard and a screen reader find the same. The
// roles are written out, because on a phone the table is laid out as two lines a row.
import { type MouseEvent, type ReactNode, type RefObject, useEffect, useRef } from "react";
import { isKey } from "./key-table.ts";
import { isTyping } from "./shortcuts.ts";

export interface ListColumn<Row> {
  readonly name: string;
  readonly cell: (row: Row) => ReactNode;
  /** Numbers stand at the right. */
  readonly isNumber?: boolean;
  /** Left out on a phone. */
  readonly isSecondary?: boolean;
}

interface RecordListProps<Row> {
  readonly label: string;
  readonly columns: readonly ListColumn<Row>[];
  readonly rows: readonly Row[];
  readonly idOf: (row: Row) => string;
  /** The id of the row that is open; null: none. */
  readonly open: string | null;
  readonly onOpen: (id: string | null) => void;
  readonly detail: (row: Row) => ReactNode;
  /** Called when the end of the list comes into view. */
  readonly onEnd?: (() => void) | undefined;
  readonly isLoadingMore?: boolean;
}

export function RecordList<Row>(props: RecordListProps<Row>) {
  const { label, columns, rows, idOf, open, onOpen, detail, onEnd, isLoadingMore } = props;
  const body = useRef<HTMLTableSectionElement>(null);
  const end = useEndInView(onEnd);
  useRowKeys(body, open, onOpen);
  return (
    <>
      <table className="records" role="table" aria-label={label}>
        <ListHead columns={columns} />
        <tbody ref={body} role="rowgroup">
          {rows.map((row) => {
            const id = idOf(row);
            const isOpen = id === open;
            return [
              <tr
                key={id}
                role="row"
                className={isOpen ? "open" : ""}
                onClick={(event) => {
                  if (!isOwnAct(event)) onOpen(isOpen ? null : id);
                }}
              >
                {columns.map(({ name, cell, isNumber, isSecondary }, index) => (
                  <td key={name} role="cell" className={classOf(isNumber, isSecondary)}>
                    {index === 0 ? (
                      <button
                        type="button"
                        className="row"
                        aria-expanded={isOpen}
                        onClick={() => onOpen(isOpen ? null : id)}
                      >
                        {cell(row)}
                      </button>
                    ) : (
                      cell(row)
                    )}
                  </td>
                ))}
              </tr>,
              isOpen && (
                <tr key={`${id} detail`} role="row" className="detail">
                  <td role="cell" colSpan={columns.length}>
                    {detail(row)}
                  </td>
                </tr>
              ),
            ];
          })}
        </tbody>
      </table>
      {onEnd && (
        <p ref={end} className="loading" role="status">
          {isLoadingMore ? "Loading …" : ""}
        </p>
      )}
    </>
  );
}

function ListHead<Row>({ columns }: Pick<RecordListProps<Row>, "columns">) {
  return (
    <thead role="rowgroup">
      <tr role="row">
        {columns.map(({ name, isNumber, isSecondary }) => (
          <th key={name} role="columnheader" scope="col" className={classOf(isNumber, isSecondary)}>
            {name}
          </th>
        ))}
      </tr>
    </thead>
  );
}

/**
 * Lets `j`, `k` and the arrows move from row to row, from wherever nothing else takes the keys, and
 * Esc close the open row.
 */
function useRowKeys(
  body: RefObject<HTMLTableSectionElement | null>,
  open: string | null,
  onOpen: (id: string | null) => void,
): void {
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent): void => {
      const rows = body.current;
      if (!rows || !isForRows(event, rows)) return;
      if (isKey(event.key, "closeRow") && open !== null) {
        onOpen(null);
        rows.querySelector<HTMLButtonElement>("tr.open button.row")?.focus();
      }
      const step = Number(isKey(event.key, "nextRow")) - Number(isKey(event.key, "previousRow"));
      const isArrow = event.key.startsWith("Arrow");
      if (step === 0 || (isArrow && !rows.contains(document.activeElement))) return;
      event.preventDefault();
      focusRow(rows, step);
    };
    document.addEventListener("keydown", onKeyDown);
    return () => document.removeEventListener("keydown", onKeyDown);
  }, [body, open, onOpen]);
}

/** Keys are for the rows if the focus is among them, or on the page itself. */
function isForRows(event: KeyboardEvent, rows: HTMLElement): boolean {
  const { target } = event;
  if (event.metaKey || event.ctrlKey || event.altKey || isTyping(event)) return false;
  if (!(target instanceof HTMLElement) || target.closest("dialog")) return false;
  return target === document.body || target.id === "content" || rows.contains(target);
}

/** True if the click is a link's or a button's, or ends the selection of a text. */
function isOwnAct({ target }: MouseEvent): boolean {
  const isControl = target instanceof Element && target.closest("a, button, input, label") !== null;
  return isControl || window.getSelection()?.type === "Range";
}

/** Calls `onEnd` whenever the returned element comes into view. */
export function useEndInView(onEnd: (() => void) | undefined) {
  const end = useRef<HTMLParagraphElement>(null);
  useEffect(() => {
    if (!onEnd || !end.current) return undefined;
    const observer = new IntersectionObserver((entries) => {
      if (entries.some(({ isIntersecting }) => isIntersecting)) onEnd();
    });
    observer.observe(end.current);
    return () => observer.disconnect();
  }, [onEnd]);
  return end;
}

/** Moves the focus by a row. Within an open row's detail, it counts from that row. */
function focusRow(body: HTMLElement, step: number): void {
  const rows = [...body.querySelectorAll<HTMLButtonElement>("button.row")];
  const here = document.activeElement?.closest("tr");
  const ownRow = here?.classList.contains("detail") ? here.previousElementSibling : here;
  const at = rows.findIndex((row) => row.closest("tr") === ownRow);
  rows[Math.min(rows.length - 1, Math.max(0, at + step))]?.focus();
}

function classOf(isNumber = false, isSecondary = false): string {
  return [isNumber ? "n" : "", isSecondary ? "second" : ""].filter(Boolean).join(" ");
}
