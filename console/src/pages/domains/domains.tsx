// The team's sending domains with the state of each. The details of a domain open within the list.
import { getRouteApi, Link } from "@tanstack/react-router";
import { type KeyboardEvent, useState } from "react";
import type { Domain } from "../../../../packages/postern/src/generated/types.ts";
import { QueryResult } from "../../parts/query-result.tsx";
import { AsRequest } from "../../parts/as-request.tsx";
import { EmptyState } from "../../parts/empty-state.tsx";
import { PageHead } from "../../parts/page-head.tsx";
import { LoadingRows } from "../../parts/loading.tsx";
import { useEndInView } from "../../parts/record-list.tsx";
import { DomainPanel } from "./domain-panel.tsx";
import { useDomains } from "./domain-queries.ts";
import { domainSearch, type RecordView, viewSearch } from "./domains-search.ts";
import { NewDomain } from "./new-domain.tsx";

/** The page checks the DNS of at most this many closed domains. */
const FEW = 6;

const route = getRouteApi("/frame/domains");

export function Domains() {
  const { open = null, as = "records" } = route.useSearch();
  const navigate = route.useNavigate();
  const [isNew, setNew] = useState(false);
  const query = useDomains();
  const end = useEndInView(query.more);
  const rows = query.rows ?? [];
  const show = (id: string | null): Promise<void> =>
    navigate({ search: id === null ? {} : { ...viewSearch(as), open: id } });
  return (
    <>
      <PageHead title="Domains">
        <button type="button" className="btn main" onClick={() => setNew(true)}>
          Add domain
        </button>
      </PageHead>
      {isNew && (
        <NewDomain
          onAdded={(id) => {
            setNew(false);
            void show(id);
          }}
          onClose={() => setNew(false)}
        />
      )}
      <QueryResult query={query}>
        {() =>
          rows.length === 0 ? (
            <NoDomain />
          ) : (
            <div
              onKeyDown={(event) => moveAmongHeads(event, () => open !== null && void show(null))}
            >
              {rows.map((domain) => (
                <DomainPanel
                  key={domain.id}
                  domain={domain}
                  isOpen={domain.id === open}
                  isLookedAt={rows.length <= FEW}
                  heading={
                    <DomainHead
                      domain={domain}
                      isOpen={domain.id === open}
                      onOpen={(id) => void show(id)}
                      as={as}
                    />
                  }
                  view={as}
                  onView={(view) =>
                    void navigate({ search: { ...viewSearch(view), open: domain.id } })
                  }
                  onDeleted={() => show(null)}
                />
              ))}
            </div>
          )
        }
      </QueryResult>
      {query.hasMore && (
        <div ref={end}>
          <LoadingRows />
        </div>
      )}
      <AsRequest path={open === null ? "/v1/domains?limit=50" : `/v1/domains/${open}/dns`} />
    </>
  );
}

interface DomainHeadProps {
  readonly domain: Domain;
  readonly isOpen: boolean;
  readonly onOpen: (id: string | null) => void;
  readonly as: RecordView;
}

function DomainHead({ domain: { id, name }, isOpen, onOpen, as }: DomainHeadProps) {
  return (
    <>
      <h2>
        <button
          type="button"
          className="row"
          aria-expanded={isOpen}
          onClick={() => onOpen(isOpen ? null : id)}
        >
          {name}
        </button>
      </h2>
      {isOpen && (
        <Link
          to="/domains/$domainId"
          params={{ domainId: id }}
          search={domainSearch({ as })}
          className="muted"
        >
          Open page
        </Link>
      )}
    </>
  );
}

function NoDomain() {
  return (
    <section className="panel">
      <EmptyState
        command={
          `curl -sS '${window.location.origin}/v1/domains' -H "Authorization: Bearer $POSTERN_API_KEY" ` +
          `-H 'Content-Type: application/json' -d '{"name": "news.example.com"}'`
        }
      >
        No domains yet. Add the domain you send from to get the DNS records to publish.
      </EmptyState>
    </section>
  );
}

/** `j` and `k` move among the domains, and Esc closes the open one. */
function moveAmongHeads(event: KeyboardEvent<HTMLElement>, close: () => void): void {
  if (event.target instanceof HTMLInputElement || event.target instanceof HTMLDialogElement) return;
  if (event.key === "Escape") close();
  const step = { j: 1, ArrowDown: 1, k: -1, ArrowUp: -1 }[event.key];
  if (step === undefined) return;
  event.preventDefault();
  const heads = [...event.currentTarget.querySelectorAll<HTMLButtonElement>("button.row")];
  const at = heads.findIndex((head) => head === document.activeElement);
  heads[Math.min(heads.length - 1, Math.max(0, at + step))]?.focus();
}
