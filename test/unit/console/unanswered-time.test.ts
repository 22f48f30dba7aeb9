// Tests how the console tells how long the service has not answered, and when the next try is.
import { describe, expect, it } from "vitest";
import { nextTryText, sinceText } from "../../../console/src/api/unanswered-time.ts";

const AT = Date.parse("2026-11-23T14:02:31.000Z");
const SILENCE = { since: AT, nextAt: AT + 8_000, isOffline: false };

describe("a period without an answer of the service", () => {
  it("is described with its start and the network's state", () => {
    expect(sinceText(SILENCE, "14:02 UTC")).toBe("No answer since 14:02 UTC");
    expect(sinceText({ ...SILENCE, isOffline: true }, "14:02 UTC")).toBe(
      "This browser is offline. No answer since 14:02 UTC",
    );
  });

  it("is shown with a countdown to the next try, or with the try under way", () => {
    expect(nextTryText(SILENCE, AT)).toBe("trying again in 8 s");
    expect(nextTryText(SILENCE, AT + 7_001)).toBe("trying again in 1 s");
    expect(nextTryText(SILENCE, AT + 9_000)).toBe("trying again in 1 s");
    expect(nextTryText({ ...SILENCE, nextAt: null }, AT)).toBe("trying again …");
  });
});
