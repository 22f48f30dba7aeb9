// The failed requests of the team's programs, newest first. Requests that failed in the same way
// share a row.
import { getRouteApi } from "@tanstack/react-router";
import type { LoggedRequest } from "../../../../packages/postern/src/generated/types.ts";
import { api } from "../../api/api-client.ts";
import { PAGE_ROWS, usePages } from "../../api/pages.ts";
import { Button } from "../../parts/button.tsx";
import { AsRequest } from "../../parts/as-request.tsx";
import { EmptyState } from "../../parts/empty-state.tsx";
import { formatCount } from "../../parts/figures.ts";
import { PageHead } from "../../parts/page-head.tsx";
import { PagedList } from "../../parts/list/paged-list.tsx";
import type { ListColumn } from "../../parts/list/record-list.tsx";
import { ViewSwitch } from "../../parts/view-switch.tsx";
import { TimeAgo } from "../../parts/time/time-ago.tsx";
import { RequestFacts, RequestStatus } from "./request-facts.tsx";
import { STATUSES } from "./requests-search.ts";

const route = getRouteApi("/frame/requests");

const COLUMNS: readonly ListColumn<LoggedRequest>[] = [
  { name: "Status", cell: (one) => <RequestStatus of={one} />, width: "status" },
  { name: "Request", cell: requestOf, width: "long" },
  { name: "Error", cell: errorOf, isSecondary: true, width: "long" },
  {
    name: "How often",
    cell: ({ count }) => formatCount(count),
    isNumber: true,
    isLabelled: true,
    width: "number",
  },
  { name: "Last", cell: ({ created_at: at }) => <TimeAgo at={at} />, isNumber: true },
];

export function Requests() {
  const { open = null, status = "" } = route.useSearch();
  const navigate = route.useNavigate();
  const filter = status === "" ? {} : { status };
  const query = usePages(["requests", status], (page) => api.requests.list({ ...page, ...filter }));
  return (
    <>
      <PageHead title="Requests">
        <ViewSwitch
          label="Status"
          values={STATUSES}
          chosen={status}
          onChoose={(value) => void navigate({ search: value === "" ? {} : { status: value } })}
        />
        <Button onClick={() => void query.refetch()}>Refresh</Button>
      </PageHead>
      <section className="panel" aria-label="Requests">
        <PagedList
          query={query}
          empty={
            <EmptyState>
              No such requests in the last three days. Failed requests of your programs appear here
              within seconds, and so does one in a hundred of all other requests.
            </EmptyState>
          }
          label="Requests"
          columns={COLUMNS}
          open={open}
          onOpen={(id) =>
            void navigate({ search: { ...filter, ...(id !== null && { open: id }) } })
          }
          detail={(logged) => <RequestFacts logged={logged} />}
        />
      </section>
      <AsRequest
        path={`/v1/requests?limit=${PAGE_ROWS}${status === "" ? "" : `&status=${status}`}`}
      />
    </>
  );
}

function requestOf({ method, route: path }: LoggedRequest) {
  return path === null ? `${method} an unknown path` : <code>{`${method} ${path}`}</code>;
}

function errorOf({ error_type: type, fields }: LoggedRequest) {
  return [type ?? "", fields.join(", ")].filter((text) => text !== "").join(": ");
}
