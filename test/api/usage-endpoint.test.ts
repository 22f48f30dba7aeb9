// Tests GET /v1/usage (contract.md §Usage) as a client sees it. test/unit/ledger/usage.test.ts
// tests what the ledger counts in each state.
import { beforeEach, describe, expect, it, vi } from "vitest";
import type { z } from "zod";
import type { TeamUsage } from "../../src/resources/usage/wire.ts";
import { DAY_MS } from "../../src/limits.ts";
import { call, ok, type TestTeam, operator } from "../support/api.ts";
import { ofEachTest } from "../support/before-tests.ts";
import { TestSender } from "../support/test-sender.ts";

type Shown = z.output<typeof TeamUsage>;

const SETTINGS = {
  limits: { daily: 500, monthly: 7, delivery_rate_per_minute: 2, requests_per_second: 900 },
  label_caps: {
    tags_per_hour: 40,
    topic_per_hour: 1,
    campaign_per_hour: 30,
    campaign_per_72_hours: 60,
  },
  overage_credits: 10,
};

const team = ofEachTest(() => TestSender.make(SETTINGS));

beforeEach(() => {
  // The network is down, so that a released message gets no outcome and counts as open.
  vi.spyOn(globalThis, "fetch").mockRejectedValue(new Error("no network"));
});

async function usage({ key }: TestTeam = team): Promise<Shown> {
  return ok<Shown>(call("GET", "/v1/usage", { key }));
}

const send = (recipients: number, labels: object = {}) =>
  team.send({
    to: Array.from({ length: recipients }, () => `${crypto.randomUUID()}@receiver.example`),
    ...labels,
  });

const accepted = (...args: Parameters<typeof send>) =>
  ok<{ created_at: string }>(send(...args), 202);

describe("GET /v1/usage", () => {
  it("shows a team that sent nothing its limits, with nothing used and nothing waiting", async () => {
    const before = Date.now();
    const shown = await usage();
    const [tomorrow, tomorrowThen] = [before, Date.now()].map((ms) =>
      new Date((Math.floor(ms / DAY_MS) + 1) * DAY_MS).toISOString(),
    );
    expect([tomorrow, tomorrowThen]).toContain(shown.daily.resets_at);
    expect(shown.monthly.resets_at).toMatch(/^\d{4}-\d\d-01T00:00:00\.000Z$/);
    expect(Date.parse(shown.monthly.resets_at)).toBeGreaterThanOrEqual(
      Date.parse(shown.daily.resets_at),
    );
    const unused = (limit: number) => ({ used: 0, limit });
    const nothing = { waiting: 0, queued: 0, attempting: 0, deferred: 0, awaiting: 0 };
    expect(shown).toEqual({
      daily: { ...unused(500), resets_at: expect.any(String) },
      monthly: { ...unused(7), resets_at: expect.any(String), overage_credits: 10 },
      labels: {
        tags_per_hour: unused(40),
        topic_per_hour: unused(1),
        campaign_per_hour: unused(30),
        campaign_per_72_hours: unused(60),
      },
      requests_per_second: 900,
      delivery: { ...nothing, rate_per_minute: 2, oldest_accepted_at: null },
    });
  });

  it("shows a send in the first answer after it: its recipients, its labels and its waiting jobs", async () => {
    const message = { tags: ["a", "b"], topic: "news", campaign: "spring" };
    const { created_at: acceptedAt } = await accepted(5, message);
    const { daily, monthly, labels, delivery } = await usage();
    expect([daily.used, monthly.used]).toEqual([5, 5]);
    expect(Object.values(labels).map(({ used }) => used)).toEqual([2, 1, 1, 1]);
    expect(delivery).toMatchObject({ waiting: 3, oldest_accepted_at: acceptedAt });
  });

  it("shows the quota as used up when it refuses a send, and counts nothing of that send", async () => {
    await accepted(6, { topic: "news" });
    const before = await usage();
    const [byLabel, byVolume] = await Promise.all([send(1, { topic: "other" }), send(12)]);
    expect(await byLabel.json()).toMatchObject({ scope: "topic_cardinality", limit: 1 });
    expect(await byVolume.json()).toMatchObject({ scope: "monthly", limit: 7 });
    expect(before.labels["topic_per_hour"]).toEqual({ used: 1, limit: 1 });
    const { daily, monthly, labels } = await usage();
    const expected = { daily: before.daily, monthly: before.monthly, labels: before.labels };
    expect({ daily, monthly, labels }).toEqual(expected);
  });

  it("shows a limit that the operator lowered below the used amount", async () => {
    await accepted(5);
    const body = { limits: { daily: 3 } };
    await operator.patch(`/admin/teams/${team.id}`, body);
    expect((await usage()).daily).toMatchObject({ used: 5, limit: 3 });
  });
});
