// The shards of the teams' events: the size and the teams of each, and which shards take new teams.
import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { operatorApi } from "../../api/operator-api-client.ts";
import { QueryResult } from "../../parts/query-result.tsx";
import { AsRequest } from "../../parts/as-request.tsx";
import { formatBytes } from "../../parts/byte-figures.ts";
import { formatCount } from "../../parts/figures.ts";
import { PageHead } from "../../parts/page-head.tsx";
import { Panel } from "../../parts/panel.tsx";
import { Pill } from "../../parts/pill.tsx";
import { ShortTable, type TableColumn } from "../../parts/list/short-table.tsx";
import {
  judgeShard,
  LOW_SPACE_BYTES,
  type ShardInfo,
  shardSummary,
  SHARD_LIMIT_BYTES,
} from "./shard-texts.ts";

export function Shards() {
  const query = useQuery({
    queryKey: ["operator", "shards"],
    queryFn: () => operatorApi.shards.list(),
  });
  return (
    <>
      <PageHead title="Shards" />
      <QueryResult query={query}>
        {({ shards }) => (
          <>
            <p>{shardSummary(shards)}</p>
            <Panel
              title="Shards"
              note={formatCount(shards.length)}
              aside={<Link to="/operator/teams">Add shards to a team</Link>}
            >
              <ShortTable
                className="numbers"
                aria-label="Shards"
                columns={COLUMNS}
                rows={shards}
                keyOf={({ shard }) => shard}
              />
            </Panel>
          </>
        )}
      </QueryResult>
      <AsRequest path="/admin/shards" />
    </>
  );
}

const COLUMNS: readonly TableColumn<ShardInfo>[] = [
  { name: "Shard", cell: ({ shard }) => <code>{shard}</code> },
  { name: "Status", cell: (shard) => <ShardStatus shard={shard} /> },
  { name: "Teams", cell: ({ teams }) => formatCount(teams), isNumber: true },
  { name: "Size", cell: ({ size }) => (size === null ? "–" : formatBytes(size)), isNumber: true },
  {
    name: "Share of D1’s 10 GB limit",
    cell: ({ shard, size }) => (
      <meter
        min={0}
        max={SHARD_LIMIT_BYTES}
        high={LOW_SPACE_BYTES}
        optimum={0}
        value={size ?? 0}
        aria-label={`Size of shard ${shard}`}
      />
    ),
    isSecondary: true,
  },
  {
    name: "Takes new teams",
    cell: ({ takes_new_teams: takesNew }) => (takesNew ? "Yes" : "No"),
    isSecondary: true,
  },
];

function ShardStatus({ shard }: { readonly shard: ShardInfo }) {
  const [tone, word] = judgeShard(shard);
  return <Pill tone={tone}>{word}</Pill>;
}
