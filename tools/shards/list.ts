// `npm run shard -- list`: lists the shards and the core databases with their numbers of teams and
// their sizes.
import { callOperatorApi, type Api } from "./operator-api.ts";

interface Shard {
  readonly shard: number;
  readonly teams: number;
  /** Size in bytes. */
  readonly size: number | null;
  readonly takes_new_teams: boolean;
}

interface CoreShard {
  readonly core_shard: number;
  readonly teams: number | null;
  readonly size: number | null;
  readonly takes_new_teams: boolean;
}

const GB = 1_000_000_000;

export async function listShards(api: Api): Promise<void> {
  const { shards, core_shards: cores = [] } = await callOperatorApi<{
    readonly shards: readonly Shard[];
    /** Undefined: the deployment is of an earlier version. */
    readonly core_shards?: readonly CoreShard[];
  }>(api, "GET", "/admin/shards");
  for (const { core_shard: number, ...facts } of cores) api.say(describe("core", number, facts));
  for (const { shard, ...facts } of shards) api.say(describe("shard", shard, facts));
}

function describe(
  kind: string,
  number: number,
  { teams, size, takes_new_teams: isOpen }: Omit<CoreShard, "core_shard">,
): string {
  const gigabytes = size === null ? "does not answer" : `${(size / GB).toFixed(2)} GB`;
  return (
    `${kind.padEnd(5)} ${String(number).padEnd(4)} ${String(teams ?? "?").padStart(7)} teams  ` +
    `${gigabytes.padStart(8)}${isOpen ? ", takes new teams" : ""}`
  );
}
