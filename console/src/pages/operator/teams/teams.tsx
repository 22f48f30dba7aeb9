// All teams with their health, volume and rates, a search by name, domain or ID, and a form to
// create a team.
import { Link, getRouteApi } from "@tanstack/react-router";
import { useEffect, useState } from "react";
import type { Team } from "../../../api/operator/types.ts";
import { operatorApi } from "../../../api/operator-api-client.ts";
import { PAGE_ROWS, usePages } from "../../../api/pages.ts";
import { MainButton } from "../../../parts/button.tsx";
import { QueryResult } from "../../../parts/query-result.tsx";
import { AsRequest } from "../../../parts/as-request.tsx";
import { EmptyState } from "../../../parts/empty-state.tsx";
import { formatCount, formatShare, plural } from "../../../parts/figures.ts";
import { Facts } from "../../../parts/list/facts.tsx";
import { PageHead } from "../../../parts/page-head.tsx";
import { Pill } from "../../../parts/pill.tsx";
import { type ListColumn, RecordList } from "../../../parts/list/record-list.tsx";
import { agoColumn } from "../../../parts/list/time-column.tsx";
import { RestingInput } from "../../../parts/resting-input.tsx";
import { Select } from "../../../parts/select.tsx";
import { NewTeam } from "./new-team.tsx";
import { teamsSearch, type TeamSort } from "../operator-search.ts";
import { describeSpan } from "../shard-texts.ts";
import { SEVERITY } from "../team-texts.ts";
import { OpenAsTeam } from "./open-as-team.tsx";
import { useTeamHealth } from "./team-health.ts";
import { type ListedTeam, sortTeams } from "./team-ranking.ts";

const route = getRouteApi("/operator/operator/teams");

const COLUMNS: readonly ListColumn<ListedTeam>[] = [
  { name: "Name", cell: ({ team }) => team.name, width: "long" },
  { name: "Health", cell: (listed) => <Health listed={listed} />, width: "status" },
  {
    name: "Sent in 24 h",
    cell: ({ figures }) => (figures ? formatCount(figures.sent) : "…"),
    isNumber: true,
    width: "ago",
  },
  {
    name: "Bounced",
    cell: ({ figures }) => figures && formatShare(figures.bounced, figures.sent),
    isNumber: true,
    isSecondary: true,
    width: "number",
  },
  {
    name: "Complained",
    cell: ({ figures }) => figures && formatShare(figures.complained, figures.delivered),
    isNumber: true,
    isSecondary: true,
    width: "ago",
  },
  agoColumn("Created", ({ team }) => team.created_at, { isSecondary: true }),
];

const SORT_NAMES = [
  ["newest", "Newest first"],
  ["attention", "Needs attention first"],
  ["sent", "Most sent first"],
  ["bounced", "Highest bounce rate first"],
] as const;

export function Teams() {
  const { open = null, q = "", sort = "newest" } = route.useSearch();
  const navigate = route.useNavigate();
  const [isNew, setNew] = useState(false);
  const words = q === "" ? {} : { q };
  const query = usePages(["operator", "teams", q], (page) =>
    operatorApi.teams.list({ ...page, ...words }),
  );
  const { listed, readCount } = useTeamHealth(query.rows ?? []);
  const rows = sortTeams(listed, sort);
  const { more } = query;
  // Only `newest` is the service's own order. For any other order, the page must read all teams.
  useEffect(() => {
    if (sort !== "newest") more?.();
  }, [sort, more]);
  const go = (next: Parameters<typeof teamsSearch>[0]): void =>
    void navigate({ search: teamsSearch({ q, sort, ...next }), replace: true, resetScroll: false });
  return (
    <>
      <PageHead title="Teams">
        <MainButton onClick={() => setNew(true)}>New team</MainButton>
      </PageHead>
      {isNew && <NewTeam onClose={() => setNew(false)} />}
      <section className="panel" aria-label="Teams">
        <TeamFilters
          q={q}
          sort={sort}
          onChange={go}
          said={query.rows ? said(rows.length, query.hasMore, sort, readCount) : ""}
        />
        <QueryResult query={query}>
          {() =>
            rows.length === 0 ? (
              <EmptyState>{q === "" ? "No teams yet." : `No team matches “${q}”.`}</EmptyState>
            ) : (
              <RecordList
                label="Teams"
                columns={COLUMNS}
                rows={rows}
                idOf={({ team }) => team.id}
                open={open}
                onOpen={(id) => go(id === null ? {} : { open: id })}
                detail={({ team }) => <TeamSummary team={team} />}
                onEnd={query.more}
                isLoadingMore={query.isFetchingNextPage}
              />
            )
          }
        </QueryResult>
      </section>
      <AsRequest
        path={`/admin/teams?${new URLSearchParams({ ...words, limit: String(PAGE_ROWS) }).toString()}`}
      />
    </>
  );
}

interface TeamFiltersProps {
  readonly q: string;
  readonly sort: TeamSort;
  readonly onChange: (next: { readonly q?: string; readonly sort?: TeamSort }) => void;
  readonly said: string;
}

function TeamFilters({ q, sort, onChange, said: found }: TeamFiltersProps) {
  return (
    <div className="filter-line" role="search" aria-label="Teams">
      <label>
        <span className="unseen">Search by name, domain or ID</span>
        <RestingInput
          type="search"
          hint="Name, domain or ID"
          value={q}
          onRest={(words) => onChange({ q: words })}
        />
      </label>
      <label>
        <span className="unseen">Sort</span>
        <Select value={sort} options={SORT_NAMES} onChoose={(one) => onChange({ sort: one })} />
      </label>
      <small role="status">{found}</small>
    </div>
  );
}

/**
 * Says how many teams are listed. While teams are still being read, says how many of them are
 * sorted.
 */
function said(count: number, hasMore: boolean, sort: TeamSort, readCount: number): string {
  const all = plural(count, "team", "teams");
  if (sort === "newest") return hasMore ? `${all}, and more` : all;
  if (!hasMore && readCount >= count) return all;
  return `Reading all teams: ${formatCount(readCount)} of ${formatCount(count)}${hasMore ? "+" : ""} sorted`;
}

function Health({ listed: { team, severity } }: { readonly listed: ListedTeam }) {
  if (team.subscription === "inactive") return <Subscription of="inactive" />;
  if (severity === undefined) return "…";
  if (severity === null) return <Pill tone="ok">Fine</Pill>;
  const [tone, word] = SEVERITY[severity];
  return <Pill tone={tone}>{word}</Pill>;
}

export function Subscription({ of }: { readonly of: Team["subscription"] }) {
  return of === "active" ? <Pill tone="ok">Active</Pill> : <Pill tone="bad">Inactive</Pill>;
}

function TeamSummary({ team }: { readonly team: Team }) {
  const { id, limits, event_retention_days: days, overage_credits: credits, shards } = team;
  return (
    <>
      <Facts
        facts={{
          ID: <code>{id}</code>,
          Limits: (
            <>
              {formatCount(limits.daily)} recipients per day, {formatCount(limits.monthly)} per
              month, {formatCount(limits.delivery_rate_per_minute)} deliveries per minute,{" "}
              {formatCount(limits.requests_per_second)} requests per second
            </>
          ),
          "Overage credits": formatCount(credits),
          "Event retention": `${days} days`,
          Shards: shards.map(describeSpan).join("; "),
        }}
      />
      <span className="acts">
        <Link to="/operator/teams/$teamId" params={{ teamId: id }} className="btn">
          Open team
        </Link>
        <OpenAsTeam team={team} />
      </span>
    </>
  );
}
