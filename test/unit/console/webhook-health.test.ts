// Tests the sentences of a webhook's page: its state, what waits, the next retry, the last answer.
import { describe, expect, it } from "vitest";
import {
  describeResponse,
  cellTitle,
  type ListedWebhookDelivery,
  figuresOf,
  listSentence,
  newerThan,
  plannedIds,
  webhookHealth,
} from "../../../console/src/pages/webhooks/webhook-health.ts";
import { webhookWith } from "./webhook-answer.ts";

const NOW = Date.parse("2026-11-22T12:00:00.000Z");
const CLOCK = { now: NOW, zone: "UTC" };
const MINUTE_MS = 60_000;

const WEBHOOK = webhookWith({});
const PAUSED = webhookWith({ status: "circuit_disabled" });

function at(minutes: number): string {
  return new Date(NOW + minutes * MINUTE_MS).toISOString();
}

function entry(changes: Partial<ListedWebhookDelivery>): ListedWebhookDelivery {
  return {
    id: "dlv_1",
    batch_id: "wb_1",
    attempt: 1,
    attempted_at: at(-1),
    outcome: "delivered",
    status_code: 200,
    latency_ms: 84,
    error: null,
    event_count: 2,
    next_attempt_at: null,
    ...changes,
  };
}

const failed = (batch: string, changes: Partial<ListedWebhookDelivery> = {}) =>
  entry({ batch_id: batch, outcome: "failed", status_code: 500, ...changes });

describe("the figures of a log", () => {
  it("count the failures since the newest delivery", () => {
    const log = [failed("a"), failed("b"), entry({ batch_id: "c" }), failed("d")];
    expect(figuresOf(log, NOW).failures).toBe(2);
  });

  it("count a batch as waiting until it is delivered or dropped, and once", () => {
    const log = [
      entry({ batch_id: "a" }),
      failed("b", { attempt: 2, next_attempt_at: at(3) }),
      failed("a"),
      failed("b"),
      entry({ batch_id: "c", outcome: "dropped", event_count: 7 }),
      failed("c"),
    ];
    const counts = { waitingBatches: 1, waitingEvents: 2, droppedEvents: 7 };
    expect(figuresOf(log, NOW)).toMatchObject({ ...counts, nextAt: NOW + 3 * MINUTE_MS });
  });
});

describe("the summary of a webhook", () => {
  it("names the next retry, what is queued and the last answer when it paused itself", () => {
    const log = [failed("a", { next_attempt_at: at(9) }), failed("b", { event_count: 1_202 })];
    expect(webhookHealth(PAUSED, log, CLOCK)).toEqual({
      tone: "wait",
      word: "Paused",
      answer: "Paused automatically after 10 failures in a row.",
      rest: "Next retry in 9 min. 1,204 or more events are queued.",
      said: "500 in 84 ms",
    });
  });

  it("ignores plans from before the pause", () => {
    const log = [failed("a"), failed("b", { next_attempt_at: at(1) })];
    expect(webhookHealth(PAUSED, log, CLOCK).rest).toMatch(
      /^The first retry follows 5 to 15 minutes/,
    );
  });

  it("says that a retry is due when its time has come", () => {
    const log = [failed("a", { next_attempt_at: at(0.05) })];
    expect(webhookHealth(PAUSED, log, CLOCK).rest).toMatch(/^The next retry is due\./);
  });

  it("says that a failing webhook will pause itself, and how many events wait", () => {
    const log = [failed("a", { next_attempt_at: at(2) }), entry({ batch_id: "b" })];
    expect(webhookHealth(WEBHOOK, log, CLOCK)).toMatchObject({
      tone: "wait",
      answer: "The last attempt failed.",
      rest: "Deliveries pause after 10 failures in a row. Next retry in 2 min. 1 failed batch (2 events) will be retried.",
    });
  });

  it("counts the deliveries of a webhook that delivers", () => {
    const log = [entry({ batch_id: "a" }), entry({ batch_id: "b" })];
    expect(webhookHealth(WEBHOOK, log, CLOCK)).toMatchObject({
      tone: "ok",
      answer: "The last 2 deliveries succeeded.",
      rest: "Last delivery 1 min ago.",
    });
  });

  it("says that nothing was sent when the log is empty", () => {
    const nothing = { answer: "Nothing has been sent yet.", said: null };
    expect(webhookHealth(WEBHOOK, [], CLOCK)).toMatchObject(nothing);
    const { answer } = webhookHealth(webhookWith({ last_delivery_at: at(-9_000) }), [], CLOCK);
    expect(answer).toBe("Nothing was sent in the last 3 days.");
  });

  it("says that events are not kept when the webhook is disabled", () => {
    const disabled = webhookHealth(webhookWith({ status: "disabled" }), [], CLOCK);
    expect(disabled).toMatchObject({ tone: "bad", answer: "Disabled: no events are sent." });
  });
});

describe("an answer", () => {
  it("is the status with its time, or the reason without one", () => {
    expect(describeResponse(entry({}))).toBe("200 in 84 ms");
    const without = (latency_ms: number | null, error: string) =>
      describeResponse({ status_code: null, latency_ms, error });
    expect(without(5_000, "No response within 5 seconds.")).toBe(
      "No response within 5 seconds (5.0 s)",
    );
    expect(without(null, "dropped: too late.")).toBe("dropped: too late.");
  });

  it("is in the title of its cell", () => {
    expect(cellTitle(failed("a", { attempt: 3 }), CLOCK)).toBe(
      "Failed, attempt 3, 2 events, 1 min ago: 500 in 84 ms",
    );
  });
});

describe("a list", () => {
  it("counts the entries above its previous first entry as new", () => {
    const newest = [entry({ id: "3" }), entry({ id: "2" }), entry({ id: "1" })];
    expect(newerThan(newest, "1")).toBe(2);
    expect(newerThan(newest, "3")).toBe(0);
    expect(newerThan(newest, undefined)).toBe(3);
  });

  it("is summed up by the webhooks that do not deliver", () => {
    const paused = { status: "circuit_disabled" } as const;
    expect(listSentence([WEBHOOK, WEBHOOK])).toBe("All webhooks are active.");
    expect(listSentence([WEBHOOK, paused])).toBe(
      "1 of 2 webhooks paused. Events for paused webhooks are queued.",
    );
    expect(listSentence([paused])).toBe("The webhook is paused. Its events are queued.");
  });
});

describe("a plan for the next attempt", () => {
  const log = [
    failed("a", { id: "a2", next_attempt_at: at(3) }),
    failed("b", { id: "b1", next_attempt_at: at(2) }),
    failed("a", { id: "a1", next_attempt_at: at(1) }),
    failed("c", { id: "c1", next_attempt_at: at(-1) }),
  ];

  it("holds for the newest entry of a batch until its time comes", () => {
    expect([...plannedIds(log, "active", NOW)]).toEqual(["a2", "b1"]);
  });

  it("holds only for the newest entry of all while the webhook is paused", () => {
    expect([...plannedIds(log, "circuit_disabled", NOW)]).toEqual(["a2"]);
    expect([...plannedIds(log, "disabled", NOW)]).toEqual([]);
  });
});
