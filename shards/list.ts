// `npm run shard -- list`: which shards there are, and how many teams each has.
import { ask, type Service } from "./operator-api.ts";

interface Shard {
  readonly shard: number;
  readonly teams: number;
  readonly takes_new_teams: boolean;
}

export async function listShards(service: Service): Promise<void> {
  const { shards } = await ask<{ shards: Shard[] }>(service, "GET", "/admin/shards");
  for (const { shard, teams, takes_new_teams: isOpen } of shards)
    service.say(`shard ${String(shard).padEnd(4)} ${String(teams).padStart(7)} teams${isOpen ? ", takes new ones" : ""}`);
}
