// A list of the API whose pages are read while the reader scrolls.
import type { ReactNode } from "react";
import type { usePages } from "../../api/pages.ts";
import { QueryResult } from "../query-result.tsx";
import { RecordList, type RecordListProps } from "./record-list.tsx";

type OwnProps = "rows" | "idOf" | "onEnd" | "isLoadingMore";

interface PagedListProps<Row> extends Omit<RecordListProps<Row>, OwnProps> {
  readonly query: ReturnType<typeof usePages<Row>>;
  /** Is shown in place of an empty list. */
  readonly empty: ReactNode;
}

export function PagedList<Row extends { readonly id: string }>(props: PagedListProps<Row>) {
  const { query, empty, ...list } = props;
  const { rows = [], more, isFetchingNextPage } = query;
  return (
    <QueryResult query={query}>
      {() =>
        rows.length === 0 ? (
          empty
        ) : (
          <RecordList
            {...list}
            rows={rows}
            idOf={({ id }) => id}
            onEnd={more}
            isLoadingMore={isFetchingNextPage}
          />
        )
      }
    </QueryResult>
  );
}
