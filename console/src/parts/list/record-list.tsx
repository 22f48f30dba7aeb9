// A list of any length. Rows open in place: `j` and `k` move, Enter opens, Esc closes. Rows are
// buttons in a table, so that they work with a pointer, a keyboard and a screen reader. Only rows
// in or near the viewport are drawn. ARIA roles and row numbers are explicit, so that a screen
// reader knows a row's position in the whole list.
import {
  type CSSProperties,
  type FocusEvent,
  type MouseEvent,
  memo,
  type ReactNode,
  useCallback,
  useEffect,
  useId,
  useMemo,
  useRef,
  useState,
} from "react";
import { countTableRows, itemAt, itemOfRow } from "./list-items.ts";
import { HEAD_PX, useListWindow } from "./list-window.ts";
import { LoadingRows } from "../loading.tsx";
import { useRowKeys } from "./row-keys.ts";
import { classesOf, ColumnNames, type TableColumn } from "./short-table.tsx";

/**
 * A cell has one line. A longer text is cut, and the cell's title has the whole text. On a phone, a
 * row's second line has space for only two cells.
 */
export interface ListColumn<Row> extends Pick<
  TableColumn<Row>,
  "name" | "cell" | "isNumber" | "isSecondary"
> {
  readonly width?: keyof typeof TRACKS;
  /** True: a phone shows the column's name before the value, because the value is unclear alone. */
  readonly isLabelled?: boolean;
  /**
   * True: a screen reader names the row by its first cell and this cell, because many rows have the
   * same first cell.
   */
  readonly isNaming?: boolean;
}

/** The column widths. They are fixed, because the drawn rows change while the reader scrolls. */
const TRACKS = {
  number: "7.5rem",
  ago: "12rem",
  outcome: "18.5rem",
  time: "13.5rem",
  status: "11.75rem",
  pills: "12.75rem",
  short: "minmax(0, 1fr)",
  long: "minmax(0, 2fr)",
  longest: "minmax(0, 3fr)",
} as const;

/** The number of loaded rows below the viewport at which the list requests more rows. */
const ROWS_AHEAD = 60;
/**
 * The number of loaded rows below the viewport at which the list requests more rows while the
 * reader scrolls.
 */
const ROWS_AHEAD_OF_SCROLLING = 600;

export interface RecordListProps<Row> {
  readonly label: string;
  readonly columns: readonly ListColumn<Row>[];
  readonly rows: readonly Row[];
  readonly idOf: (row: Row) => string;
  /** The id of the open row. Null: no row is open. */
  readonly open: string | null;
  readonly onOpen: (id: string | null) => void;
  readonly detail: (row: Row) => ReactNode;
  /** Is called before the end of the list becomes visible. */
  readonly onEnd?: (() => void) | undefined;
  readonly isLoadingMore?: boolean;
  /** The number of rows in the whole list, if the service reports it. */
  readonly total?: number | undefined;
  /** The choice of rows. With it, each row has a box. Absent: the rows have no boxes. */
  readonly choice?: RowChoice;
}

/** The chosen rows, by their ids. */
interface RowChoice {
  readonly chosen: ReadonlySet<string>;
  readonly onChoose: (id: string) => void;
}

export function RecordList<Row>(props: RecordListProps<Row>) {
  const { label, columns, rows, idOf, open, onOpen, total } = props;
  const body = useRef<HTMLTableSectionElement>(null);
  const [focus, setFocus] = useState<string | null>(null);
  const indexes = useIndexes(rows, idOf, open, focus);
  const seen = useListWindow({ rows, idOf, body, ...indexes });
  const { virtualizer } = seen;
  const hasMore = props.onEnd !== undefined || props.isLoadingMore === true;
  useRowKeys({
    ...indexes,
    body,
    rows: rows.length,
    // The head hides the rows at the viewport's upper edge, so the search begins below it.
    firstSeen: () => {
      const first = virtualizer.getVirtualItemForOffset(window.scrollY + HEAD_PX);
      return itemAt(first?.index ?? 0, indexes.open).row;
    },
    onReach: (row) => {
      const one = rows[row];
      if (one !== undefined) setFocus(idOf(one));
      virtualizer.scrollToIndex(itemOfRow(row, indexes.open));
    },
    onClose: () => onOpen(null),
  });
  useMoreRows(props, virtualizer.range?.endIndex ?? 0, virtualizer.isScrolling);
  const known = hasMore ? (total ?? null) : rows.length;
  return (
    <>
      <table
        className="list"
        role="table"
        aria-label={label}
        aria-rowcount={countTableRows(virtualizer.options.count, rows.length, known)}
        style={{ "--columns": tracksOf(columns) } as CSSProperties}
      >
        <ListHead columns={columns} />
        <tbody
          ref={body}
          role="rowgroup"
          style={{ paddingBottom: seen.below }}
          onFocus={(event) => setFocus(idOfRowAt(event))}
        >
          <DrawnRows {...props} {...seen} openRow={indexes.open} />
        </tbody>
      </table>
      {hasMore && <LoadingRows />}
    </>
  );
}

interface DrawnRowsProps<Row> extends RecordListProps<Row>, ReturnType<typeof useListWindow> {
  /** The index of the open row. -1 means that no row is open. */
  readonly openRow: number;
}

function DrawnRows<Row>(props: DrawnRowsProps<Row>) {
  const { columns, rows, idOf, detail, virtualizer, drawn, rowHeight, openRow, choice } = props;
  const latest = useRef(props);
  latest.current = props;
  const onToggle = useCallback((id: string) => {
    const { open, onOpen } = latest.current;
    onOpen(id === open ? null : id);
  }, []);
  const onChoose = useCallback((id: string) => latest.current.choice?.onChoose(id), []);
  return drawn.map(({ key, index, gap }) => {
    const { row, isDetail } = itemAt(index, openRow);
    const one = rows[row];
    if (one === undefined) return null;
    return isDetail ? (
      <tr
        key={key}
        ref={virtualizer.measureElement}
        role="row"
        aria-rowindex={index + 2}
        data-index={index}
        data-id={idOf(one)}
        className="detail"
        style={{ marginTop: gap }}
      >
        <td role="cell" colSpan={columns.length}>
          {detail(one)}
        </td>
      </tr>
    ) : (
      <ListRow
        key={key}
        columns={columns}
        row={one}
        id={idOf(one)}
        index={row}
        item={index}
        isOpen={row === openRow}
        onToggle={onToggle}
        isChosen={choice?.chosen.has(idOf(one))}
        onChoose={onChoose}
        gap={gap}
        height={rowHeight}
      />
    );
  });
}

interface ListRowProps<Row> {
  readonly columns: readonly ListColumn<Row>[];
  readonly row: Row;
  readonly id: string;
  readonly index: number;
  /** The row's index among the items of the list. */
  readonly item: number;
  readonly isOpen: boolean;
  readonly onToggle: (id: string) => void;
  /** Undefined: the row has no box. */
  readonly isChosen: boolean | undefined;
  readonly onChoose: (id: string) => void;
  /** The distance to the end of the previous drawn row, in pixels. */
  readonly gap: number;
  readonly height: number;
}

/** `memo` avoids drawing unchanged rows again while the reader scrolls. */
const ListRow = memo(drawRow) as typeof drawRow;

function drawRow<Row>(props: ListRowProps<Row>) {
  const { columns, row, id, index, item, isOpen, onToggle, isChosen, onChoose, gap, height } =
    props;
  const list = useId();
  const naming = columns.flatMap(({ isNaming = false }, nth) =>
    isNaming ? [`${list}${nth}`] : [],
  );
  return (
    <tr
      role="row"
      aria-rowindex={item + 2}
      data-id={id}
      data-row={index}
      className={isOpen ? "open" : ""}
      style={{ marginTop: gap, height }}
      onClick={(event) => {
        if (!isOwnAct(event)) onToggle(id);
      }}
    >
      {columns.map((column, nth) => {
        const { name, cell, isLabelled, isNaming } = column;
        const content = cell(row);
        return (
          <td
            key={name}
            role="cell"
            {...(isNaming && { id: `${list}${nth}` })}
            className={classesOf(column)}
            {...(typeof content === "string" && { title: content })}
          >
            {isLabelled === true && (
              <small className="name" aria-hidden="true">
                {name}{" "}
              </small>
            )}
            {nth === 0 && isChosen !== undefined && (
              <input
                type="checkbox"
                checked={isChosen}
                aria-label="Choose"
                aria-describedby={`${list}row`}
                onChange={() => onChoose(id)}
              />
            )}
            {nth === 0 ? (
              <button
                type="button"
                className="row"
                aria-expanded={isOpen}
                id={`${list}row`}
                {...(naming.length > 0 && {
                  "aria-labelledby": [`${list}row`, ...naming].join(" "),
                })}
                onClick={() => onToggle(id)}
              >
                {content}
              </button>
            ) : (
              content
            )}
          </td>
        );
      })}
    </tr>
  );
}

function ListHead<Row>({ columns }: Pick<RecordListProps<Row>, "columns">) {
  return (
    <thead role="rowgroup">
      <tr role="row" aria-rowindex={1}>
        <ColumnNames columns={columns} />
      </tr>
    </thead>
  );
}

/** Returns the indexes of the open row and of the focused row. */
function useIndexes<Row>(
  rows: readonly Row[],
  idOf: (row: Row) => string,
  open: string | null,
  focus: string | null,
) {
  return useMemo(() => {
    const indexOf = (id: string | null) =>
      id === null ? -1 : rows.findIndex((row) => idOf(row) === id);
    return { open: indexOf(open), focused: indexOf(focus) };
    // oxlint-disable-next-line react-hooks/exhaustive-deps -- a row has one id, by any idOf
  }, [rows, open, focus]);
}

/** Requests more rows before the last one becomes visible. */
function useMoreRows<Row>(
  { rows, onEnd }: Pick<RecordListProps<Row>, "rows" | "onEnd">,
  last: number,
  isScrolling: boolean,
): void {
  const ahead = isScrolling ? ROWS_AHEAD_OF_SCROLLING : ROWS_AHEAD;
  const isNear = last >= rows.length - 1 - ahead;
  useEffect(() => {
    if (isNear) onEnd?.();
  }, [isNear, onEnd]);
}

function idOfRowAt({ target }: FocusEvent): string | null {
  return target.closest("tr")?.dataset["id"] ?? null;
}

/** Tells whether the click is on a link or a button, or ends a text selection. */
function isOwnAct({ target }: MouseEvent): boolean {
  const isControl = target instanceof Element && target.closest("a, button, input, label") !== null;
  return isControl || window.getSelection()?.type === "Range";
}

function tracksOf<Row>(columns: readonly ListColumn<Row>[]): string {
  return columns
    .map(({ isNumber = false, width }) => TRACKS[width ?? (isNumber ? "time" : "short")])
    .join(" ");
}
