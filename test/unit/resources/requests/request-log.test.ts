// Tests the object that keeps a team's last requests (src/resources/requests/request-log.ts): what
// it holds is bounded, what it wrote outlives a restart, and its answers tell isolates when to call
// next.
import { evictDurableObject, runDurableObjectAlarm, runInDurableObject } from "cloudflare:test";
import { fc } from "../../../support/properties.ts";
import { describe, expect, it, vi } from "vitest";
import { DAY_MS, REQUEST_LOG_MS } from "../../../../src/limits.ts";
import type { RequestKind, SeenRequests } from "../../../../src/rpc/request-log-calls.ts";
import { NEWEST_REQUESTS, RequestRows } from "../../../../src/resources/requests/request-rows.ts";
import { bindings } from "../../../support/api.ts";

const NOW = Date.UTC(2031, 0, 15, 12);
const logOf = () => bindings.REQUEST_LOG.getByName(`team_${crypto.randomUUID()}`);
const PAGE = { filters: {}, limit: 1_000, after: null };

function seen(kind: Partial<RequestKind>, at = NOW, count = 1): SeenRequests {
  const request = { at, keyId: "key_1", target: null, ms: 3, agent: null };
  return {
    kind: { method: "GET", route: "/v1/email/{id}", status: 404, error: null, fields: [], ...kind },
    count,
    firstAt: at,
    newest: [{ id: `req_${crypto.randomUUID()}`, ...request }],
  };
}

describe("the log of a team", () => {
  it("keeps 200 rows of failures and 50 of samples, and loses no written row in a restart", async () => {
    vi.setSystemTime(NOW);
    const log = logOf();
    const failures = Array.from({ length: 250 }, (_, at) => seen({ fields: [`field${at}`] }));
    const samples = Array.from({ length: 60 }, (_, at) => seen({ status: 200, route: `/${at}` }));
    await log.tell([...failures, ...samples]);
    await vi.waitUntil(() => runInDurableObject(log, (_, { storage }) => storage.getAlarm()));
    await evictDurableObject(log);
    const rows = await log.list([], PAGE);
    expect(rows.filter(({ kind }) => kind.status === 404)).toHaveLength(200);
    expect(rows.filter(({ kind }) => kind.status === 200)).toHaveLength(50);
    expect(rows.map(({ kind }) => kind.fields[0])).not.toContain("field0");
  });

  it("writes at most once a minute, and deletes requests that are too old", async () => {
    vi.setSystemTime(NOW);
    const log = logOf();
    await log.tell([seen({})]);
    await vi.waitUntil(() => runInDurableObject(log, (_, { storage }) => storage.getAlarm()));
    const saved = () => runInDurableObject(log, (_, { storage }) => storage.kv.get("requests"));
    const before = await saved();
    vi.setSystemTime(NOW + 30_000);
    await log.tell([seen({ status: 422 })]);
    expect(await saved()).toEqual(before);
    vi.setSystemTime(NOW + REQUEST_LOG_MS + DAY_MS);
    await runDurableObjectAlarm(log);
    expect(await saved()).toBeUndefined();
  });

  it("tells isolates to pause for different times, so that only one of them calls in each second", async () => {
    vi.setSystemTime(NOW);
    const log = logOf();
    const pauses: number[] = [];
    for (let isolate = 0; isolate < 4; isolate += 1) pauses.push(await log.tell([]));
    expect(pauses).toEqual([5_000, 6_000, 7_000, 8_000]);
  });

  it("is empty after its team was deleted", async () => {
    const log = logOf();
    await log.tell([seen({}, Date.now())]);
    await log.forget();
    expect(await log.list([], PAGE)).toEqual([]);
  });
});

it("the rows keep a limited number of kinds, and of each kind all counts and the newest requests", () => {
  const counts = fc.array(fc.record({ status: fc.integer({ min: 400, max: 405 }), by: fc.nat(9) }));
  fc.assert(
    fc.property(counts, fc.integer({ min: 1, max: 6 }), (given, capacity) => {
      const rows = new RequestRows(capacity);
      for (const [at, { status, by }] of given.entries()) rows.add(seen({ status }, NOW + at, by));
      const all = rows.all();
      expect(all.length).toBeLessThanOrEqual(capacity);
      const last = all.at(-1);
      if (capacity < 6 || !last) return;
      const same = given.filter(({ status }) => status === last.kind.status);
      expect(last.count).toBe(same.reduce((sum, { by }) => sum + by, 0));
      expect(last.newest).toHaveLength(Math.min(same.length, NEWEST_REQUESTS));
      expect(last.newest[0]?.at).toBe(NOW + given.length - 1);
    }),
  );
});
