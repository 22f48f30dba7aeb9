// Creates and reads suppressions for tests.
import type { Suppression, SuppressionImport } from "../../src/resources/suppressions/wire.ts";
import { expect, vi } from "vitest";
import { type Scope, suppressionsOf } from "../../src/db/client.ts";
import { bindings, call, everyPage, ok, type TestTeam } from "./api.ts";
import { ON_SHARD_0 } from "./shard-bindings.ts";

export type TestSuppression = Suppression;

/** The suppressions of a test's team, on shard 0. */
export const suppressionsOfTeam = (id: string): Scope =>
  suppressionsOf(bindings, { id, shards: ON_SHARD_0 });

export const suppress = ({ key }: TestTeam, body: unknown): Promise<Response> =>
  call("POST", "/v1/suppressions", { key, body });

/** Writes a suppression's row as the pipeline would. Times are in Unix milliseconds. */
export async function putSuppression(
  team: Pick<TestTeam, "id">,
  given: Readonly<Record<string, string | number | null>>,
): Promise<void> {
  const row = {
    id: `sup_${crypto.randomUUID()}`,
    team_id: team.id,
    topic: "*",
    reason: "permanent_bounce",
    origin: "auto",
    suppressed_at: 1,
    created_at: 1,
    ...given,
  };
  const columns = Object.keys(row);
  await bindings.SHARD_0.prepare(
    `INSERT INTO suppressions (${columns.join(", ")}) VALUES ` +
      `(${columns.map(() => "?").join(", ")})`,
  )
    .bind(...Object.values(row))
    .run();
}

/** Reads every page of the team's list, in order. */
export const listAll = ({ key }: TestTeam, query: string): Promise<TestSuppression[]> =>
  everyPage(`/v1/suppressions?${query}`, key);

export type TestSuppressionImport = Omit<SuppressionImport, "id" | "status">;

export const importFile = (
  { key }: TestTeam,
  raw: BodyInit,
  type = "text/csv",
): Promise<Response> =>
  call("POST", "/v1/suppressions/import", { key, raw, headers: { "Content-Type": type } });

/** Begins an import, and returns its id. */
export async function beginImport(team: TestTeam, raw: BodyInit): Promise<string> {
  const { id, ...rest } = await ok<{ id: string }>(importFile(team, raw), 202);
  expect(rest).toEqual({ status: "running" });
  return id;
}

export async function showImport(
  { key }: TestTeam,
  id: string,
): Promise<TestSuppressionImport & { readonly status: string }> {
  const { id: shown, ...rest } = await ok<TestSuppressionImport & { id: string; status: string }>(
    call("GET", `/v1/suppressions/imports/${id}`, { key }),
  );
  expect(shown).toBe(id);
  return rest;
}

/** Waits for an import to end, and returns its result. */
export async function importInto(team: TestTeam, raw: BodyInit): Promise<TestSuppressionImport> {
  const id = await beginImport(team, raw);
  return vi.waitFor(
    async () => {
      const { status, ...result } = await showImport(team, id);
      expect(status).toBe("done");
      return result;
    },
    { interval: 20 },
  );
}
