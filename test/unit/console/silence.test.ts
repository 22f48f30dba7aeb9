// Tests how the console says since when the service does not answer, and when it tries again.
import { describe, expect, it } from "vitest";
import { nextTryWords, sinceWords } from "../../../console/src/api/silence.ts";

const AT = Date.parse("2026-11-23T14:02:31.000Z");
const SILENCE = { since: AT, nextAt: AT + 8_000, isOffline: false };

describe("a silence of the service", () => {
  it("is said with the time of the reader's clock, and with the network's state", () => {
    expect(sinceWords(SILENCE, "UTC")).toBe("No answer since 14:02");
    expect(sinceWords(SILENCE, "Europe/Berlin")).toBe("No answer since 15:02");
    expect(sinceWords({ ...SILENCE, isOffline: true }, "UTC")).toBe(
      "This browser is offline. No answer since 14:02",
    );
  });

  it("counts down to the next try, and says that one is under way", () => {
    expect(nextTryWords(SILENCE, AT)).toBe("trying again in 8 s");
    expect(nextTryWords(SILENCE, AT + 7_001)).toBe("trying again in 1 s");
    expect(nextTryWords(SILENCE, AT + 9_000)).toBe("trying again in 1 s");
    expect(nextTryWords({ ...SILENCE, nextAt: null }, AT)).toBe("trying again …");
  });
});
