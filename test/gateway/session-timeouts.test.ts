// Tests the timeouts of a session (smtp-gateway/src/inbound/session-timeouts.ts) on fake timers:
// long for authenticated clients, shorter for other clients, and shortest under stress.
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { SessionTimeouts } from "../../smtp-gateway/src/inbound/session-timeouts.ts";

const SECOND = 1_000;
const MINUTE = 60 * SECOND;

beforeEach(() => {
  vi.useFakeTimers();
});

afterEach(() => {
  vi.useRealTimers();
});

function createTimeouts(options: Partial<ConstructorParameters<typeof SessionTimeouts>[0]> = {}) {
  const load = { isStressed: false };
  const timeouts = new SessionTimeouts({
    idleMs: 5 * MINUTE,
    takesReports: false,
    isStressed: () => load.isStressed,
    ...options,
  });
  return { load, timeouts };
}

/** Milliseconds of silence after which the session ends. */
function longestSilenceOf(timeouts: SessionTimeouts, bytes = 0): number {
  for (let ms = timeouts.idleMs; ms < 60 * MINUTE; ms += timeouts.idleMs)
    if (!timeouts.allowsSilence(bytes)) return ms;
  return Number.POSITIVE_INFINITY;
}

/** Seconds after which the session ends, however active its client is. */
function sessionLengthOf(timeouts: SessionTimeouts): number {
  const end = vi.fn();
  timeouts.startDeadline(end);
  for (let seconds = 0; seconds < 3_600; seconds += 1) {
    if (end.mock.calls.length > 0) return seconds;
    vi.advanceTimersByTime(SECOND);
  }
  return Number.POSITIVE_INFINITY;
}

describe("an unauthenticated client", () => {
  it("may be silent for a minute, and for ten seconds under stress", () => {
    const { timeouts, load } = createTimeouts();
    expect(longestSilenceOf(timeouts)).toBe(MINUTE);
    load.isStressed = true;
    expect(longestSilenceOf(timeouts, 1)).toBe(10 * SECOND);
  });

  it("that is already silent when stress begins is ended within ten seconds", () => {
    const { timeouts, load } = createTimeouts();
    expect([timeouts.allowsSilence(0), timeouts.allowsSilence(0)]).toEqual([true, true]);
    load.isStressed = true;
    expect(timeouts.allowsSilence(0)).toBe(false);
  });

  it("that sends a byte may be silent for the whole time again", () => {
    const { timeouts } = createTimeouts();
    for (let bytes = 0; bytes < 60; bytes += 1) expect(timeouts.allowsSilence(bytes)).toBe(true);
    expect(longestSilenceOf(timeouts, 59)).toBe(50 * SECOND);
  });

  it("may not be silent for longer than an authenticated client", () => {
    expect(longestSilenceOf(createTimeouts({ idleMs: 5 * SECOND }).timeouts)).toBe(5 * SECOND);
    expect(longestSilenceOf(createTimeouts({ idleMs: 25 * SECOND }).timeouts)).toBe(30 * SECOND);
  });

  it("has two minutes for its session, 15 minutes on a port for reports, and 30 seconds under stress", () => {
    expect([
      sessionLengthOf(createTimeouts().timeouts),
      sessionLengthOf(createTimeouts({ takesReports: true }).timeouts),
    ]).toEqual([120, 900]);
    const stressed = { takesReports: true, isStressed: () => true };
    expect(sessionLengthOf(createTimeouts(stressed).timeouts)).toBe(30);
  });

  it("that named a genuine return-path keeps its time under stress", () => {
    const { timeouts } = createTimeouts({ takesReports: true, isStressed: () => true });
    timeouts.extendForReport();
    expect([longestSilenceOf(timeouts), sessionLengthOf(timeouts)]).toEqual([MINUTE, 900]);
  });
});

describe("an authenticated client", () => {
  it("may be silent for as long as the setting says, in a session of any length", () => {
    const { timeouts } = createTimeouts({ isStressed: () => true });
    const end = vi.fn();
    timeouts.startDeadline(end);
    timeouts.extendForAuthenticated();
    timeouts.extendForReport();
    expect([timeouts.idleMs, longestSilenceOf(timeouts)]).toEqual([5 * MINUTE, 5 * MINUTE]);
    vi.advanceTimersByTime(60 * MINUTE);
    expect(end).not.toHaveBeenCalled();
  });
});
