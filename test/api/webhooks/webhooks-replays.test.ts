// Tests GET /v1/webhooks/{id}/replays (contract.md §Replays): how far each replay of a webhook has
// come, and how it ended.
import type { z } from "zod";
import type { ShownReplay } from "../../../src/resources/webhooks/wire.ts";
import { runDurableObjectAlarm, runInDurableObject } from "cloudflare:test";
import { beforeEach, describe, expect, it, vi } from "vitest";
import { DAY_MS, HOUR_MS, WEBHOOK_REPLAYS_KNOWN } from "../../../src/limits.ts";
import type { Page } from "../../support/api.ts";
import { bindings, busyTeam, call, errorsOf, everyPage, ok } from "../../support/api.ts";
import { FakeReceiver } from "../../support/fakes/fake-receiver.ts";
import { create, put, remove } from "../../support/test-webhooks.ts";
import { writePast } from "../../unit/resources/events/past-events.ts";
import { holdBack } from "../../unit/resources/webhooks/held-answers.ts";
import { ofEachTest } from "../../support/before-tests.ts";

type Shown = z.output<typeof ShownReplay>;

const RETENTION = 7 * DAY_MS;

const receiver = ofEachTest(() => new FakeReceiver().install());
const team = ofEachTest(busyTeam);
let id: string;
let now: number;

beforeEach(async () => {
  const url = `https://hooks.example.com/${crypto.randomUUID()}`;
  ({ id } = await create(team, { name: "Replays", url, events: ["email.delivered"] }));
  now = Date.now();
});

const ago = (ms: number) => new Date(now - ms).toISOString();
const ask = (query = "", webhookId = id, { key } = team) =>
  call("GET", `/v1/webhooks/${webhookId}/replays?${query}`, { key });
const inObject = <Result>(work: (storage: DurableObjectStorage) => Result | Promise<Result>) =>
  runInDurableObject(bindings.WEBHOOK_REPLAY.getByName(id), (_, { storage }) => work(storage));

async function list(query = "", webhookId = id): Promise<Page<Shown>> {
  return ok(ask(query, webhookId));
}

async function replay(body: object = { start: ago(20 * HOUR_MS) }): Promise<Shown> {
  return ok(team.post(`/v1/webhooks/${id}/replay`, body), 202);
}

async function only(): Promise<Shown> {
  const { data } = await list();
  expect(data).toHaveLength(1);
  return data[0]!;
}

const ended = (status: string) =>
  vi.waitFor(async () => {
    const shown = await only();
    expect(shown.status).toBe(status);
    return shown;
  });

describe("the replays of a webhook", () => {
  it("show the end and the number of events of a finished replay", async () => {
    await writePast(team, 230, now - HOUR_MS);
    const begun = await replay({ start: ago(20 * HOUR_MS), end: ago(0) });
    const shown = await ended("done");
    expect(Object.entries(shown)).toEqual([
      ["id", begun.id],
      ["webhook_id", id],
      ["start", ago(20 * HOUR_MS)],
      ["end", ago(0)],
      ["event_types", ["email.delivered"]],
      ["status", "done"],
      ["sent", 230],
      ["reached_at", ago(20 * HOUR_MS)],
      ["created_at", expect.any(String)],
      ["completed_at", expect.any(String)],
    ]);
    const [createdAt, completedAt] = [shown.created_at, shown.completed_at ?? ""].map(Date.parse);
    expect(createdAt).toBeGreaterThanOrEqual(now);
    expect(completedAt).toBeGreaterThanOrEqual(createdAt!);
  });

  it("show the progress of a replay to a slow receiver, until it is done", async () => {
    await writePast(team, 1_300, now - HOUR_MS);
    const letGo = holdBack(receiver);
    const { start, end } = await replay();
    const shown = await vi.waitFor(async () => {
      const one = await only();
      expect(one.sent).toBeGreaterThanOrEqual(100);
      return one;
    });
    expect(shown).toMatchObject({ status: "running", completed_at: null, start, end });
    expect(shown.sent).toBeLessThan(1_300);
    // The events are a second apart, and the newest is an hour old.
    expect(shown.reached_at).toBe(ago(HOUR_MS + (shown.sent - 1) * 1_000));
    letGo();
    expect(await ended("done")).toMatchObject({ sent: 1_300, reached_at: start });
  });

  it("show a replay as stopped, with the number of events sent, when its webhook was disabled", async () => {
    await writePast(team, 1_300, now - HOUR_MS);
    const letGo = holdBack(receiver);
    await replay();
    await vi.waitFor(async () => expect((await only()).sent).toBeGreaterThanOrEqual(100));
    await put(id, "status", "disabled");
    letGo();
    const shown = await ended("stopped");
    expect(shown.sent).toBeLessThan(1_300);
    expect(shown.completed_at).not.toBeNull();
    expect(shown.reached_at > shown.start).toBe(true);
  });

  it("are listed newest first, page by page, without repetition", async () => {
    const begun: string[] = [];
    for (let count = 0; count < 5; count += 1) begun.unshift((await replay()).id);
    const lengths: number[] = [];
    const path = `/v1/webhooks/${id}/replays?limit=2`;
    const all = await everyPage<Shown>(path, team.key, ({ data }) => lengths.push(data.length));
    expect(lengths).toEqual([2, 2, 1]);
    expect(all.map((one) => one.id)).toEqual(begun);
  });

  it("refuse a cursor of another webhook", async () => {
    await replay();
    await replay();
    const { next_cursor: cursor } = await list("limit=1");
    const other = await create(team);
    expect(await errorsOf(ask(`after=${cursor}`, other.id))).toEqual({
      after: ["is not a cursor of this webhook's replays"],
    });
  });
});

describe("a replay that ended", () => {
  const rows = () =>
    inObject(
      ({ sql }) => sql.exec<{ n: number }>("SELECT count(*) AS n FROM known_replays").one().n,
    );
  const age = (ms: number) =>
    inObject(({ sql }) => sql.exec("UPDATE known_replays SET ended_at = ended_at - ?", ms));

  it("is known for seven days, and deleted by an alarm at their end", async () => {
    await replay();
    const { completed_at: completedAt } = await ended("done");
    await expect
      .poll(() => inObject((storage) => storage.getAlarm()))
      .toBe(Date.parse(completedAt ?? "") + RETENTION);
    await age(RETENTION - HOUR_MS);
    expect((await list()).data).toHaveLength(1);
    await age(HOUR_MS);
    expect((await list()).data).toEqual([]);
    expect(await runDurableObjectAlarm(bindings.WEBHOOK_REPLAY.getByName(id))).toBe(true);
    expect(await rows()).toBe(0);
    expect(await inObject((storage) => storage.getAlarm())).toBeNull();
  });

  it("is forgotten when a thousand other replays began after it", async () => {
    await inObject(({ sql }) =>
      sql.exec(
        `INSERT INTO known_replays (id, types, start, until, status, sent, reached_at, created_at, ended_at)
         SELECT 'rpl_' || value, '[]', 0, 1, 'done', 0, 0, ?1, ?1 FROM json_each(?2)`,
        now,
        JSON.stringify(Array.from({ length: WEBHOOK_REPLAYS_KNOWN }, (_, index) => index + 1)),
      ),
    );
    const { id: newest } = await replay();
    await expect
      .poll(async () => (await list("limit=1")).data[0])
      .toMatchObject({ id: newest, status: "done" });
    expect(await rows()).toBe(WEBHOOK_REPLAYS_KNOWN);
    await expect(
      inObject(({ sql }) => sql.exec("SELECT 1 FROM known_replays WHERE id = 'rpl_1'").toArray()),
    ).resolves.toEqual([]);
  });

  it("leaves nothing behind when its webhook is deleted while it is running", async () => {
    await writePast(team, 1_300, now - HOUR_MS);
    const letGo = holdBack(receiver);
    await replay();
    await vi.waitFor(async () => expect((await only()).sent).toBeGreaterThanOrEqual(100));
    await remove(team, id);
    letGo();
    await expect.poll(rows).toBe(0);
  });
});
