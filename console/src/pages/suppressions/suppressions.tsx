// The addresses that get no mail: found, added, lifted, imported and exported.
import { useMutation } from "@tanstack/react-query";
import { getRouteApi, useLocation } from "@tanstack/react-router";
import { useCallback, useState } from "react";
import type { Suppression } from "../../../../packages/postern/src/generated/types.ts";
import { Answer } from "../../parts/answer.tsx";
import { AsRequest } from "../../parts/as-request.tsx";
import { EmptyState } from "../../parts/empty-state.tsx";
import { ErrorNote } from "../../parts/error-note.tsx";
import { PageHead } from "../../parts/page-head.tsx";
import { RecordList } from "../../parts/record-list.tsx";
import { UndoBar } from "../../parts/undo-bar.tsx";
import { beginExport, useExportRun } from "./export-run.ts";
import { ExportStatus } from "./export-status.tsx";
import { ImportStatus } from "./import-status.tsx";
import { forgetImport, keepImport, readImports } from "./kept-imports.ts";
import { NewImport } from "./new-import.tsx";
import { NewSuppression } from "./new-suppression.tsx";
import { SUPPRESSION_COLUMNS } from "./suppression-columns.tsx";
import { SuppressionDetail } from "./suppression-detail.tsx";
import { liftedWords } from "./suppression-facts.ts";
import { SuppressionFilterBar } from "./suppression-filters.tsx";
import { addSuppression, refreshSuppressions, useSuppressions } from "./suppression-queries.ts";
import { suppressionQuery, suppressionsSearch, textOfFragment } from "./suppressions-search.ts";

const route = getRouteApi("/frame/suppressions");

export function Suppressions() {
  const { open = null, ...filters } = route.useSearch();
  const contains = textOfFragment(useLocation({ select: ({ hash }) => hash }));
  const navigate = route.useNavigate();
  const [lifted, setLifted] = useState<Suppression | null>(null);
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
      {lifted && <PutBack key={lifted.id} lifted={lifted} onOver={() => setLifted(null)} />}
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
                detail={(one) => (
                  <SuppressionDetail
                    suppression={one}
                    onLifted={({ origin }) => setLifted(origin === "manual" ? one : null)}
                  />
                )}
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

interface PutBackProps {
  readonly lifted: Suppression;
  readonly onOver: () => void;
}

/** Puts a suppression back that was made by hand. It holds from that moment on. */
function PutBack({ lifted, onOver }: PutBackProps) {
  const { mutate, error } = useMutation({
    mutationFn: () => addSuppression(lifted),
    onSuccess: () => {
      onOver();
      return refreshSuppressions();
    },
  });
  if (error) return <ErrorNote error={error} retry={() => mutate()} />;
  return (
    <UndoBar
      done={liftedWords(lifted)}
      action="Put it back"
      onUndo={() => mutate()}
      onOver={onOver}
    />
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
