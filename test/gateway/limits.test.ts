// Compares the gateway's limits with the worker's (src/limits.ts). The gateway is deployed alone
// and can't import them, so only this test keeps them equal.
import { describe, expect, it } from "vitest";
import {
  BUNDLE_BYTES,
  BUNDLE_FRAMES,
  SMALL_BYTES,
} from "../../smtp-gateway/src/inbound/bundler.ts";
import { HOLD_MAX_MS, HOLD_PAST_MS } from "../../smtp-gateway/src/inbound/future-release.ts";
import { REPLY_MAX_BYTES } from "../../smtp-gateway/src/inbound/reply-addresses.ts";
import { REPORT_MAX_BYTES } from "../../smtp-gateway/src/inbound/return-paths.ts";
import {
  encodeEnvelope,
  MESSAGE_MAX_BYTES,
  RECIPIENTS_MAX,
} from "../../smtp-gateway/src/inbound/submission.ts";
import { parseMail, parseRcpt } from "../../smtp-gateway/src/inbound/path-syntax.ts";
import {
  ENVELOPE_BYTES,
  RECIPIENTS_PER_SEND,
  REPLY_BYTES,
  REPORT_BYTES,
  REQUEST_BODY_BYTES,
  SCHEDULE_AHEAD_MS,
  SCHEDULE_PAST_MS,
  SUBMISSIONS_PER_BUNDLE,
} from "../../src/limits.ts";

describe("a limit of the gateway", () => {
  it.each([
    ["the size of a submitted message", MESSAGE_MAX_BYTES, REQUEST_BODY_BYTES],
    ["the size of a reply", REPLY_MAX_BYTES, REPLY_BYTES],
    ["the size of a report", REPORT_MAX_BYTES, REPORT_BYTES],
    ["the number of recipients", RECIPIENTS_MAX, RECIPIENTS_PER_SEND],
    ["the longest time that a message is held", HOLD_MAX_MS, SCHEDULE_AHEAD_MS],
    ["the time in the past for which no message is held", HOLD_PAST_MS, SCHEDULE_PAST_MS],
  ])("is the worker's for %s", (_, own, workers) => {
    expect(own).toBe(workers);
  });

  it("keeps a bundle within the frames and bytes that the worker reads in one request", () => {
    expect(BUNDLE_FRAMES).toBeLessThanOrEqual(SUBMISSIONS_PER_BUNDLE);
    expect(BUNDLE_BYTES + SMALL_BYTES + BUNDLE_FRAMES * 4).toBeLessThanOrEqual(REQUEST_BODY_BYTES);
  });

  it("keeps the longest envelope within the worker's bound", () => {
    const reversePath = `"${"\\\\".repeat(255)}"`;
    const mailbox = `"${"\\\\".repeat(31)}"@${`${"d".repeat(61)}.`.repeat(3)}net`;
    expect(parseMail(`MAIL FROM:<${reversePath}>`)).toMatchObject({ reversePath });
    expect(parseRcpt(`RCPT TO:<${mailbox}>`, false)).toEqual({ mailbox });
    const hold = { until: "2026-11-22T12:00:00.123456789+00:00" };
    const recipients = Array.from({ length: RECIPIENTS_MAX }, () => mailbox);
    expect(encodeEnvelope({ reversePath, recipients, hold }).length - 4).toBeLessThanOrEqual(
      ENVELOPE_BYTES,
    );
  });
});
