// `npm run shard -- widen`: spreads a team's events over several shards (docs/scaling.md §A team on
// several shards). A second run does not add more shards.
import { callOperatorApi, type Api } from "./operator-api.ts";

interface Span {
  readonly from: string;
  readonly shards: readonly number[];
}

/**
 * Spreads the team's events over `shards`. If `shards` is empty, the service adds the emptiest
 * shard. `isDryRun`: only prints the result.
 */
export async function widenTeam(
  api: Api,
  teamId: string,
  shards: readonly number[],
  isDryRun: boolean,
): Promise<void> {
  const path = `/admin/teams/${encodeURIComponent(teamId)}/shards`;
  const body = { ...(shards.length > 0 ? { shards } : {}), dry_run: isDryRun };
  const { shards: spans } = await callOperatorApi<{ shards: Span[] }>(api, "POST", path, body);
  for (const { from, shards: on } of spans)
    api.say(`from ${from}  ${on.length === 1 ? "shard" : "shards"} ${on.join(", ")}`);
  const leftOut = shards.filter((shard) => !spans.at(-1)?.shards.includes(shard));
  if (leftOut.length > 0) api.say(`left out, because full: ${leftOut.join(", ")}`);
  if (isDryRun) api.say("Nothing was changed.");
}
