// Tests the figures and sentences of the console's page "Usage".
import { describe, expect, it } from "vitest";
import {
  allowancesOf,
  dayBegins,
  monthBegins,
  projectionOf,
  releaseTime,
  toneOfUse,
  waitingStates,
} from "../../../console/src/pages/usage/usage-figures.ts";
import {
  projectionSentence,
  releaseSentence,
  waitingSentence,
} from "../../../console/src/pages/usage/usage-texts.ts";
import { usageWith } from "./usage-answer.ts";

const ENDS = Date.parse("2026-11-23T00:00:00.000Z");
const DAY = { begins: dayBegins(ENDS), ends: ENDS };
const NOON = ENDS - 12 * 3_600_000;

describe("the projected end of a quota", () => {
  it("is at noon twice the use of the morning", () => {
    expect(projectionOf({ used: 30, limit: 100 }, DAY, NOON)).toEqual({ atEnd: 60, fullAt: null });
  });

  it("says when the limit is reached, if the limit is reached before the end", () => {
    expect(projectionOf({ used: 75, limit: 100 }, DAY, NOON)).toEqual({
      atEnd: 150,
      fullAt: ENDS - 8 * 3_600_000,
    });
  });

  it("names no time for a limit that is reached already", () => {
    expect(projectionOf({ used: 100, limit: 100 }, DAY, NOON)?.fullAt).toBeNull();
  });

  it("is unknown in the first half hour, and when nothing is used", () => {
    expect(projectionOf({ used: 3, limit: 100 }, DAY, DAY.begins + 60_000)).toBeNull();
    expect(projectionOf({ used: 0, limit: 100 }, DAY, NOON)).toBeNull();
  });

  it("uses the real length of a month", () => {
    expect(monthBegins(Date.UTC(2027, 0, 1))).toBe(Date.UTC(2026, 11, 1));
  });
});

describe("a sentence about a quota", () => {
  const say = (used: number, at: number, credits = 0) =>
    projectionSentence(used, 100, projectionOf({ used, limit: 100 }, DAY, at), ENDS, credits, {
      now: at,
      zone: "Europe/Berlin",
    });

  it("describes the projected end", () => {
    expect(say(30, NOON)).toBe("Projected: 60 (60% of the limit).");
    expect(say(75, NOON)).toBe("Projected to reach the limit on 22 Nov, 17:00 CET.");
    expect(say(1, DAY.begins)).toBe("Too early for a projection.");
    expect(say(0, NOON)).toBe("Nothing sent yet.");
  });

  it("says what happens past the limit", () => {
    expect(say(100, NOON)).toBe("Limit reached. Sends are refused until 23 Nov, 01:00 CET.");
    expect(say(100, NOON, 5)).toContain("Overage credits are used");
  });
});

describe("the tone of a used part", () => {
  it.each([
    [79, "ok"],
    [80, "wait"],
    [100, "bad"],
  ])("of %i in 100 is %s", (used, tone) => {
    expect(toneOfUse(used, 100)).toBe(tone);
  });
});

describe("allowances", () => {
  it("add overage credits to the month", () => {
    const usage = usageWith({});
    const month = { ...usage.monthly, overage_credits: 500 };
    expect(allowancesOf({ ...usage, monthly: month })[1]).toMatchObject({ limit: 1_500 });
  });
});

describe("the mail that waits", () => {
  it("is released at the team's pace", () => {
    const usage = usageWith({ waiting: 1_800 });
    expect(releaseTime(usage)).toBe(180_000);
    expect(releaseSentence(1_800, 600, releaseTime(usage))).toBe(
      "The delivery rate limit is 600 recipients per minute. " +
        "The 1,800 held back will go out within 3 min.",
    );
    expect(waitingStates(usage)[0]).toMatchObject({ name: "waiting", count: 1_800 });
  });

  it("is shown with the age of its oldest message", () => {
    expect(waitingSentence(0, null)).toBe("No mail is pending.");
    expect(waitingSentence(1, 90_000)).toBe(
      "1 recipient pending. The oldest has been pending for 1 min 30 s.",
    );
  });
});
