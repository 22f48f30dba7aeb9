// A table of few rows, such as figures. A list of any length is in record-list.tsx.
import type { ComponentProps, ReactNode } from "react";

interface CellLook {
  /** True: the cell is right-aligned, for numbers and for times at the end of a row. */
  readonly isNumber?: boolean;
  /** True: a phone hides the cell. */
  readonly isSecondary?: boolean;
}

export interface TableColumn<Row> extends CellLook {
  readonly name: string;
  readonly cell: (row: Row) => ReactNode;
  /** Returns the tooltip of a cell. */
  readonly title?: (row: Row) => string;
  /** Further classes of the cells below the head. */
  readonly className?: string;
  /** True: the cell is the heading of its row. */
  readonly isHeading?: boolean;
}

interface ShortTableProps<Row> extends ComponentProps<"table"> {
  readonly columns: readonly TableColumn<Row>[];
  readonly rows: readonly Row[];
  readonly keyOf: (row: Row) => string | number;
}

/** The ARIA roles are explicit, because a phone shows the rows of some tables as blocks. */
export function ShortTable<Row>({ columns, rows, keyOf, ...table }: ShortTableProps<Row>) {
  return (
    <table role="table" {...table}>
      <thead role="rowgroup">
        <tr role="row">
          <ColumnNames columns={columns} />
        </tr>
      </thead>
      <tbody role="rowgroup">
        {rows.map((row) => (
          <tr key={keyOf(row)} role="row">
            {columns.map((column) => (
              <Cell key={column.name} column={column} row={row} />
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  );
}

interface CellProps<Row> {
  readonly column: TableColumn<Row>;
  readonly row: Row;
}

function Cell<Row>({ column, row }: CellProps<Row>) {
  const { cell, title, className, isHeading } = column;
  const content = cell(row);
  if (isHeading === true) return <th scope="row">{content}</th>;
  return (
    <td role="cell" title={title?.(row)} className={classesOf(column, className)}>
      {content}
    </td>
  );
}

interface ColumnNamesProps {
  readonly columns: readonly (CellLook & { readonly name: string })[];
}

/** The cells of a table's head. */
export function ColumnNames({ columns }: ColumnNamesProps) {
  return columns.map(({ name, ...look }) =>
    name === "" ? (
      <td key="" />
    ) : (
      <th key={name} role="columnheader" scope="col" className={classesOf(look)}>
        {name}
      </th>
    ),
  );
}

export function classesOf({ isNumber, isSecondary }: CellLook, others?: string): string {
  return [isNumber && "n", isSecondary && "second", others].filter(Boolean).join(" ");
}
