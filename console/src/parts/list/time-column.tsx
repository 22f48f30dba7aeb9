// The column of a list that shows how long ago something happened.
import type { ListColumn } from "./record-list.tsx";
import { TimeAgo } from "../time/time-ago.tsx";

export function agoColumn<Row>(
  name: string,
  atOf: (row: Row) => string,
  look: Pick<ListColumn<Row>, "isSecondary"> = {},
): ListColumn<Row> {
  const cell = (row: Row) => <TimeAgo at={atOf(row)} />;
  return { name, cell, isNumber: true, width: "ago", ...look };
}
