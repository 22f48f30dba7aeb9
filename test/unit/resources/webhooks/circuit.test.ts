// Tests src/resources/webhooks/outbox/circuit.ts: the circuit over time, and how the circuit and
// the database row come to agree.
import { describe, expect, it } from "vitest";
import { HOUR_MS as HOUR, MINUTE_MS as MINUTE } from "../../../../src/limits.ts";
import {
  afterAttempt,
  afterTime,
  type Circuit,
  CLOSED,
  isStopped,
  outageEnd,
  reconcile,
  type CircuitState,
  statusOf,
} from "../../../../src/resources/webhooks/outbox/circuit.ts";

const NOON = Date.UTC(2031, 0, 15, 12);
const URL_TEXT = "https://hooks.example.com/";
const OTHER = "https://other.example.com/";

const at = (now: number, random = 0.5, speedup = 1) => ({ now, random, speedup });
const failed = (circuit: Circuit, now = NOON, random = 0.5): Circuit =>
  afterAttempt(circuit, false, circuit.kind === "open", at(now, random));
const succeeded = (circuit: Circuit): Circuit =>
  afterAttempt(circuit, true, circuit.kind === "open", at(NOON));
const after = (failures: number): Circuit =>
  Array.from({ length: failures }).reduce<Circuit>((circuit) => failed(circuit), CLOSED);
const opened = after(10) as Extract<Circuit, { kind: "open" }>;
const state = (given: Partial<CircuitState> = {}): CircuitState => ({
  circuit: CLOSED,
  published: true,
  url: URL_TEXT,
  status: "active",
  ...given,
});
type Status = "active" | "circuit_disabled" | "disabled";
const GIVEN_UP = { kind: "given_up" } as const;
/** Compares a state with a row. The state has the status of its circuit, or that in `given`. */
const meet = (
  circuit: Circuit,
  status: Status,
  given: Partial<CircuitState> = {},
  url = URL_TEXT,
) => reconcile(state({ circuit, status: statusOf(circuit), ...given }), { url, status });

describe("a run of failures", () => {
  it("opens the circuit with the tenth failure, not before", () => {
    expect(after(9)).toEqual({ kind: "closed", failures: 9 });
    expect(after(10)).toMatchObject({ kind: "open", since: NOON, probes: 0 });
  });

  it("starts over after any success", () => {
    expect(succeeded(after(9))).toEqual(CLOSED);
    expect(failed(succeeded(after(9)))).toEqual({ kind: "closed", failures: 1 });
  });
});

describe("an open circuit", () => {
  it("waits 5 minutes before its first probe, and later up to 15 minutes", () => {
    let circuit: Circuit = opened;
    let now = NOON;
    const waits: number[] = [];
    for (let probe = 0; probe < 6; probe += 1) {
      if (circuit.kind !== "open") throw new Error("closed");
      waits.push((circuit.probeAt - now) / MINUTE);
      now = circuit.probeAt;
      circuit = failed(circuit, now);
    }
    expect(waits).toEqual([5, 7.5, 11.25, 15, 15, 15]);
  });

  it.each([0, 0.25, 0.999_999])("waits 5 to 15 minutes, whatever the jitter (%d)", (random) => {
    let circuit = failed(after(9), NOON, random);
    for (let probe = 0; probe < 10; probe += 1) {
      if (circuit.kind !== "open") throw new Error("closed");
      expect(circuit.probeAt - NOON).toBeGreaterThanOrEqual(5 * MINUTE);
      expect(circuit.probeAt - NOON).toBeLessThanOrEqual(15 * MINUTE);
      circuit = failed(circuit, NOON, random);
    }
  });

  it("varies its waits at random", () => {
    const probeAt = (random: number) =>
      (failed(failed(after(9), NOON, random), NOON, random) as typeof opened).probeAt;
    expect(new Set([0.1, 0.5, 0.9].map(probeAt)).size).toBe(3);
  });

  it("is closed by the first success, even by a post that began before it opened", () => {
    expect(succeeded(opened)).toEqual(CLOSED);
    expect(afterAttempt(opened, true, false, at(NOON))).toEqual(CLOSED);
  });

  it("ignores failures of posts that were under way when it opened", () => {
    expect(afterAttempt(opened, false, false, at(NOON + MINUTE))).toBe(opened);
  });

  it("gives up after exactly 72 hours, however many probes have failed", () => {
    const late = failed(opened, NOON + 71 * HOUR);
    expect(afterTime(late, NOON + 72 * HOUR - 1, 1)).toBe(late);
    expect(afterTime(late, NOON + 72 * HOUR, 1)).toEqual(GIVEN_UP);
    expect(outageEnd(NOON, 1)).toBe(NOON + 72 * HOUR);
  });

  it("divides all its waits by RETRY_SPEEDUP", () => {
    const fast = afterAttempt(after(9), false, false, at(NOON, 0.5, 60));
    expect(fast).toMatchObject({ probeAt: NOON + 5_000 });
    expect(afterTime(fast, NOON + 72 * MINUTE, 60)).toEqual(GIVEN_UP);
  });

  it("stays given up, whatever comes later", () => {
    expect(succeeded(GIVEN_UP)).toBe(GIVEN_UP);
    expect(failed(GIVEN_UP)).toBe(GIVEN_UP);
    expect(afterTime(GIVEN_UP, NOON + 1_000 * HOUR, 1)).toBe(GIVEN_UP);
  });
});

describe("the row's status", () => {
  it("follows the circuit", () => {
    const statuses = ["active", "circuit_disabled", "disabled"];
    expect([CLOSED, opened, GIVEN_UP].map(statusOf)).toEqual(statuses);
  });

  it.each<[string, Circuit, "active" | "circuit_disabled"]>([
    ["that the circuit opened", opened, "active"],
    ["that the circuit closed", CLOSED, "circuit_disabled"],
    ["that the webhook was given up", GIVEN_UP, "circuit_disabled"],
  ])("is written again until the row shows %s", (_, circuit, status) => {
    const unheard = meet(circuit, status, { status: "active", published: false });
    expect(unheard.state).toMatchObject({ circuit, published: false });
    const heard = meet(circuit, statusOf(circuit), unheard.state);
    expect(heard.state).toMatchObject({ circuit, published: true });
  });

  it("is written again even if the outbox has lost its memory of it", () => {
    const lost = meet(CLOSED, "circuit_disabled", { url: null, status: null });
    expect(lost.state).toMatchObject({ circuit: CLOSED, published: false });
  });

  it.each<[string, Circuit, boolean]>([
    ["a closed circuit", CLOSED, true],
    ["failures", after(7), true],
    ["an open circuit", opened, true],
    ["an open circuit that the row does not show yet", opened, false],
  ])("set to disabled by the caller stays disabled, and resets %s", (_, circuit, published) => {
    const given = { status: "active", published } as const;
    const { state: now, released } = meet(circuit, "disabled", given);
    expect(now).toEqual({ circuit: CLOSED, published: true, url: URL_TEXT, status: "disabled" });
    expect(released).toBe(false);
    expect(isStopped(now)).toBe(true);
  });

  it("set back to active by the caller ends an open circuit and an outage, and releases held batches", () => {
    for (const circuit of [opened, GIVEN_UP])
      expect(meet(circuit, "active")).toEqual({ state: state(), released: true });
  });

  it("set back to active by the caller releases batches that were held while it was disabled", () => {
    const released = { state: state(), released: true };
    expect(meet(CLOSED, "active", { status: "disabled" })).toEqual(released);
  });

  it("has no effect if it is unchanged", () => {
    for (const circuit of [CLOSED, after(7), opened, GIVEN_UP]) {
      const same = state({ circuit, status: statusOf(circuit) });
      expect(meet(circuit, statusOf(circuit))).toEqual({ state: same, released: false });
    }
  });
});

describe("a changed URL", () => {
  it("ends an open circuit and a run of failures", () => {
    for (const circuit of [opened, after(7)])
      expect(meet(circuit, "active", {}, OTHER).state).toEqual(state({ url: OTHER }));
  });

  it("ends an open circuit that the row does not show yet, or shows from now on", () => {
    const unheard = { status: "active", published: false } as const;
    expect(meet(opened, "active", unheard, OTHER).released).toBe(true);
    const late = meet(opened, "circuit_disabled", { status: "active" }, OTHER);
    expect(late.state).toMatchObject({ circuit: CLOSED, published: false });
  });

  it("has no effect if the outbox has not read a URL before", () => {
    expect(meet(after(7), "active", { url: null }).state.circuit).toEqual(after(7));
  });
});
