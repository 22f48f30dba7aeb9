// Distributes a team's future events over more shards (docs/scaling.md §A team on several shards).
// Does not move events that are already written. A team's row lists spans. A span begins at a
// midnight, and names the shards of the days until the next span begins. A new span begins at least
// an hour after the change, so that every isolate has read the new row before.
import type { ShardSpan } from "../../rpc/shard-types.ts";
import { dayOf } from "../../db/days.ts";
import { boundShards } from "../../settings.ts";
import { coreFor } from "../../db/client.ts";
import type { ApiRequest } from "../../endpoint.ts";
import { type Env } from "../../env.ts";
import { DAY_MS, HOUR_MS } from "../../limits.ts";
import { type RefusalError, refuseMember } from "../../refusal.ts";
import { forgetTeam } from "../api-keys/credentials.ts";
import { tellLedger } from "../team-settings/reach-ledger.ts";
import { getTeam, replaceShards } from "../team-settings/store.ts";
import { isFull, measureShards, type ShardSizes } from "./sizes.ts";

/** The end of an error's text, if the deployment has no further shard. */
const BIND = "add a shard first, by npm run shard -- add";

/** The shards that the operator named. Null: the shards of the last span, and one further shard. */
type RequestedShards = readonly number[] | null;

/**
 * Adds a span to a team, and returns the team's spans. Replaces a span that begins more than an
 * hour from now. Stores nothing if `isDryRun` is true. Throws `not_found` for an unknown team, and
 * `invalid` for shards that the team cannot have.
 */
export async function widenTeam(
  env: Env,
  teamId: string,
  requested: RequestedShards,
  { author, now }: Pick<ApiRequest, "author" | "now">,
  isDryRun: boolean,
): Promise<readonly ShardSpan[]> {
  const bound = boundShards(env);
  if (requested) refuseInvalid(requested, bound);
  const sizes = await measureShards(env, bound, now);
  for (;;) {
    const team = await getTeam(env, teamId);
    const { id, shards: before } = team;
    const after = addSpan(
      before,
      (last) => leaveOutFull(requested ?? addEmptiest(last, bound, sizes), sizes),
      now,
    );
    if (isDryRun) return after;
    // If another request has changed the team's spans in the meantime, computes the new spans
    // again.
    if (!(await replaceShards(coreFor(env, id, author), before, after, now))) continue;
    forgetTeam(id);
    await tellLedger(env, team);
    return after;
  }
}

/**
 * Returns the team's spans, with a new span that begins at the next possible midnight. `choose`
 * receives the shards of the previous span. If it returns the same shards, no span is added.
 */
export function addSpan(
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

/**
 * Returns the shards of the last span that still have a binding, and one further shard: the other
 * bound shard with the smallest size.
 */
function addEmptiest(
  last: readonly number[],
  bound: readonly number[],
  sizes: ShardSizes,
): number[] {
  const others = bound.filter((shard) => !last.includes(shard));
  if (others.length === 0)
    throw shardsError(
      `cannot be extended, because the team is already on all shards (${bound.join(", ")}): ` +
        BIND,
    );
  const bytes = (shard: number): number => sizes.get(shard) ?? Number.MAX_VALUE;
  const [more] = others
    .filter((shard) => !isFull(shard, sizes))
    .toSorted((left, right) => bytes(left) - bytes(right) || right - left);
  if (more === undefined)
    throw shardsError(
      "cannot be extended, because the shards that the team is not on are full " +
        `(${others.join(", ")}): ${BIND}`,
    );
  return [...last.filter((shard) => bound.includes(shard)), more];
}

/** Leaves out full shards, unless all are full. */
function leaveOutFull(shards: readonly number[], sizes: ShardSizes): readonly number[] {
  const others = shards.filter((shard) => !isFull(shard, sizes));
  return others.length > 0 ? others : shards;
}

function refuseInvalid(shards: readonly number[], bound: readonly number[]): void {
  const problem = problemOf(shards, bound);
  if (problem !== undefined) throw shardsError(problem);
}

function shardsError(problem: string): RefusalError {
  return refuseMember("shards", problem);
}

function problemOf(shards: readonly number[], bound: readonly number[]): string | undefined {
  if (shards.length === 0) return "must name a shard";
  const unbound = shards.find((shard) => !bound.includes(shard));
  if (unbound !== undefined)
    return (
      `must be shards of this deployment, and ${unbound} is not one; ` +
      `there are ${bound.join(", ")}`
    );
  const repeated = shards.find((shard, index) => shards.indexOf(shard) !== index);
  return repeated === undefined
    ? undefined
    : `must be different shards, but ${repeated} is named twice`;
}
