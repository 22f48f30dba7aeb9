// Tests how many rows the database reads to list and count a team's suppressions
// (src/resources/suppressions/store.ts). An index gives each order, and a page reads no more rows
// than it needs.
import { beforeAll, describe, expect, it } from "vitest";
import {
  countSuppressions,
  getSuppressions,
  listSuppressions,
  type SuppressionFilters,
  type SuppressionPosition,
  type SuppressionSort,
} from "../../../../src/resources/suppressions/store.ts";
import { bindings } from "../../../support/api.ts";
import { suppressionsOfTeam } from "../../../support/suppressions.ts";

const NOW = 1_760_000_000_000;
const ROWS = 10_000;

interface Watched {
  readonly sql: string;
  readonly values: unknown[];
  readonly rowsRead: number;
}

async function planOf({ sql, values }: Watched = { sql: "", values: [], rowsRead: 0 }) {
  const { results } = await bindings.SHARD_0.prepare(`EXPLAIN QUERY PLAN ${sql}`)
    .bind(...values)
    .all<{ detail: string }>();
  return results.map(({ detail }) => detail).filter((one) => one.startsWith("SEARCH"));
}

/** Wraps a database, and records the statements that it runs. */
function watchDatabase() {
  const statements: Watched[] = [];
  const db = {
    prepare: (sql: string) => ({
      bind: (...values: unknown[]) => ({
        async all() {
          const result = await bindings.SHARD_0.prepare(sql)
            .bind(...values)
            .all();
          statements.push({ sql, values, rowsRead: result.meta.rows_read });
          return result;
        },
        async first() {
          return (await this.all()).results[0];
        },
      }),
    }),
  } as unknown as D1Database;
  return { db, statements };
}

describe("a list of 10,000 suppressions", () => {
  const scope = suppressionsOfTeam(`team_${crypto.randomUUID()}`);
  const fill = bindings.SHARD_0.prepare(
    `WITH RECURSIVE n(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i < ${ROWS - 1})
     INSERT INTO suppressions (id, team_id, email, topic, reason, origin, suppressed_at, expires_at, created_at)
     SELECT printf('sup_%05d', i), ?1, 'user' || i || '@example.org', '*', 'permanent_bounce', 'auto', 1, NULL, 1000 + i / 3 FROM n`,
  ).bind(scope.teamId);
  beforeAll(() => fill.run());

  const BY_TIME = "suppressions_team (team_id=? AND (created_at,id)";
  const BY_ADDRESS = "suppressions_address_topic (team_id=? AND (email,topic)";

  it.each<[SuppressionSort, SuppressionPosition | null, string]>([
    ["newest", null, `${BY_TIME}<(?,?))`],
    ["newest", [1_000 + 5_000 / 3, "sup_5000"], `${BY_TIME}<(?,?))`],
    ["newest", [1_050, "sup_00152"], `${BY_TIME}<(?,?))`],
    ["oldest", null, `${BY_TIME}>(?,?))`],
    ["oldest", [1_050 + 5_000 / 3, "sup_5000"], `${BY_TIME}>(?,?))`],
    ["email", null, `${BY_ADDRESS}>(?,?))`],
    ["email", ["user7", ""], `${BY_ADDRESS}>(?,?))`],
  ])("is read by the index of its order, %s after %j", async (sort, after, index) => {
    const { db, statements } = watchDatabase();
    const slice = { sort, after, limit: 100 };
    expect(await listSuppressions({ ...scope, db }, {}, slice, NOW)).toHaveLength(100);
    expect(await planOf(statements[0])).toEqual([`SEARCH suppressions USING INDEX ${index}`]);
    expect(statements[0]?.rowsRead).toBeLessThan(220);
  });

  it("is counted in its index alone, and with a filter by each row once", async () => {
    const { db, statements } = watchDatabase();
    const count = (filters: SuppressionFilters) =>
      countSuppressions({ ...scope, db }, filters, NOW);
    expect(await count({})).toEqual({ total: ROWS, hasMore: false });
    expect(await count({ emailContains: "user77@" })).toEqual({ total: 1, hasMore: false });
    const [plan = ""] = await planOf(statements[0]);
    expect(plan).toBe("SEARCH suppressions USING COVERING INDEX suppressions_team (team_id=?)");
    for (const { rowsRead, values } of statements) {
      expect(rowsRead).toBeLessThan(2 * ROWS + 10);
      expect(values.at(-1)).toBe(200_001);
    }
  });

  it("is not scanned for one address", async () => {
    const { db, statements } = watchDatabase();
    expect(await getSuppressions({ ...scope, db }, "user77@example.org", NOW)).toHaveLength(1);
    expect(statements[0]?.rowsRead).toBeLessThan(10);
  });

  it.each<SuppressionFilters>([
    { emailContains: "user0@" },
    { topic: "news" },
    { reason: "complaint" },
    { origin: "manual" },
  ])("reads each row of the team at most once for the rare filter %j", async (filters) => {
    const { db, statements } = watchDatabase();
    const slice = { sort: "newest", after: null, limit: 21 } as const;
    expect((await listSuppressions({ ...scope, db }, filters, slice, NOW)).length).toBeLessThan(2);
    expect(statements[0]?.rowsRead).toBeLessThan(2 * ROWS + 10);
  });
});
