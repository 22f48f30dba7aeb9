// Tests the quotas of a batch (contract.md §Batch): the volume quota refuses the whole batch, a
// label cap fails single items.
import { describe, expect, it } from "vitest";
import { makeSender, RATE_HEADERS, usageOf } from "../sender-fixture.ts";
import {
  batch,
  bodyOf,
  cappedItem,
  expectReplay,
  failedItem,
  FOREIGN,
  makeCapped,
  queuedItem,
} from "./batch-answers.ts";

describe("a batch over a quota", () => {
  it("of the month is refused as a whole; failed items do not count", async () => {
    const sender = await makeSender({ limits: { monthly: 2 } });
    const three = { to: ["a@example.org", "b@example.org", "c@example.org"] };
    expect(await batch(sender, [three])).toMatchObject({
      refusal: { code: "quota_exceeded", quota: { scope: "monthly" } },
    });
    expect(await batch(sender, [{}, FOREIGN, {}])).toMatchObject({ status: 207 });
  });

  it("of labels fails only the items over the cap: 207 without Retry-After", async () => {
    const sender = await makeCapped();
    const changes = [{ topic: "one" }, { topic: "two" }, {}, { topic: "one" }];
    const result = await batch(sender, changes, { key: "k" });
    expect(result).toMatchObject({ kind: "reply", status: 207 });
    expect(result.headers).toEqual(RATE_HEADERS);
    expect(bodyOf(result)).toEqual({
      summary: { total: 4, queued: 3, failed: 1 },
      data: [queuedItem(0), cappedItem(1, 3_600), queuedItem(2), queuedItem(3)],
    });
    expect(await usageOf(sender)).toEqual({ messages: 3, jobs: 3, dailyUsed: 3 });
    await expectReplay(sender, result, () => batch(sender, changes, { key: "k" }));
  });

  it("of labels with every item gets 429 with the longest wait, and is not replayed", async () => {
    const sender = await makeSender({ labelCaps: { topicPerHour: 1, campaignPer72Hours: 1 } });
    const now = Date.now();
    await batch(sender, [{ topic: "one", campaign: "one" }], { now });
    const changes = [{ topic: "two" }, { campaign: "two" }];
    const result = await batch(sender, changes, { key: "k", now: now + 60_000 });
    expect(result).toMatchObject({ kind: "reply", status: 429 });
    const wait = 72 * 3_600 - 60;
    expect(result.headers).toEqual({ ...RATE_HEADERS, "Retry-After": String(wait) });
    const campaign = { scope: "campaign_cardinality", limit: 1, retry_after_seconds: wait };
    expect(bodyOf(result)).toMatchObject({
      summary: { total: 2, queued: 0, failed: 2 },
      data: [cappedItem(0, 3_540), failedItem(1, { type: "quota_exceeded", ...campaign })],
    });
    expect(await batch(sender, changes, { key: "k", now: now + 73 * 3_600_000 })).toMatchObject({
      status: 202,
    });
  });

  it("of labels, with an unverified domain in the other item, gets a 400 that is replayed", async () => {
    const sender = await makeSender({ labelCaps: { topicPerHour: 0 } });
    const changes = [{ topic: "one" }, FOREIGN];
    const result = await batch(sender, changes, { key: "k" });
    expect(result).toMatchObject({ kind: "reply", status: 400 });
    expect(result.headers).toEqual(RATE_HEADERS);
    expect(bodyOf(result).summary).toEqual({ total: 2, queued: 0, failed: 2 });
    await expectReplay(sender, result, () =>
      batch(sender, changes, { key: "k", team: { labelCaps: { topicPerHour: 1 } } }),
    );
  });
});
