// Tests the sweep over stored data, and the check that sets lost alarms again (src/sweep.ts).
import { runInDurableObject } from "cloudflare:test";
import { beforeEach, describe, expect, it, type MockInstance, vi } from "vitest";
import { newEmailId } from "../../src/lib/ids.ts";
import { configureLog } from "../../src/lib/log.ts";
import { DAY_MS, HOUR_MS } from "../../src/limits.ts";
import { sweepSuppressions } from "../../src/resources/suppressions/suppression-retention.ts";
import { listTeamsInTurn } from "../../src/resources/team-settings/teams-with-ledger.ts";
import { settingsOf } from "../../src/settings.ts";
import { restoreLedgerAlarms, sweep } from "../../src/sweep.ts";
import {
  ADMIN_TOKEN,
  bindings as environment,
  call,
  makeTeam,
  makeTeamWithLedger,
} from "../support/api.ts";
import { alarmOf, NOON, recordQueue, send, setClock } from "./ledger/ledger-harness.ts";
import { everyCore } from "../support/every-core.ts";

const PAST = Date.UTC(2001, 0);

type Shard = "SHARD_0" | "SHARD_1";
const bindings = environment as typeof environment & Record<Shard, D1Database>;

async function suppress(
  team: string,
  count: number,
  expiresAt: number | null,
  shard: Shard = "SHARD_0",
): Promise<void> {
  await bindings[shard]
    .prepare(
      `WITH RECURSIVE series (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM series WHERE n < ?2)
     INSERT INTO suppressions (id, team_id, email, topic, reason, origin, suppressed_at, expires_at, created_at)
     SELECT 'sup_' || hex(randomblob(16)), ?1, hex(randomblob(8)), '*', 'permanent_bounce', 'auto', 1, ?3, 1 FROM series`,
    )
    .bind(team, count, expiresAt)
    .run();
}

async function suppressionsOf(team: string, shard: Shard = "SHARD_0"): Promise<number> {
  const query = bindings[shard]
    .prepare("SELECT count(*) AS rows FROM suppressions WHERE team_id = ?1")
    .bind(team);
  return (await query.first<{ rows: number }>())?.rows ?? 0;
}

/**
 * A fake R2 bucket whose listing has several pages. R2 itself does not let a test choose an
 * object's upload time. Each object's name is its age in days.
 */
function bucketOf(pages: readonly (readonly string[])[]): {
  bucket: R2Bucket;
  deleted: string[];
  listed: (string | undefined)[];
} {
  const [deleted, listed]: [string[], (string | undefined)[]] = [[], []];
  const list = async ({ prefix, cursor }: R2ListOptions) => {
    if (prefix !== "content/") return { objects: [], truncated: false };
    listed.push(cursor);
    const page = Number(cursor ?? 0);
    const objects = (pages[page] ?? []).map((key) => ({
      key,
      uploaded: new Date(PAST - Number(key) * DAY_MS),
    }));
    return page + 1 < pages.length
      ? { objects, truncated: true, cursor: String(page + 1) }
      : { objects, truncated: false };
  };
  const remove = async (keys: string[]) => void deleted.push(...keys);
  return { bucket: { list, delete: remove } as unknown as R2Bucket, deleted, listed };
}

let log: MockInstance<typeof console.log>;

beforeEach(() => {
  log = vi.spyOn(console, "log").mockImplementation(() => {});
});

describe("the sweep", () => {
  it("logs the duration of each step in one entry", async () => {
    // The first reading of the settings in an isolate sets the log's level.
    settingsOf(bindings);
    configureLog("info", []);
    await sweep(bindings, PAST);
    configureLog("warning", []);
    const entries = log.mock.calls.map(([line]) => JSON.parse(String(line)) as { event: string });
    const took: unknown = expect.any(Number);
    expect(entries.filter(({ event }) => event === "swept")).toMatchObject([
      { event: "swept", ledgers_ms: took, suppressions_ms: took },
    ]);
  });

  it("deletes suppressions in chunks", async () => {
    const team = `team_${crypto.randomUUID()}`;
    await suppress(team, 2_500, PAST);
    const removed: number[] = [];
    const prepare = (sql: string) => {
      const statement = bindings.SHARD_0.prepare(sql);
      if (!sql.startsWith("DELETE FROM suppressions")) return statement;
      return {
        bind: (...values: unknown[]) => ({
          run: async () => {
            const result = await statement.bind(...values).run();
            removed.push(result.meta.changes);
            return result;
          },
        }),
      };
    };
    const batch = (all: D1PreparedStatement[]) => bindings.SHARD_0.batch(all);
    const SHARD_0 = { prepare, batch } as unknown as D1Database;
    await sweep({ ...bindings, SHARD_0 }, PAST);
    expect(removed).toEqual([...Array.from({ length: 10 }, () => 250), 0]);
  });

  it("deletes a deleted team's suppressions an hour later, and no other team's", async () => {
    const [team, other] = [await makeTeam(), await makeTeam()];
    await suppress(team.id, 600, null);
    await suppress(other.id, 2, null);
    const deletedAt = Date.now();
    const deleted = await call("DELETE", `/admin/teams/${team.id}`, { key: ADMIN_TOKEN });
    expect(deleted.status).toBe(204);
    await sweepSuppressions(bindings, deletedAt + 0.9 * HOUR_MS);
    expect(await suppressionsOf(team.id)).toBe(600);
    await sweepSuppressions(bindings, deletedAt + 1.1 * HOUR_MS);
    expect([await suppressionsOf(team.id), await suppressionsOf(other.id)]).toEqual([0, 2]);
    const noted = everyCore.prepare("SELECT count(*) AS n FROM deleted_teams WHERE id = ?");
    expect(await noted.bind(team.id).first("n")).toBe(0);
  });

  it("continues with a deleted team's suppressions after an interrupted sweep", async () => {
    const team = await makeTeam();
    await suppress(team.id, 600, null);
    await call("DELETE", `/admin/teams/${team.id}`, { key: ADMIN_TOKEN });
    let batches = 0;
    const batch = (statements: D1PreparedStatement[]) => {
      if ((batches += 1) > 1) throw new Error("D1 is down");
      return bindings.SHARD_0.batch(statements);
    };
    const prepare = (sql: string) => bindings.SHARD_0.prepare(sql);
    const later = Date.now() + 1.1 * HOUR_MS;
    const failing = { ...bindings, SHARD_0: { prepare, batch } as unknown as D1Database };
    await expect(sweepSuppressions(failing, later)).rejects.toThrow(AggregateError);
    expect(await suppressionsOf(team.id)).toBe(350);
    await sweepSuppressions(bindings, later);
    expect(await suppressionsOf(team.id)).toBe(0);
  });

  it("deletes content that is older than any message can be, and keeps the rest", async () => {
    const key = `content/${newEmailId(Date.now())}`;
    await bindings.CONTENT.put(key, "words");
    await sweep(bindings, Date.now() + 10.9 * DAY_MS);
    expect(await bindings.CONTENT.head(key)).not.toBeNull();
    await sweep(bindings, Date.now() + 11.1 * DAY_MS);
    expect(await bindings.CONTENT.head(key)).toBeNull();
  });

  it("finds old content after pages without old content", async () => {
    const { bucket, deleted, listed } = bucketOf([["1", "2"], ["10"], ["12", "2", "13"], ["14"]]);
    await sweep({ ...bindings, CONTENT: bucket }, PAST);
    expect(deleted).toEqual(["12", "13", "14"]);
    expect(listed).toEqual([undefined, "1", "2", "3"]);
  });

  it("reads a bounded number of pages", async () => {
    const { bucket, deleted } = bucketOf(Array.from({ length: 50 }, () => ["19"]));
    await sweep({ ...bindings, CONTENT: bucket }, PAST);
    expect(deleted).toHaveLength(20);
  });

  it("runs every step although others fail, and then names those that failed", async () => {
    const team = `team_${crypto.randomUUID()}`;
    await suppress(team, 1, PAST, "SHARD_1");
    const down = {
      prepare: () => ({ bind: () => ({ all: () => Promise.reject(new Error("D1 is down")) }) }),
    } as unknown as D1Database;
    const swept = sweep({ ...bindings, SHARD_0: down }, PAST);
    const failed: unknown = await swept.catch((error: unknown) => error);
    const steps = ["days_made", "days_dropped", "replies", "suppressions", "audit"];
    expect((failed as AggregateError).errors.map(String)).toEqual(
      steps.map((step) => `Error: sweep: ${step}`),
    );
    expect(await suppressionsOf(team, "SHARD_1")).toBe(0);
  });
});

describe("the alarm check", () => {
  it("asks every team that has had mail in turn, over several ticks", async () => {
    await makeTeam();
    for (let count = 0; count < 5; count += 1) await makeTeamWithLedger();
    const core = bindings.DB;
    const { results } = await core
      .prepare("SELECT id FROM teams WHERE first_mail IS NOT NULL ORDER BY id")
      .all<{ id: string }>();
    const ticks = Math.ceil(results.length / 2);
    const asked: string[] = [];
    for (let turn = 1; turn <= ticks; turn += 1)
      asked.push(...(await listTeamsInTurn(core, null, 7 * ticks + turn, 2)));
    expect(asked.toSorted()).toEqual(results.map(({ id }) => id));
    expect(await listTeamsInTurn(core, null, 123, 1_000)).toHaveLength(results.length);
    expect(await listTeamsInTurn(core, "eu", 123, 1_000)).toEqual([]);
  });

  it("sets a lost alarm again", async () => {
    const { id } = await makeTeamWithLedger();
    const ledger = bindings.TEAM_LEDGER.getByName(id);
    setClock(NOON);
    await recordQueue(ledger);
    await ledger.admit(send());
    await runInDurableObject(ledger, (_, { storage }) => storage.deleteAlarm());
    setClock(NOON + HOUR_MS);
    await restoreLedgerAlarms(bindings, Date.now());
    expect(await alarmOf(ledger)).toBe(NOON + HOUR_MS);
  });
});
