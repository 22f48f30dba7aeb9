// Tests how the console describes the progress of a replay: how much of its time window is done,
// its speed, the rest, and its end.
import { describe, expect, it } from "vitest";
import type { WebhookReplay } from "../../../packages/postern/src/generated/types.ts";
import { doneShare, replayText } from "../../../console/src/pages/webhooks/replay-progress.ts";

const REPLAY: WebhookReplay = {
  id: "rpl_1",
  webhook_id: "wh_1",
  start: "2026-11-20T00:00:00.000Z",
  end: "2026-11-21T00:00:00.000Z",
  event_types: ["email.sent"],
  status: "running",
  sent: 1_200,
  reached_at: "2026-11-20T18:00:00.000Z",
  created_at: "2026-11-22T12:00:00.000Z",
  completed_at: null,
};
const MINUTE_LATER = Date.parse("2026-11-22T12:01:00.000Z");

describe("a replay", () => {
  it("is done from the window's end towards its start", () => {
    expect(doneShare(REPLAY)).toBe(0.25);
    expect(doneShare({ ...REPLAY, status: "done" })).toBe(1);
    expect(doneShare({ ...REPLAY, end: REPLAY.start })).toBe(0);
  });

  it("says its pace and the remaining time while it runs", () => {
    expect(replayText(REPLAY, MINUTE_LATER)).toBe(
      "1,200 events queued, 20 per second. About 3 min left.",
    );
  });

  it("says only what is queued before its pace is known", () => {
    expect(replayText({ ...REPLAY, sent: 0, reached_at: REPLAY.end }, MINUTE_LATER)).toBe(
      "0 events queued.",
    );
  });

  it("says what it waits for while its webhook is paused", () => {
    expect(replayText({ ...REPLAY, sent: 1 }, MINUTE_LATER, true)).toBe(
      "1 event queued. Waiting for the endpoint to answer with a 2xx.",
    );
  });

  it("says how long it took when it is done, and why it stopped", () => {
    const over = { ...REPLAY, completed_at: "2026-11-22T12:00:30.000Z" };
    expect(replayText({ ...over, status: "done" }, MINUTE_LATER)).toBe(
      "Done: 1,200 events queued in 30 s.",
    );
    expect(replayText({ ...over, status: "stopped" }, MINUTE_LATER)).toBe(
      "Stopped when the webhook was disabled: 1,200 events queued.",
    );
  });
});
