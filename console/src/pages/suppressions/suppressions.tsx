// The addresses that get no mail: found, added, lifted, imported and exported.
import { getRouteApi, useLocation } from "@tanstack/react-router";
import { useCallback, useState } from "react";
import { Answer } from "../../parts/answer.tsx";
import { AsRequest } from "../../parts/as-request.tsx";
import { EmptyState } from "../../parts/empty-state.tsx";
import { PageHead } from "../../parts/page-head.tsx";
import { RecordList } from "../../parts/record-list.tsx";
import { beginExport, useExportRun } from "./export-run.ts";
import { ExportStatus } from "./export-status.tsx";
import { ImportStatus } from "./import-status.tsx";
import { forgetImport, keepImport, readImports } from "./kept-imports.ts";
import { NewImport } from "./new-import.tsx";
import { NewSuppression } from "./new-suppression.tsx";
import { SUPPRESSION_COLUMNS } from "./suppression-columns.tsx";
import { SuppressionDetail } from "./suppression-detail.tsx";
import { SuppressionFilterBar } from "./suppression-filters.tsx";
import { useSuppressions } from "./suppression-queries.ts";
import { suppressionQuery, suppressionsSearch, textOfFragment } from "./suppressions-search.ts";

const route = getRouteApi("/frame/suppressions");

export function Suppressions() {
  const { open = null, ...filters } = route.useSearch();
  const contains = textOfFragment(useLocation({ select: ({ hash }) => hash }));
  const navigate = route.useNavigate();
  const asked = suppressionQuery(filters, contains);
  const query = useSuppressions(asked);
  const isNarrowed = Object.keys(asked).length > 0;
  const search = useCallback(
    (text: string) =>
      void navigate({
        search: (before) => suppressionsSearch({ ...before, open: undefined }),
        hash: encodeURIComponent(text),
        ...QUIETLY,
      }),
    [navigate],
  );
  return (
    <>
      <Acts asked={asked} />
      <ExportStatus />
      <section className="panel" aria-label="Suppressions">
        <SuppressionFilterBar
          contains={contains}
          onContains={search}
          filters={filters}
          onFilters={(next) => void navigate({ search: next, hash: true, ...QUIETLY })}
        />
        <Answer query={query}>
          {() =>
            query.rows?.length === 0 ? (
              <NoSuppression isNarrowed={isNarrowed} onAll={() => void navigate({ search: {} })} />
            ) : (
              <RecordList
                label="Suppressions"
                columns={SUPPRESSION_COLUMNS}
                rows={query.rows ?? []}
                idOf={({ id }) => id}
                open={open}
                onOpen={(id) =>
                  void navigate({
                    search: { ...filters, ...(id !== null && { open: id }) },
                    hash: true,
                    ...INPLACE,
                  })
                }
                detail={(one) => <SuppressionDetail suppression={one} />}
                onEnd={query.more}
                isLoadingMore={query.isFetchingNextPage}
              />
            )
          }
        </Answer>
      </section>
      <AsRequest
        path={`/v1/suppressions?${new URLSearchParams({ limit: "50", ...asked }).toString()}`}
      />
    </>
  );
}

/** The fragment names no element to scroll to. */
const INPLACE = { hashScrollIntoView: false, resetScroll: false } as const;
const QUIETLY = { ...INPLACE, replace: true } as const;

/** The page's head with its acts, and the imports that were begun here. */
function Acts({ asked }: { readonly asked: ReturnType<typeof suppressionQuery> }) {
  const [act, setAct] = useState<"add" | "import" | null>(null);
  const [imports, setImports] = useState(readImports);
  const run = useExportRun();
  return (
    <>
      <PageHead title="Suppressions">
        <button type="button" className="btn main" onClick={() => setAct("add")}>
          Suppress an address
        </button>
        <button type="button" className="btn" onClick={() => setAct("import")}>
          Import
        </button>
        <button
          type="button"
          className="btn"
          disabled={run?.kind === "running"}
          onClick={() => void beginExport(asked)}
        >
          {Object.keys(asked).length > 0 ? "Export these" : "Export"}
        </button>
      </PageHead>
      {act === "add" && <NewSuppression onClose={() => setAct(null)} />}
      {act === "import" && (
        <NewImport
          onBegun={(id, rows) => {
            setImports(keepImport(id, rows));
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
      No suppression is like this.{" "}
      <button type="button" className="link" onClick={onAll}>
        Show all
      </button>
    </EmptyState>
  ) : (
    <EmptyState
      command={
        `curl -sS '${window.location.origin}/v1/suppressions' -H "Authorization: Bearer $POSTERN_API_KEY" ` +
        `-H 'Content-Type: application/json' -d '{"email": "jo@example.com", "topic": "*"}'`
      }
    >
      No address is suppressed. Addresses that bounce for good, complain or unsubscribe come here by
      themselves. Suppress one yourself:
    </EmptyState>
  );
}
