// Tests that the service keeps no IP address of a reader (contract.md §Opens and clicks): a reader
// opens, clicks and unsubscribes, and then every store and every line of the log is searched.
import {
  createExecutionContext,
  runInDurableObject,
  waitOnExecutionContext,
} from "cloudflare:test";
import { afterAll, expect, it, vi } from "vitest";
import { app } from "../../../../src/api/app.ts";
import { shardDatabases } from "../../../../src/db/client.ts";
import { configureLog } from "../../../../src/lib/log.ts";
import { METRICS_OBJECT } from "../../../../src/rpc/metrics-calls.ts";
import { bindings } from "../../../support/api.ts";
import { Harness, someone, typesOf } from "../../../support/harness.ts";
import { CHROME, trackOn } from "../../../support/recipient.ts";
import { GENERATE, linkTo } from "../../../pipeline/unsubscribe-sends.ts";
import { allCores } from "../../../../src/db/core-shards.ts";

const ADDRESS = "203.0.113.177";
/** Every header in which a platform or a proxy reports the client's address. */
const NAMES = ["CF-Connecting-IP", "True-Client-IP", "X-Forwarded-For", "X-Real-IP", "Forwarded"];

/** Settings with which the worker logs every request. */
const LOGGING = { LOG_LEVEL: "info", ACCESS_LOG: "true" };

type Rows = readonly Readonly<Record<string, unknown>>[];

afterAll(() => {
  configureLog("warning", []);
});

/**
 * Visits a link while the access log is on. Every header that can name the client's address has the
 * reader's address.
 */
async function visit(url: string, body?: URLSearchParams): Promise<number> {
  const context = createExecutionContext();
  const headers = { "User-Agent": CHROME, ...Object.fromEntries(NAMES.map((n) => [n, ADDRESS])) };
  const request = new Request(url, { headers, ...(body && { method: "POST", body }) });
  const response = await app.fetch(request, { ...bindings, ...LOGGING }, context);
  await response.arrayBuffer();
  await waitOnExecutionContext(context);
  return response.status;
}

/** Returns all rows of every table that `query` names, as text. */
async function tablesOf(query: (sql: string) => Promise<Rows>): Promise<string> {
  const tables = await query(
    "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT GLOB '_cf_*'",
  );
  const rows = await Promise.all(
    tables.map(({ name }) => query(`SELECT * FROM "${String(name)}"`)),
  );
  return JSON.stringify(rows);
}

const objectText = (stub: DurableObjectStub<never>): Promise<string> =>
  runInDurableObject(stub, async (_, { storage }) => {
    const pairs = JSON.stringify([...(await storage.list())]);
    return pairs + (await tablesOf((sql) => Promise.resolve([...storage.sql.exec(sql)])));
  });

it("a reader's address is kept nowhere: in no table, no object and no line of the log", async () => {
  const harness = await Harness.make();
  await trackOn(harness.domain);
  const to = someone();
  const html = '<a href="https://shop.example/a">A</a>';
  const id = await harness.send({ to: [to], ...GENERATE, html });
  await harness.history(id, 2);
  const { html: copy = "" } = await harness.copyTo(to);
  const leave = await linkTo(harness, to);
  const lines: string[] = [];
  // The worker waits before it counts a followed link, in case a burst of visits follows. No burst
  // follows here, so the wait is skipped.
  vi.spyOn(scheduler, "wait").mockResolvedValue();
  for (const method of ["log", "warn", "error"] as const)
    vi.spyOn(console, method).mockImplementation((line) => void lines.push(String(line)));
  const statuses = [
    await visit(/src="([^"]+)"/.exec(copy)?.[1] ?? ""),
    await visit(/href="([^"]+)"/.exec(copy)?.[1] ?? ""),
    await visit(leave),
    await visit(leave, new URLSearchParams({ "List-Unsubscribe": "One-Click" })),
  ];
  expect(statuses).toEqual([200, 302, 200, 200]);
  const events = await harness.history(id, 5);
  expect(typesOf(events).slice(2).toSorted()).toEqual(
    ["clicked", "opened", "unsubscribed"].map((name) => `email.${name}`),
  );
  const databases = [...allCores(bindings), ...shardDatabases(bindings)].map((db) =>
    tablesOf(async (sql) => (await db.prepare(sql).all<Rows[number]>()).results),
  );
  const places = {
    databases: (await Promise.all(databases)).join("\n"),
    ledger: await objectText(bindings.TEAM_LEDGER.getByName(harness.id) as never),
    visits: await objectText(bindings.VISITS.getByName(`${id}/0`) as never),
    metrics: await objectText(bindings.METRICS.getByName(METRICS_OBJECT) as never),
    events: JSON.stringify(events),
    log: lines.join("\n"),
  };
  const findIn = (text: string) =>
    Object.entries(places).flatMap(([name, kept]) => (kept.includes(text) ? [name] : []));
  expect(findIn(ADDRESS)).toEqual([]);
  // The search can find values: it finds those that the service does store, such as the mail
  // program.
  expect(findIn(CHROME)).toEqual(["ledger", "events"]);
  expect(findIn(to)).toEqual(["databases", "ledger", "events"]);
  expect(findIn("/c/:token")).toEqual(["log"]);
});
