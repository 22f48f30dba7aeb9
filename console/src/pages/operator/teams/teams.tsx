// All teams, with a search by name or ID and a form to create one.
import { Link, getRouteApi } from "@tanstack/react-router";
import { useState } from "react";
import type { Team } from "../../../api/operator/types.ts";
import { operatorApi } from "../../../api/api-client.ts";
import { PAGE_ROWS, usePages } from "../../../api/pages.ts";
import { QueryResult } from "../../../parts/query-result.tsx";
import { AsRequest } from "../../../parts/as-request.tsx";
import { EmptyState } from "../../../parts/empty-state.tsx";
import { formatCount } from "../../../parts/figures.ts";
import { PageHead } from "../../../parts/page-head.tsx";
import { Pill } from "../../../parts/pill.tsx";
import { type ListColumn, RecordList } from "../../../parts/record-list.tsx";
import { TimeAgo } from "../../../parts/time/time-ago.tsx";
import { NewTeam } from "./new-team.tsx";
import { plural } from "../checks/operator-check.ts";
import { DELIVERY_METHODS } from "../delivery-methods.ts";
import { describeSpan } from "../shard-texts.ts";
import { matchesTeam } from "./team-changes.ts";

const route = getRouteApi("/operator/operator/teams");

const COLUMNS: readonly ListColumn<Team>[] = [
  { name: "Name", cell: ({ name }) => name, width: "long" },
  { name: "Subscription", cell: (team) => <Subscription of={team.subscription} /> },
  {
    name: "Daily limit",
    cell: ({ limits }) => formatCount(limits.daily),
    isNumber: true,
    isSecondary: true,
    width: "number",
  },
  {
    name: "Delivery method",
    cell: ({ sending }) => DELIVERY_METHODS[sending.courier].name,
    isSecondary: true,
  },
  { name: "Created", cell: ({ created_at: at }) => <TimeAgo at={at} />, isSecondary: true },
];

export function Teams() {
  const { open = null, q = "" } = route.useSearch();
  const navigate = route.useNavigate();
  const [isNew, setNew] = useState(false);
  const query = usePages(["operator", "teams"], (page) => operatorApi.teams.list(page));
  const read = query.rows ?? [];
  const found = read.filter((team) => matchesTeam(team, q));
  const search = (words: string): void =>
    void navigate({ search: words === "" ? {} : { q: words }, replace: true });
  return (
    <>
      <PageHead title="Teams">
        <button type="button" className="btn main" onClick={() => setNew(true)}>
          New team
        </button>
      </PageHead>
      {isNew && <NewTeam onClose={() => setNew(false)} />}
      <section className="panel" aria-label="Teams">
        <TeamSearch
          q={q}
          onSearch={search}
          said={query.rows ? said(found.length, read.length, query.hasMore) : ""}
        />
        <QueryResult query={query}>
          {() =>
            found.length === 0 && !query.hasMore ? (
              <EmptyState>{q === "" ? "No teams yet." : `No team matches “${q}”.`}</EmptyState>
            ) : (
              <RecordList
                label="Teams"
                columns={COLUMNS}
                rows={found}
                idOf={({ id }) => id}
                open={open}
                onOpen={(id) =>
                  void navigate({
                    search: { ...(q !== "" && { q }), ...(id !== null && { open: id }) },
                  })
                }
                detail={(team) => <TeamSummary team={team} />}
                onEnd={query.more}
                isLoadingMore={query.isFetchingNextPage}
              />
            )
          }
        </QueryResult>
      </section>
      <AsRequest path={`/admin/teams?limit=${PAGE_ROWS}`} variable="ADMIN_TOKEN" />
    </>
  );
}

interface TeamSearchProps {
  readonly q: string;
  readonly onSearch: (words: string) => void;
  readonly said: string;
}

function TeamSearch({ q, onSearch, said: found }: TeamSearchProps) {
  return (
    <div className="filters">
      <label className="field">
        Search by name or ID
        <input type="search" value={q} onChange={(event) => onSearch(event.target.value)} />
      </label>
      <p className="muted" role="status">
        {found}
      </p>
    </div>
  );
}

/**
 * Shows how many teams were searched. The API only lists teams, so the console searches the loaded
 * ones.
 */
function said(found: number, read: number, hasMore: boolean): string {
  const all = plural(read, "team", "teams");
  const of = found < read ? `${formatCount(found)} of ${all}` : all;
  return hasMore ? `${of} loaded so far` : of;
}

export function Subscription({ of }: { readonly of: Team["subscription"] }) {
  return of === "active" ? <Pill tone="ok">Active</Pill> : <Pill tone="bad">Inactive</Pill>;
}

function TeamSummary({ team }: { readonly team: Team }) {
  const { id, limits, event_retention_days: days, overage_credits: credits, shards } = team;
  return (
    <>
      <dl>
        <dt>ID</dt>
        <dd>
          <code>{id}</code>
        </dd>
        <dt>Limits</dt>
        <dd>
          {formatCount(limits.daily)} recipients per day, {formatCount(limits.monthly)} per month,{" "}
          {formatCount(limits.delivery_rate_per_minute)} deliveries per minute,{" "}
          {formatCount(limits.requests_per_second)} requests per second
        </dd>
        <dt>Overage credits</dt>
        <dd>{formatCount(credits)}</dd>
        <dt>Event retention</dt>
        <dd>{days} days</dd>
        <dt>Shards</dt>
        <dd>{shards.map(describeSpan).join("; ")}</dd>
      </dl>
      <Link to="/operator/teams/$teamId" params={{ teamId: id }} className="btn">
        Open team
      </Link>
    </>
  );
}
