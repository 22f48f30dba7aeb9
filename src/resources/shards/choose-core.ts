// Chooses the core shard of a new team (docs/core-databases.md): the one with the fewest teams;
// among equals, the newest. So a shard that was just added takes all new teams until it has as many
// as the others.
import { boundCores, coreDatabase, teamNumbersOf } from "../../db/core-shards.ts";
import type { Env } from "../../env.ts";
import { logError } from "../../lib/log.ts";
import { HIGHEST_TEAM_NUMBER } from "../../limits.ts";
import { countTeamsOf } from "../team-settings/team-counts.ts";

/** `counted` null: the core shard does not answer, for the reason `fault`. */
interface CountedCore {
  readonly shard: number;
  readonly counted: Awaited<ReturnType<typeof countTeamsOf>> | null;
  readonly fault?: unknown;
}

/** `numbers`: those that teams of the shard get. */
interface ChosenCore {
  readonly shard: number;
  readonly numbers: ReturnType<typeof teamNumbersOf>;
}

const ONLY: ChosenCore = { shard: 0, numbers: { first: 1, last: HIGHEST_TEAM_NUMBER } };

/** Throws if core shard 0 does not answer, or if all core shards have used their team numbers. */
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
 * Leaves out shards that do not answer or have used all their numbers. Undefined if shard 0 does
 * not answer: it tells whether it gave out numbers of the others when it was the only one.
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
