// Tests POST /v1/webhooks/{id}/replay as a client sees it: its answers and its refusals.
// test/unit/resources/webhooks/webhook-replay.test.ts tests what a replay sends.
import type { z } from "zod";
import type { WebhookReplayed } from "../../../src/resources/webhooks/wire.ts";
import { beforeEach, describe, expect, it } from "vitest";
import { DAY_MS as DAY, HOUR_MS as HOUR } from "../../../src/limits.ts";
import type { TestTeam } from "../../support/api.ts";
import { busyTeam, call, errorsOf, fieldsOf, makeTeam, ok } from "../../support/api.ts";
import { FakeReceiver } from "../../support/fakes/fake-receiver.ts";
import { create, put, WISH } from "../../support/test-webhooks.ts";
import { ofEachTest } from "../../support/before-tests.ts";

type Replayed = z.output<typeof WebhookReplayed>;

const team = ofEachTest(busyTeam);
let id: string;
let now: number;

beforeEach(async () => {
  new FakeReceiver().install();
  ({ id } = await create(team));
  now = Date.now();
});

const ago = (ms: number) => new Date(now - ms).toISOString();
const ask = (body: unknown, webhookId = id, { key }: TestTeam = team) =>
  call("POST", `/v1/webhooks/${webhookId}/replay`, { key, body });

async function begun(body: unknown): Promise<Replayed> {
  return ok(ask(body), 202);
}

describe("a replay that begins", () => {
  it("shows its id, its window and its types", async () => {
    const shown = await begun({
      start: ago(2 * HOUR),
      end: ago(HOUR),
      event_types: ["email.bounced", "email.opened", "email.bounced"],
    });
    expect(Object.entries(shown)).toEqual([
      ["id", expect.stringMatching(/^rpl_[0-9a-f-]{36}$/)],
      ["webhook_id", id],
      ["start", ago(2 * HOUR)],
      ["end", ago(HOUR)],
      ["event_types", ["email.bounced", "email.opened"]],
    ]);
  });

  it("takes other names of event_types", async () => {
    for (const named of [
      { events: ["email.bounced"] },
      { events: "email.bounced" },
      { event_type: "email.bounced" },
      { event_type: ["email.bounced", "email.bounced"] },
      { event_types: ["email.bounced"], events: ["email.sent"], event_type: "email.sent" },
    ]) {
      const shown = await begun({ start: ago(HOUR), ...named });
      expect([named, shown.event_types]).toEqual([named, ["email.bounced"]]);
    }
  });

  it("runs until now and over the webhook's own types, if the request names neither", async () => {
    const shown = await begun({ start: ago(HOUR) });
    expect(Date.parse(shown.end)).toBeGreaterThanOrEqual(now);
    expect(Date.parse(shown.end)).toBeLessThanOrEqual(Date.now());
    expect(shown.event_types).toEqual(WISH.events);
  });

  it("accepts the same spellings of times as GET /events", async () => {
    expect(await begun({ start: "2026-01-01", end: ago(-DAY) })).toMatchObject({
      end: expect.not.stringMatching(ago(-DAY)),
    });
    const window = { start: ago(HOUR).replace("Z", "+00:00"), end: ago(HOUR - 1_000) };
    const { start } = await begun(window);
    expect(start).toBe(ago(HOUR));
  });

  it("has its window cut to the team's retention and to now, which the answer shows", async () => {
    const short = await makeTeam({ event_retention_days: 3 });
    const webhook = await create(short);
    const response = await ask({ start: ago(20 * DAY), end: ago(-DAY) }, webhook.id, short);
    const { start, end } = await response.json<Replayed>();
    const after = Date.now();
    for (const [shown, back] of [
      [start, 3 * DAY],
      [end, 0],
    ] as const) {
      expect(Date.parse(shown)).toBeGreaterThanOrEqual(now - back);
      expect(Date.parse(shown)).toBeLessThanOrEqual(after - back);
    }
    const long = { start: ago(20 * DAY), end: ago(10 * DAY) };
    const before = await ok<Replayed>(ask(long, webhook.id, short), 202);
    expect(before.end).toBe(before.start);
  });

  it("may begin for a webhook whose circuit is open", async () => {
    await put(id, "status", "circuit_disabled");
    expect((await ask({ start: ago(HOUR) })).status).toBe(202);
  });
});

describe("a replay that is refused", () => {
  it("names the field at fault", async () => {
    for (const [body, field] of [
      [{}, "start"],
      [{ start: null }, "start"],
      [{ start: 1_700_000_000 }, "start"],
      [{ start: "yesterday" }, "start"],
      [{ start: "" }, "start"],
      [{ start: "2026-02-30" }, "start"],
      [{ start: "2026-11-20", end: "tomorrow" }, "end"],
      [{ start: "2026-11-20T10:00:00Z", end: "2026-11-20T10:00:00Z" }, "start"],
      [{ start: "2026-11-20T10:00:01Z", end: "2026-11-20T10:00:00Z" }, "start"],
      [{ start: "2199-01-01" }, "start"],
      [{ start: "2026-11-20", event_types: [] }, "event_types"],
      [{ start: "2026-11-20", event_types: "email.sent" }, "event_types"],
      [{ start: "2026-11-20", event_types: ["email.sent", "email.lost"] }, "event_types.1"],
      [{ start: "2026-11-20", event_types: ["webhook.test"] }, "event_types.0"],
      [{ start: "2026-11-20", event_types: [null] }, "event_types.0"],
      [{ start: "2026-11-20", events: [] }, "events"],
      [{ start: "2026-11-20", events: ["email.lost"] }, "events.0"],
      [{ start: "2026-11-20", event_type: "" }, "event_type.0"],
      [{ start: "2026-11-20", event_type: "bounced" }, "event_type.0"],
      [{ start: "2026-11-20", event_type: {} }, "event_type"],
      [{ start: "2026-11-20", event_types: ["email.sent"], events: ["email.lost"] }, "events.0"],
    ] as const)
      expect([body, await fieldsOf(ask(body))]).toEqual([body, [field]]);
  });

  it("names the status of a webhook that is disabled", async () => {
    await put(id, "status", "disabled");
    expect(await errorsOf(ask({ start: ago(HOUR) }))).toEqual({
      status: [expect.stringMatching(/^is disabled/)],
    });
  });
});
