// Chooses the core shard of a new team (docs/core-databases.md): the shard with the fewest teams.
// If several shards have equally few teams, chooses the newest of them. So a new shard gets all new
// teams until it has as many teams as the other shards.
import { boundCores, coreDatabase, teamNumbersOf } from "../../db/core-shards.ts";
import type { Env } from "../../env.ts";
import { logError } from "../../lib/log.ts";
import { HIGHEST_TEAM_NUMBER } from "../../limits.ts";
import { countTeamsOf } from "../team-settings/team-counts.ts";

/**
 * A core shard with the number of its teams. `counted` null: the shard did not answer, because of
 * `fault`.
 */
interface CountedCore {
  readonly shard: number;
  readonly counted: Awaited<ReturnType<typeof countTeamsOf>> | null;
  readonly fault?: unknown;
}

/** The chosen shard, and the range of its teams' numbers. */
interface ChosenCore {
  readonly shard: number;
  readonly numbers: ReturnType<typeof teamNumbersOf>;
}

const ONLY: ChosenCore = { shard: 0, numbers: { first: 1, last: HIGHEST_TEAM_NUMBER } };

/**
 * Chooses a core shard. Throws if core shard 0 does not answer, or if all core shards have used all
 * their team numbers.
 */
export async function chooseCore(env: Env): Promise<ChosenCore> {
  if (boundCores(env).length === 1) return ONLY;
  const cores = await countCores(env);
  const chosen = chooseAmong(cores);
  if (chosen) return chosen;
  throw cores[0]?.fault ?? new Error("all core shards have used their team numbers");
}

export async function countCores(env: Env): Promise<readonly CountedCore[]> {
  return Promise.all(
    boundCores(env).map(async (shard) => {
      try {
        return { shard, counted: await countTeamsOf(coreDatabase(env, shard)) };
      } catch (error) {
        logError("core_shard_silent", error, { core_shard: shard });
        return { shard, counted: null, fault: error };
      }
    }),
  );
}

/**
 * Chooses among the shards that answered and still have team numbers. While it was the only shard,
 * shard 0 may have assigned numbers in the ranges of other shards. Then it remains the only choice.
 * Returns undefined if shard 0 did not answer, because only its numbers show this.
 */
export function chooseAmong(cores: readonly CountedCore[]): ChosenCore | undefined {
  if (cores.length === 1) return ONLY;
  const known = cores.flatMap(({ shard, counted }) => (counted ? [{ shard, ...counted }] : []));
  const [first] = known;
  if (first?.shard !== 0) return undefined;
  if (first.highest > teamNumbersOf(0).last) return ONLY;
  const [chosen] = known
    .filter(({ shard, highest }) => highest < teamNumbersOf(shard).last)
    .toSorted((left, right) => left.teams - right.teams || right.shard - left.shard);
  return chosen && { shard: chosen.shard, numbers: teamNumbersOf(chosen.shard) };
}
