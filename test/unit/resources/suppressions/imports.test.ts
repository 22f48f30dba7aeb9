// Tests how imports of suppressions run
// (src/resources/suppressions/{suppression-imports,imports}.ts): an import continues after a kill
// at any moment, counts nothing twice, leaves pauses for other users of the database, and ends. The
// clock is far ahead, so alarms only run when the test runs them.
import { evictDurableObject, runDurableObjectAlarm, runInDurableObject } from "cloudflare:test";
import { beforeEach, describe, expect, it, vi } from "vitest";
import {
  DAY_MS as DAY,
  HOUR_MS as HOUR,
  MINUTE_MS as MINUTE,
  SUPPRESSION_IMPORTS,
} from "../../../../src/limits.ts";
import { restoreImportAlarms } from "../../../../src/resources/suppressions/imports.ts";
import { sweepSuppressions } from "../../../../src/resources/suppressions/suppression-retention.ts";
import { bindings, busyTeam, type TestTeam, operator, fieldsOf } from "../../../support/api.ts";
import { NOON, setClock } from "../../../support/test-outbox.ts";
import { beginImport, importFile, listAll, showImport } from "../../../support/suppressions.ts";

const SLICE = 250;

let team: TestTeam;

beforeEach(async () => {
  team = await busyTeam();
  setClock(NOON);
});

const imports = () => bindings.SUPPRESSION_IMPORTS.getByName(team.id);
const runSlice = () => runDurableObjectAlarm(imports());
const alarm = () => runInDurableObject(imports(), (_, { storage }) => storage.getAlarm());
const addresses = (count: number, name = "user") =>
  Array.from({ length: count }, (_, index) => `${name}${index}@example.org`);
const files = async () =>
  (await bindings.CONTENT.list({ prefix: `imports/${team.id}/` })).objects.map(({ key }) => key);
const storedRows = () =>
  bindings.SHARD_0.prepare("SELECT count(*) AS n FROM suppressions WHERE team_id = ?")
    .bind(team.id)
    .first<number>("n");

/**
 * Copies the rows about imports in the Durable Object. A test restores the copy to imitate a kill
 * in the middle of a slice.
 */
function copyRows(): Promise<Record<string, SqlStorageValue>[]> {
  return runInDurableObject(imports(), (_, { storage }) =>
    storage.sql.exec("SELECT * FROM imports").toArray(),
  );
}

function restoreRows(rows: readonly Record<string, SqlStorageValue>[]): Promise<void> {
  return runInDurableObject(imports(), (_, { storage: { sql } }) => {
    sql.exec("DELETE FROM imports");
    for (const row of rows) {
      const columns = Object.keys(row);
      sql.exec(
        `INSERT INTO imports (${columns.join(", ")}) VALUES (${columns.map(() => "?").join(", ")})`,
        ...Object.values(row),
      );
    }
  });
}

async function runToEnd(id: string): Promise<number> {
  for (let slices = 1; ; slices += 1) {
    await runSlice();
    if ((await showImport(team, id)).status !== "running") return slices;
  }
}

describe("an import under way", () => {
  it("stores at most 250 rows per statement and answers calls between two slices", async () => {
    const id = await beginImport(team, addresses(600).join("\n"));
    const statements = vi.spyOn(bindings.SHARD_0, "batch");
    const other = await busyTeam();
    const running = { status: "running", skipped: 0, failed: 0, errors: [] };
    expect(await showImport(team, id)).toEqual({ ...running, total: 0, imported: 0 });
    for (const rows of [SLICE, 2 * SLICE]) {
      statements.mockClear();
      await runSlice();
      expect(statements).toHaveBeenCalledOnce();
      const [, counted] = ((await statements.mock.results[0]?.value) ?? []) as D1Result[];
      expect(counted?.meta.rows_read).toBeLessThanOrEqual(3 * SLICE);
      expect(await alarm()).toBe(NOON + 50);
      expect(await showImport(team, id)).toEqual({ ...running, total: rows, imported: rows });
      expect(await storedRows()).toBe(rows);
      expect((await other.get("/v1/suppressions")).status).toBe(200);
    }
    await runSlice();
    const done = { ...running, status: "done", total: 600, imported: 600 };
    expect(await showImport(team, id)).toEqual(done);
    expect(await files()).toEqual([]);
  });

  it("needs one slice for all invalid rows of a window, and none for blank lines", async () => {
    const lines = `${"x\n".repeat(20_000)}${"\n".repeat(20_000)}`;
    const id = await beginImport(team, `email\na@example.org\n${lines}b@example.org`);
    expect(await runToEnd(id)).toBe(1);
    const counts = { total: 20_002, imported: 2, failed: 20_000 };
    expect(await showImport(team, id)).toMatchObject(counts);
  });

  it("lists rows in the order of the file, the first row as the oldest", async () => {
    await runToEnd(await beginImport(team, addresses(300).join("\n")));
    const listed = (await listAll(team, "limit=100")).map(({ email }) => email);
    expect(listed).toEqual(addresses(300).toReversed());
  });

  it("continues after its object is restarted", async () => {
    const id = await beginImport(team, addresses(600).join("\n"));
    await evictDurableObject(imports());
    await runSlice();
    await evictDurableObject(imports());
    expect(await runToEnd(id)).toBe(2);
    expect(await showImport(team, id)).toMatchObject({ total: 600, imported: 600, skipped: 0 });
  });

  it("counts a slice once although it was repeated after a kill, and ends once", async () => {
    const rows = [...addresses(SLICE), "wrong", ...addresses(SLICE), "new@example.org"];
    const id = await beginImport(team, `email\n${rows.join("\n")}`);
    for (let slice = 0; slice < 2; slice += 1) {
      const before = await copyRows();
      await runSlice();
      await restoreRows(before);
      await runSlice();
    }
    await runSlice();
    const [{ ended_at: _, outcome: __, ...before } = {}] = await copyRows();
    await restoreRows([before]);
    await runSlice();
    const counts = { status: "done", total: 502, imported: 251, skipped: 250, failed: 1 };
    expect(await showImport(team, id)).toMatchObject(counts);
    expect(await storedRows()).toBe(251);
  });

  it("waits for ten seconds after a fault, then continues", async () => {
    vi.spyOn(console, "error").mockImplementation(() => undefined);
    const id = await beginImport(team, "a@example.org");
    vi.spyOn(bindings.SHARD_0, "batch").mockRejectedValueOnce(new Error("the database is down"));
    await runSlice();
    expect(await alarm()).toBe(NOON + 10_000);
    expect(await showImport(team, id)).toMatchObject({ status: "running", total: 0 });
    await runSlice();
    expect(await showImport(team, id)).toMatchObject({ status: "done", imported: 1 });
  });

  it("is restarted by the sweep after its alarm was lost, with its file kept", async () => {
    const id = await beginImport(team, "a@example.org");
    await runInDurableObject(imports(), (_, { storage }) => storage.deleteAlarm());
    await restoreImportAlarms(bindings, NOON);
    expect(await alarm()).toBe(NOON);
    expect(await files()).toHaveLength(1);
    await runSlice();
    expect(await showImport(team, id)).toMatchObject({ status: "done", imported: 1 });
  });
});

describe("an import that cannot continue", () => {
  it.each<[string, (id: string) => Promise<void>]>([
    ["its file is gone", (id) => bindings.CONTENT.delete(`imports/${team.id}/${id}`)],
    ["a day has passed", async () => setClock(NOON + DAY)],
  ])("fails when %s, names the row, and keeps the stored rows", async (_name, spoil) => {
    const id = await beginImport(team, addresses(300).join("\n"));
    await runSlice();
    await spoil(id);
    await runSlice();
    const message = expect.stringContaining("stopped before the end") as string;
    const errors = [{ row: 251, field: "row", message }];
    const counts = { total: 250, imported: 250, skipped: 0, failed: 0 };
    expect(await showImport(team, id)).toEqual({ status: "failed", ...counts, errors });
    expect(await storedRows()).toBe(250);
    expect(await files()).toEqual([]);
  });
});

describe("imports of a team", () => {
  it("are limited to five, run oldest first, and one more is refused without keeping its file", async () => {
    const ids: string[] = [];
    for (let index = 0; index < SUPPRESSION_IMPORTS; index += 1)
      ids.push(await beginImport(team, `user${index}@example.org`));
    expect(await fieldsOf(importFile(team, "late@example.org"))).toEqual(["imports"]);
    expect(await files()).toHaveLength(SUPPRESSION_IMPORTS);
    await runSlice();
    const states = await Promise.all(ids.map(async (id) => (await showImport(team, id)).status));
    expect(states).toEqual(["done", "running", "running", "running", "running"]);
    expect((await importFile(team, "late@example.org")).status).toBe(202);
  });

  it("can be read for seven days after their end", async () => {
    const id = await beginImport(team, "z@example.org\nwrong");
    await runSlice();
    expect(await alarm()).toBe(NOON + 7 * DAY);
    setClock(NOON + 7 * DAY - MINUTE);
    const young = await beginImport(team, "a@example.org");
    await runSlice();
    const ended = { status: "done", failed: 1, errors: [{ row: 2 }] };
    expect(await showImport(team, id)).toMatchObject(ended);
    setClock(NOON + 7 * DAY);
    await runSlice();
    const gone = await team.get(`/v1/suppressions/imports/${id}`);
    expect(gone.status).toBe(404);
    expect(await showImport(team, young)).toMatchObject({ status: "done" });
    setClock(NOON + 15 * DAY);
    await runSlice();
    const rows = await runInDurableObject(imports(), (_, { storage: { sql } }) =>
      sql.exec("SELECT id FROM errors").toArray(),
    );
    expect([await copyRows(), rows, await alarm()]).toEqual([[], [], null]);
  });

  it("end with their team, and one that began at that moment stores nothing", async () => {
    await beginImport(team, addresses(300).join("\n"));
    await runSlice();
    const deleted = await operator.delete(`/admin/teams/${team.id}`);
    expect(deleted.status).toBe(204);
    expect([await files(), await alarm(), await storedRows()]).toEqual([[], null, 250]);
    const layout = { width: 1, column: { email: 0, topic: -1, note: -1 } };
    await bindings.CONTENT.put(`imports/${team.id}/imp_late`, "a@example.org");
    const late = { id: "imp_late", size: 13, layout, place: { byte: 0, row: 1 } };
    expect(await imports().begin(late, NOON)).toBe(true);
    await runSlice();
    expect([await files(), await alarm(), await storedRows()]).toEqual([[], null, 250]);
    await sweepSuppressions(bindings, NOON + HOUR + 1);
    expect(await storedRows()).toBe(0);
  });
});

describe("the sweep", () => {
  it("removes a file that no import needs, unless it is recent", async () => {
    const key = `imports/${team.id}/imp_orphan`;
    await bindings.CONTENT.put(key, "a@example.org");
    vi.useRealTimers();
    await restoreImportAlarms(bindings, Date.now());
    expect(await files()).toEqual([key]);
    await restoreImportAlarms(bindings, Date.now() + HOUR);
    expect(await files()).toEqual([]);
  });
});
