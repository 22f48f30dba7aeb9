// Spreads the days of a team's events over other shards than before (docs/scaling.md §A team on
// several shards). Nothing that is written moves: a span of the team's row begins at a midnight to
// come. It is an hour away at least, so that every isolate has read the row anew before it counts.
import type { Env } from "../../env.ts";
import { DAY_MS, HOUR_MS } from "../../limits.ts";
import { refuse, type RefusalError } from "../../refusal.ts";
import { forgetCredentials } from "../api-keys/credentials.ts";
import { forgetTeam } from "../team-settings/team-cache.ts";
import { getTeam, replaceShards } from "../team-settings/store.ts";
import type { ShardSpan } from "../../contracts/shard-types.ts";
import { boundShards } from "../../settings.ts";
import { dayOf } from "../../db/days.ts";
import { isFull, shardSizes, type ShardSizes } from "./sizes.ts";

/** Null: the shards of the last span, and one more. */
type Named = readonly number[] | null;

/**
 * The team's spans as they are then; `isDryRun`: as they would be. A span that has not begun, and
 * does not within the hour, gives way. Throws not_found, and `invalid` for shards that the team
 * can't have.
 */
export async function widen(
  env: Env,
  teamId: string,
  named: Named,
  now: number,
  isDryRun: boolean,
): Promise<readonly ShardSpan[]> {
  const bound = boundShards(env);
  if (named) refuseUnfit(named, bound);
  const sizes = await shardSizes(env, bound, now);
  for (;;) {
    const { id, shards: before } = await getTeam(env.DB, teamId);
    const after = spansWith(
      before,
      (last) => fit(named ?? oneMore(last, bound, sizes), sizes),
      now,
    );
    if (isDryRun) return after;
    // Another widening may have come between; then this one is decided anew.
    if (!(await replaceShards(env.DB, id, before, after, now))) continue;
    forgetCredentials(id);
    forgetTeam(id);
    return after;
  }
}

/**
 * `choose` gets the shards of the span that goes before. Where it chooses the same, nothing begins.
 */
export function spansWith(
  spans: readonly ShardSpan[],
  choose: (last: readonly number[]) => readonly number[],
  now: number,
): readonly ShardSpan[] {
  const from = dayOf(Math.ceil((now + HOUR_MS) / DAY_MS) * DAY_MS);
  const kept = spans.filter((span, index) => index === 0 || span.from < from);
  const last = kept.at(-1)?.shards ?? [];
  const shards = choose(last);
  return shards.join() === last.join() ? kept : [...kept, { from, shards }];
}

/** The bound shards of the last span, and the emptiest that it does not have. */
function oneMore(last: readonly number[], bound: readonly number[], sizes: ShardSizes): number[] {
  const others = bound.filter((shard) => !last.includes(shard));
  if (others.length === 0)
    throw unfit(
      `must be named, since the team is on every shard that is bound (${bound.join(", ")})`,
    );
  const bytes = (shard: number): number => sizes.get(shard) ?? Number.MAX_VALUE;
  const [more] = others
    .filter((shard) => !isFull(shard, sizes))
    .toSorted((left, right) => bytes(left) - bytes(right) || right - left);
  if (more === undefined)
    throw unfit(`must be named, since the others that are bound are full (${others.join(", ")})`);
  return [...last.filter((shard) => bound.includes(shard)), more];
}

/** Without the full ones, unless all are. */
function fit(shards: readonly number[], sizes: ShardSizes): readonly number[] {
  const others = shards.filter((shard) => !isFull(shard, sizes));
  return others.length > 0 ? others : shards;
}

function refuseUnfit(shards: readonly number[], bound: readonly number[]): void {
  const problem = problemOf(shards, bound);
  if (problem !== undefined) throw unfit(problem);
}

function unfit(problem: string): RefusalError {
  return refuse("invalid", { errors: { shards: [problem] } });
}

function problemOf(shards: readonly number[], bound: readonly number[]): string | undefined {
  if (shards.length === 0) return "must name a shard";
  const unbound = shards.find((shard) => !bound.includes(shard));
  if (unbound !== undefined)
    return `must be bound, and ${unbound} is not; there are ${bound.join(", ")}`;
  const repeated = shards.find((shard, index) => shards.indexOf(shard) !== index);
  return repeated === undefined
    ? undefined
    : `must each be named once, and ${repeated} is named twice`;
}
