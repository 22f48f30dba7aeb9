// Runs SQL on the core databases. Teams of tests are on both core shards in turn, so a test that
// writes or reads rows itself does so on all of them, or on that of its team.
import { env } from "cloudflare:workers";
import { allCores, coreBinding, coreShardOf } from "../../src/db/core-shards.ts";
import type { Env } from "../../src/env.ts";

type Row = Record<string, unknown>;

/** One statement for each core database. */
class EveryStatement {
  readonly #each: readonly D1PreparedStatement[];

  constructor(each: readonly D1PreparedStatement[]) {
    this.#each = each;
  }

  bind(...values: unknown[]): EveryStatement {
    return new EveryStatement(this.#each.map((one) => one.bind(...values)));
  }

  async run(): Promise<{ changes: number }> {
    const ran = await Promise.all(this.#each.map((one) => one.run()));
    return { changes: ran.reduce((sum, { meta }) => sum + meta.changes, 0) };
  }

  async all(): Promise<{ results: Row[] }> {
    const read = await Promise.all(this.#each.map((one) => one.all<Row>()));
    return { results: read.flatMap(({ results }) => results) };
  }

  /** Returns the first row. `column`: returns the sum of its numbers, or its first value. */
  async first<Value = Row>(column?: string): Promise<Value | null> {
    const { results } = await this.all();
    if (column === undefined) return (results[0] ?? null) as Value | null;
    const found = results.map((row) => row[column]).filter(isThere);
    const [value = null, ...others] = found;
    return (
      others.length > 0 && typeof value === "number"
        ? found.reduce<number>((sum, one) => sum + Number(one), 0)
        : value
    ) as Value | null;
  }
}

const isThere = (value: unknown) => value !== null && value !== undefined;

export const everyCore = {
  prepare: (sql: string) =>
    new EveryStatement(allCores(env as unknown as Env).map((db) => db.prepare(sql))),
};

/** Replaces a deployment's core database that has the rows of this id, such as a team's. */
export const withCore = (id: string, database: unknown): Partial<Env> => ({
  [coreBinding(coreShardOf(id))]: database,
});
