// The suppressed addresses: search, add, lift, import and export.
import { getRouteApi, useLocation } from "@tanstack/react-router";
import { useCallback, useMemo, useState } from "react";
import { PAGE_ROWS } from "../../api/pages.ts";
import { Button, MainButton, TextButton } from "../../parts/button.tsx";
import { QueryResult } from "../../parts/query-result.tsx";
import { AsRequest } from "../../parts/as-request.tsx";
import { EmptyState } from "../../parts/empty-state.tsx";
import { ErrorNotice } from "../../parts/error-notice.tsx";
import { beginExport, useExportRun } from "../../parts/export/export-run.ts";
import { ExportStatus } from "../../parts/export/export-status.tsx";
import { Loading } from "../../parts/loading.tsx";
import { PageHead } from "../../parts/page-head.tsx";
import { Permitted, useMay } from "../../parts/permitted.tsx";
import { RecordList } from "../../parts/list/record-list.tsx";
import { ImportStatus } from "./import-status.tsx";
import { forgetImport, rememberImport, readImports } from "./stored-imports.ts";
import { NewImport } from "./new-import.tsx";
import { LIFT } from "../message/lift-suppression.tsx";
import { LiftChosen } from "./lift-chosen.tsx";
import { NewSuppression } from "./new-suppression.tsx";
import { SUPPRESSION_COLUMNS } from "./suppression-columns.tsx";
import { SuppressionDetail } from "./suppression-detail.tsx";
import { SuppressionFilterBar } from "./suppression-filters.tsx";
import { SuppressionListTop } from "./suppression-list-top.tsx";
import { useSuppressionCount, useSuppressions } from "./suppression-queries.ts";
import { suppressionsFile } from "./suppressions-csv.ts";
import {
  listQuery,
  readTexts,
  suppressionQuery,
  suppressionsSearch,
  type SuppressionsSearch,
  type SuppressionTexts,
  writeTexts,
} from "./suppressions-search.ts";

const route = getRouteApi("/frame/suppressions");

export function Suppressions() {
  const { open = null, ...search } = route.useSearch();
  const { sort = "newest", ...filters } = search;
  const hash = useLocation({ select: (location) => location.hash });
  const texts = useMemo(() => readTexts(hash), [hash]);
  const navigate = route.useNavigate();
  const asked = suppressionQuery(filters, texts.contains);
  const listed = listQuery(search, texts);
  const query = useSuppressions(listed);
  const count = useSuppressionCount(asked).data;
  const go = useCallback(
    (next: SuppressionsSearch, nextTexts: SuppressionTexts) =>
      void navigate({
        search: suppressionsSearch({ ...next }),
        hash: writeTexts(nextTexts),
        ...QUIETLY,
      }),
    [navigate],
  );
  const isNarrowed = Object.keys(asked).length > 0;
  return (
    <>
      <Acts asked={asked} total={count && !count.has_more ? count.total : null} />
      <ExportStatus />
      <section className="panel" aria-label="Suppressions">
        <SuppressionFilterBar
          contains={texts.contains}
          onContains={(contains) => go(search, { ...texts, contains })}
          filters={filters}
          onFilters={(next) => go({ ...next, ...(sort !== "newest" && { sort }) }, texts)}
        />
        <SuppressionListTop
          count={count}
          isNarrowed={isNarrowed}
          sort={sort}
          onSort={(next) => go(suppressionsSearch({ ...filters, sort: next }), texts)}
          from={sort === "email" ? texts.from : ""}
          onFrom={(from) => go({ ...filters, sort: "email" }, { ...texts, from })}
        />
        <FoundSuppressions
          query={query}
          listed={listed}
          open={open}
          onOpen={(id) =>
            void navigate({
              search: { ...search, ...(id !== null && { open: id }) },
              hash: true,
              ...INPLACE,
            })
          }
          total={count?.has_more ? undefined : count?.total}
          onAll={() => void navigate({ search: {} })}
        />
        {query.retryMore && query.error && (
          <ErrorNotice error={query.error} retry={query.retryMore} />
        )}
      </section>
      <AsRequest
        path={`/v1/suppressions?${new URLSearchParams({ limit: String(PAGE_ROWS), ...listed }).toString()}`}
      />
    </>
  );
}

interface FoundSuppressionsProps {
  readonly query: ReturnType<typeof useSuppressions>;
  readonly listed: ReturnType<typeof listQuery>;
  readonly open: string | null;
  readonly onOpen: (id: string | null) => void;
  readonly total: number | undefined;
  readonly onAll: () => void;
}

function FoundSuppressions(props: FoundSuppressionsProps) {
  const { query, listed, open, onOpen, total, onAll } = props;
  const [chosen, setChosen] = useState<ReadonlySet<string>>(NONE);
  const mayLift = useMay(LIFT);
  const rows = query.rows ?? [];
  const onChoose = (id: string): void => {
    const next = new Set(chosen);
    if (!next.delete(id)) next.add(id);
    setChosen(next);
  };
  return (
    <QueryResult query={query} skeleton={<Loading rows={16} />}>
      {() =>
        rows.length === 0 ? (
          <NoSuppression isNarrowed={Object.keys(listed).length > 0} onAll={onAll} />
        ) : (
          <>
            <LiftChosen
              rows={rows}
              chosen={rows.filter(({ id }) => chosen.has(id))}
              onChosen={(ids) => setChosen(new Set(ids))}
            />
            <RecordList
              label="Suppressions"
              columns={SUPPRESSION_COLUMNS}
              rows={rows}
              {...(mayLift && { choice: { chosen, onChoose } })}
              idOf={({ id }) => id}
              open={open}
              onOpen={onOpen}
              detail={(one) => <SuppressionDetail suppression={one} />}
              onEnd={query.more}
              isLoadingMore={query.isFetchingNextPage}
              total={"email_from" in listed ? undefined : total}
            />
          </>
        )
      }
    </QueryResult>
  );
}

const NONE: ReadonlySet<string> = new Set();

/** The fragment is not the id of an element, so the page must not scroll to it. */
const INPLACE = { hashScrollIntoView: false, resetScroll: false } as const;
const QUIETLY = { ...INPLACE, replace: true } as const;

interface ActsProps {
  readonly asked: ReturnType<typeof suppressionQuery>;
  /** The number of suppressions in an export. Null: the number is not known. */
  readonly total: number | null;
}

/** The page's head with its actions, and the imports started in this tab. */
function Acts({ asked, total }: ActsProps) {
  const [act, setAct] = useState<"add" | "import" | null>(null);
  const [imports, setImports] = useState(readImports);
  const run = useExportRun();
  return (
    <>
      <PageHead title="Suppressions">
        <Permitted operation="POST /v1/suppressions" act="add suppressions">
          <MainButton onClick={() => setAct("add")}>Add suppression</MainButton>
        </Permitted>
        <Permitted operation="POST /v1/suppressions/import">
          <Button onClick={() => setAct("import")}>Import CSV</Button>
        </Permitted>
        <Button
          disabled={run?.kind === "running"}
          onClick={() => void beginExport(suppressionsFile(asked, total))}
        >
          Download CSV
        </Button>
      </PageHead>
      {act === "add" && <NewSuppression onClose={() => setAct(null)} />}
      {act === "import" && (
        <NewImport
          onBegun={(id, rows) => {
            setImports(rememberImport(id, rows));
            setAct(null);
          }}
          onClose={() => setAct(null)}
        />
      )}
      {imports.map((id) => (
        <ImportStatus key={id} id={id} onClose={() => setImports(forgetImport(id))} />
      ))}
    </>
  );
}

interface NoSuppressionProps {
  readonly isNarrowed: boolean;
  readonly onAll: () => void;
}

function NoSuppression({ isNarrowed, onAll }: NoSuppressionProps) {
  return isNarrowed ? (
    <EmptyState>
      No suppressions match. <TextButton onClick={onAll}>Show all</TextButton>
    </EmptyState>
  ) : (
    <EmptyState
      command={
        `curl -sS '${window.location.origin}/v1/suppressions' -H "Authorization: Bearer $POSTERN_API_KEY" ` +
        `-H 'Content-Type: application/json' -d '{"email": "jo@example.com", "topic": "*"}'`
      }
    >
      No suppressed addresses yet. Addresses that bounce permanently, complain or unsubscribe are
      added automatically. To add one yourself:
    </EmptyState>
  );
}
