// The cost of a team's list in the database (src/resources/suppressions/store.ts): the index gives
// the order, and a page reads no more rows than it needs.
import { beforeAll, describe, expect, it } from "vitest";
import {
  getSuppressions,
  listSuppressions,
  type SuppressionFilters,
} from "../../../../src/resources/suppressions/store.ts";
import { bindings } from "../../../support/api.ts";
import { suppressionsOfTeam } from "../../../support/suppressions.ts";

const NOW = 1_760_000_000_000;
const ROWS = 10_000;

/** Wraps a database to record its statements. */
function watchDatabase() {
  const statements: { sql: string; values: unknown[]; rowsRead: number }[] = [];
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
      }),
    }),
  } as unknown as D1Database;
  return { db, statements };
}

describe("a list of 10,000", () => {
  const scope = suppressionsOfTeam(`team_${crypto.randomUUID()}`);
  const fill = bindings.SHARD_0.prepare(
    `WITH RECURSIVE n(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i < ${ROWS - 1})
     INSERT INTO suppressions (id, team_id, email, topic, reason, origin, suppressed_at, expires_at, created_at)
     SELECT printf('sup_%05d', i), ?1, 'user' || i || '@example.org', '*', 'permanent_bounce', 'auto', 1, NULL, 1000 + i / 3 FROM n`,
  ).bind(scope.teamId);
  beforeAll(() => fill.run());

  it("is read by its index, also on late pages", async () => {
    const { db, statements } = watchDatabase();
    for (const after of [
      null,
      { createdAt: 1_000 + 5_000 / 3, id: "sup_5000" },
      { createdAt: 1_050, id: "sup_00152" },
    ]) {
      expect(await listSuppressions({ ...scope, db }, {}, 100, after, NOW)).toHaveLength(100);
    }
    for (const { sql, values, rowsRead } of statements) {
      const { results } = await bindings.SHARD_0.prepare(`EXPLAIN QUERY PLAN ${sql}`)
        .bind(...values)
        .all<{ detail: string }>();
      expect(results.map(({ detail }) => detail)).toEqual([
        "SEARCH suppressions USING INDEX suppressions_team (team_id=? AND (created_at,id)<(?,?))",
      ]);
      expect(rowsRead).toBeLessThan(220);
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
    expect((await listSuppressions({ ...scope, db }, filters, 21, null, NOW)).length).toBeLessThan(
      2,
    );
    expect(statements[0]?.rowsRead).toBeLessThan(2 * ROWS + 10);
  });
});
