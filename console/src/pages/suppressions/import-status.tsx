// The progress of an import of suppressions, and the invalid rows of its file.
import { useQuery } from "@tanstack/react-query";
import { useEffect } from "react";
import type { SuppressionImports } from "../../../../packages/postern/src/generated/types.ts";
import { api } from "../../api/api-client.ts";
import { SmallButton } from "../../parts/button.tsx";
import { QueryResult } from "../../parts/query-result.tsx";
import { formatCount } from "../../parts/figures.ts";
import { Loading } from "../../parts/loading.tsx";
import { Status } from "../../parts/pill.tsx";
import { ShortTable, type TableColumn } from "../../parts/list/short-table.tsx";
import { progressText } from "./import-texts.ts";
import { seenOfImport } from "./stored-imports.ts";
import { refreshSuppressions } from "./suppression-queries.ts";

const POLL_MS = 1_000;
/** The longest pause between two polls of a slow import. */
const LONGEST_POLL_MS = 5_000;

interface ImportStatusProps {
  readonly id: string;
  readonly onClose: () => void;
}

export function ImportStatus({ id, onClose }: ImportStatusProps) {
  const query = useQuery({
    queryKey: ["suppression-import", id],
    queryFn: () => api.suppressions.getImport(id),
    refetchInterval: ({ state: { data, error, dataUpdateCount } }) =>
      error || (data && data.status !== "running")
        ? false
        : Math.min(LONGEST_POLL_MS, POLL_MS + 100 * dataUpdateCount),
  });
  const status = query.data?.status;
  const isOver = status !== undefined && status !== "running";
  useEffect(() => {
    if (isOver) void refreshSuppressions();
  }, [isOver]);
  return (
    <section className="panel" aria-label="Import">
      <div className="top">
        <h2>Import</h2>
        {status && <Status of={status} />}
        <small>
          <code>{id}</code>
        </small>
        <span className="right">
          <SmallButton onClick={onClose}>{isOver ? "Close" : "Hide"}</SmallButton>
        </span>
      </div>
      <QueryResult query={query} skeleton={<Loading height={46} />}>
        {(data) => <ImportProgress counts={data} at={query.dataUpdatedAt} />}
      </QueryResult>
    </section>
  );
}

interface ImportProgressProps {
  readonly counts: SuppressionImports;
  /** The time at which the counts were read, in Unix milliseconds. */
  readonly at: number;
}

function ImportProgress({ counts, at }: ImportProgressProps) {
  const { id, status, total, failed, errors } = counts;
  const seen = status === "running" ? seenOfImport(id, total) : null;
  return (
    <div className="padded">
      {status === "running" && (
        <progress
          aria-label="Rows read"
          {...(seen?.rows ? { max: seen.rows, value: Math.min(total, seen.rows) } : {})}
        />
      )}
      <p role="status">{progressText(counts, seen, at)}</p>
      {errors.length > 0 && (
        <details open={errors.length <= 10}>
          <summary>
            {failed > errors.length
              ? `First ${formatCount(errors.length)} of ${formatCount(failed)} invalid rows`
              : `${formatCount(failed)} invalid ${failed === 1 ? "row" : "rows"}`}
          </summary>
          <div className="tall" tabIndex={0} role="region" aria-label="Invalid rows">
            <ShortTable
              aria-label="Invalid rows of the file"
              columns={COLUMNS}
              rows={errors}
              keyOf={({ row, field, message }) => `${row} ${field} ${message}`}
            />
          </div>
        </details>
      )}
    </div>
  );
}

const COLUMNS: readonly TableColumn<SuppressionImports["errors"][number]>[] = [
  { name: "Row", cell: ({ row }) => formatCount(row), isNumber: true },
  { name: "Column", cell: ({ field }) => <code>{field}</code> },
  { name: "Problem", cell: ({ message }) => message },
];
