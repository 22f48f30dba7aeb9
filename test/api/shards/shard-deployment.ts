// A deployment with shards of chosen sizes, and the operator's calls on its teams and shards.
import { vi } from "vitest";
import type { CreatedTeam } from "../../../src/resources/teams/wire.ts";
import type { z } from "zod";
import type { Shards } from "../../../src/resources/shards/wire.ts";
import type { Env } from "../../../src/env.ts";
import { ADMIN_TOKEN, bindings, ok, askDeployment, operator } from "../../support/api.ts";

export const key = ADMIN_TOKEN;
export const GB = 1_000_000_000;

export type Shard = z.output<typeof Shards>["shards"][number];

export type ShownTeam = z.output<typeof CreatedTeam>;

export const shardOf = (number: number) =>
  (bindings as unknown as Record<string, D1Database>)[`SHARD_${number}`] as D1Database;

/**
 * Returns a database that reports this size in bytes, or fails if the size is null. `asked` counts
 * how often the size was read.
 */
export function sized(
  number: number,
  size: number | null,
  asked = vi.fn<() => void>(),
): D1Database {
  const shard = shardOf(number);
  const run = async () => {
    asked();
    if (size === null) throw new Error("the shard is down");
    return { meta: { size_after: size } };
  };
  const prepare = (sql: string) => (sql === "SELECT 1" ? { run } : shard.prepare(sql));
  return {
    prepare,
    batch: (all: D1PreparedStatement[]) => shard.batch(all),
  } as unknown as D1Database;
}

/**
 * Makes a deployment with this value of the setting SHARDS_FOR_NEW_TEAMS. `sizes`: the bytes that
 * each shard holds.
 */
export function deployment(
  newTeams: string | undefined,
  sizes: readonly (number | null)[] = [],
): Env {
  const { SHARDS_FOR_NEW_TEAMS: _, ...others } = bindings;
  const measured = Object.fromEntries(
    sizes.map((size, number) => [`SHARD_${number}`, sized(number, size)]),
  );
  return {
    ...others,
    ...measured,
    ...(newTeams === undefined ? {} : { SHARDS_FOR_NEW_TEAMS: newTeams }),
  };
}

export const ask = (env: Env, method: string, path: string, body?: unknown): Promise<Response> =>
  askDeployment(env, method, path, key, body);

export async function teamMadeIn(env: Env): Promise<ShownTeam> {
  return ok(ask(env, "POST", "/admin/teams", { name: "Somebody" }), 201);
}

export async function shards(env: Env = bindings): Promise<Shard[]> {
  return (await ok<{ shards: Shard[] }>(ask(env, "GET", "/admin/shards"))).shards;
}

export const shown = async (id: string): Promise<ShownTeam> =>
  (await operator.get(`/admin/teams/${id}`)).json();
export const dayShown = (ms: number) => new Date(ms).toISOString().slice(0, 10);
