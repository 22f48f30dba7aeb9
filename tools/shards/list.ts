// `npm run shard -- list`: lists the shards with their number of teams and their sizes.
import { callOperatorApi, type Api } from "./operator-api.ts";

interface Shard {
  readonly shard: number;
  readonly teams: number;
  /** Size in bytes. */
  readonly size: number | null;
  readonly takes_new_teams: boolean;
}

const GB = 1_000_000_000;

export async function listShards(api: Api): Promise<void> {
  const { shards } = await callOperatorApi<{ shards: Shard[] }>(api, "GET", "/admin/shards");
  for (const { shard, teams, size, takes_new_teams: isOpen } of shards) {
    const gigabytes = size === null ? "does not answer" : `${(size / GB).toFixed(2)} GB`;
    api.say(
      `shard ${String(shard).padEnd(4)} ${String(teams).padStart(7)} teams  ` +
        `${gigabytes.padStart(8)}${isOpen ? ", takes new teams" : ""}`,
    );
  }
}
