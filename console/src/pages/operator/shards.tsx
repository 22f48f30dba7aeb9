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
              <ShardTable shards={shards} />
            </Panel>
          </>
        )}
      </QueryResult>
      <AsRequest path="/admin/shards" variable="ADMIN_TOKEN" />
    </>
  );
}

function ShardTable({ shards }: { readonly shards: readonly ShardInfo[] }) {
  return (
    <table className="numbers" aria-label="Shards">
      <thead>
        <tr>
          <th scope="col">Shard</th>
          <th scope="col">Status</th>
          <th scope="col" className="n">
            Teams
          </th>
          <th scope="col" className="n">
            Size
          </th>
          <th scope="col" className="second">
            Share of D1’s 10 GB limit
          </th>
          <th scope="col" className="second">
            Takes new teams
          </th>
        </tr>
      </thead>
      <tbody>
        {shards.map((shard) => (
          <tr key={shard.shard}>
            <td>
              <code>{shard.shard}</code>
            </td>
            <td>
              <ShardStatus shard={shard} />
            </td>
            <td className="n">{formatCount(shard.teams)}</td>
            <td className="n">{shard.size === null ? "–" : formatBytes(shard.size)}</td>
            <td className="second">
              <meter
                min={0}
                max={SHARD_LIMIT_BYTES}
                high={LOW_SPACE_BYTES}
                optimum={0}
                value={shard.size ?? 0}
                aria-label={`Size of shard ${shard.shard}`}
              />
            </td>
            <td className="second">{shard.takes_new_teams ? "Yes" : "No"}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function ShardStatus({ shard }: { readonly shard: ShardInfo }) {
  const [tone, word] = judgeShard(shard);
  return <Pill tone={tone}>{word}</Pill>;
}
