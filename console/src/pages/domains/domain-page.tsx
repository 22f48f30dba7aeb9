// The page of one domain.
import { getRouteApi, Link } from "@tanstack/react-router";
import { QueryResult, isMissing } from "../../parts/query-result.tsx";
import { AsRequest } from "../../parts/as-request.tsx";
import { NoObject } from "../../parts/not-found.tsx";
import { PageHead } from "../../parts/page-head.tsx";
import { DomainPanel } from "./domain-panel.tsx";
import { useDomain } from "./domain-queries.ts";
import { viewSearch } from "./domains-search.ts";

const route = getRouteApi("/frame/domains/$domainId");

export function DomainPage() {
  const { domainId } = route.useParams();
  const { as = "records" } = route.useSearch();
  const navigate = route.useNavigate();
  const query = useDomain(domainId);
  if (isMissing(query)) return <NoObject noun="domain" id={domainId} />;
  return (
    <>
      <PageHead title={query.data?.name ?? "Domain"}>
        <Link to="/domains">All domains</Link>
      </PageHead>
      <QueryResult query={query}>
        {(domain) => (
          <DomainPanel
            domain={domain}
            heading={<h2>Records</h2>}
            view={as}
            onView={(view) => void navigate({ search: viewSearch(view) })}
            onDeleted={() => navigate({ to: "/domains" })}
          />
        )}
      </QueryResult>
      <AsRequest path={`/v1/domains/${domainId}/dns`} />
    </>
  );
}
