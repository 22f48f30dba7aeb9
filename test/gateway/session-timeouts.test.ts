// The patience of a session (smtp-gateway/src/inbound/session-timeouts.ts), on fake timers: long
// for customers, shorter for strangers, shortest under stress.
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import {
  SessionTimeouts,
  type SessionTimeoutsOptions,
} from "../../smtp-gateway/src/inbound/session-timeouts.ts";

const SECOND = 1_000;
const MINUTE = 60 * SECOND;

beforeEach(() => {
  vi.useFakeTimers();
});

afterEach(() => {
  vi.useRealTimers();
});

function stand(options: Partial<SessionTimeoutsOptions> = {}) {
  const load = { isStressed: false };
  const patience = new SessionTimeouts({
    idleMs: 5 * MINUTE,
    takesReports: false,
    isStressed: () => load.isStressed,
    ...options,
  });
  return { load, patience };
}

/** Returns the silence, in milliseconds, after which a client is given up. */
function silenceOf(patience: SessionTimeouts, bytes = 0): number {
  for (let ms = patience.idleMs; ms < 60 * MINUTE; ms += patience.idleMs)
    if (!patience.allowsSilence(bytes)) return ms;
  return Number.POSITIVE_INFINITY;
}

function lengthOf(patience: SessionTimeouts): number {
  const end = vi.fn();
  patience.startDeadline(end);
  for (let seconds = 0; seconds < 3_600; seconds += 1) {
    if (end.mock.calls.length > 0) return seconds;
    vi.advanceTimersByTime(SECOND);
  }
  return Number.POSITIVE_INFINITY;
}

describe("a stranger", () => {
  it("may be silent for a minute, and for ten seconds under stress", () => {
    const { patience, load } = stand();
    expect(silenceOf(patience)).toBe(MINUTE);
    load.isStressed = true;
    expect(silenceOf(patience, 1)).toBe(10 * SECOND);
  });

  it("that is silent already when the stress begins is ended at the next look, at most ten seconds later", () => {
    const { patience, load } = stand();
    expect([patience.allowsSilence(0), patience.allowsSilence(0)]).toEqual([true, true]);
    load.isStressed = true;
    expect(patience.allowsSilence(0)).toBe(false);
  });

  it("that says something begins a new silence", () => {
    const { patience } = stand();
    for (let bytes = 0; bytes < 60; bytes += 1) expect(patience.allowsSilence(bytes)).toBe(true);
    expect(silenceOf(patience, 59)).toBe(50 * SECOND);
  });

  it("is never waited for longer than a customer", () => {
    expect(silenceOf(stand({ idleMs: 5 * SECOND }).patience)).toBe(5 * SECOND);
    expect(silenceOf(stand({ idleMs: 25 * SECOND }).patience)).toBe(30 * SECOND);
  });

  it("has two minutes for all of its session, 15 where the port takes reports, and 30 seconds under stress", () => {
    expect([lengthOf(stand().patience), lengthOf(stand({ takesReports: true }).patience)]).toEqual([
      120, 900,
    ]);
    const stressed = { takesReports: true, isStressed: () => true };
    expect(lengthOf(stand(stressed).patience)).toBe(30);
  });

  it("that named a genuine return-path is not hurried by stress", () => {
    const { patience } = stand({ takesReports: true, isStressed: () => true });
    patience.extendForReport();
    expect([silenceOf(patience), lengthOf(patience)]).toEqual([MINUTE, 900]);
  });
});

describe("a customer", () => {
  it("may be silent for as long as the setting says, and has a session without an end", () => {
    const { patience } = stand({ isStressed: () => true });
    const end = vi.fn();
    patience.startDeadline(end);
    patience.extendForAuthenticated();
    patience.extendForReport();
    expect([patience.idleMs, silenceOf(patience)]).toEqual([5 * MINUTE, 5 * MINUTE]);
    vi.advanceTimersByTime(60 * MINUTE);
    expect(end).not.toHaveBeenCalled();
  });
});
