// The team's sending domains as a table. A row opens the domain's records, policies and tracking.
import { getRouteApi, Link } from "@tanstack/react-router";
import { useMemo, useState } from "react";
import { MainButton } from "../../parts/button.tsx";
import { AsRequest } from "../../parts/as-request.tsx";
import { EmptyState } from "../../parts/empty-state.tsx";
import { PageHead } from "../../parts/page-head.tsx";
import { PagedList } from "../../parts/list/paged-list.tsx";
import { Permitted } from "../../parts/permitted.tsx";
import { domainColumns } from "./domain-columns.tsx";
import { DomainPanel } from "./domain-panel.tsx";
import { useDomains } from "./domain-queries.ts";
import { domainSearch, type RecordView, viewSearch } from "./domains-search.ts";
import { NewDomain } from "./new-domain.tsx";

/** The largest number of domains for which the page checks the DNS of closed rows too. */
const FEW = 6;

const route = getRouteApi("/frame/domains");

export function Domains() {
  const { open = null, as = "records" } = route.useSearch();
  const navigate = route.useNavigate();
  const [isNew, setNew] = useState(false);
  const query = useDomains();
  const isLookedAt = (query.rows?.length ?? 0) <= FEW;
  const columns = useMemo(() => domainColumns(isLookedAt), [isLookedAt]);
  const show = (id: string | null, view: RecordView = as): Promise<void> =>
    navigate({
      search: id === null ? {} : { ...viewSearch(view), open: id },
      resetScroll: false,
    });
  return (
    <>
      <PageHead title="Domains">
        <Permitted operation="POST /v1/domains" act="add domains">
          <MainButton onClick={() => setNew(true)}>Add domain</MainButton>
        </Permitted>
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
      <section className="panel" aria-label="Domains">
        <PagedList
          query={query}
          empty={<NoDomain />}
          label="Domains"
          columns={columns}
          open={open}
          onOpen={(id) => void show(id)}
          detail={(domain) => (
            <DomainPanel
              key={domain.id}
              domain={domain}
              heading={
                <h2>
                  <Link
                    to="/domains/$domainId"
                    params={{ domainId: domain.id }}
                    search={domainSearch({ as })}
                  >
                    {domain.name}
                  </Link>
                </h2>
              }
              view={as}
              onView={(view) => void show(domain.id, view)}
              onDeleted={() => show(null)}
            />
          )}
        />
      </section>
      <AsRequest path={open === null ? "/v1/domains?limit=50" : `/v1/domains/${open}/dns`} />
    </>
  );
}

function NoDomain() {
  return (
    <EmptyState
      command={
        `curl -sS '${window.location.origin}/v1/domains' -H "Authorization: Bearer $POSTERN_API_KEY" ` +
        `-H 'Content-Type: application/json' -d '{"name": "news.example.com"}'`
      }
    >
      No domains yet. Add the domain you send from to get the DNS records to publish.
    </EmptyState>
  );
}
