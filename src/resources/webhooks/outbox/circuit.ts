// Decides the circuit of one webhook (contract.md §Circuit): when consecutive failures stop
// deliveries, when to send a probe, and when the outage is final. Also keeps the circuit consistent
// with the status in the webhook's row. Pure.
import {
  WEBHOOK_FAILURES_BEFORE_CIRCUIT,
  WEBHOOK_OUTAGE_MS,
  WEBHOOK_PROBE_FIRST_MS,
  WEBHOOK_PROBE_LONGEST_MS,
} from "../../../limits.ts";
import type { WebhookRow } from "../store.ts";

type Status = WebhookRow["status"];

/** Times in Unix milliseconds. */
export type Circuit =
  | { readonly kind: "closed"; /** Consecutive failures up to now. */ readonly failures: number }
  | {
      readonly kind: "open";
      readonly since: number;
      /** Number of failed probes. */ readonly probes: number;
      readonly probeAt: number;
    }
  /** The outage lasted too long, so the outbox has stopped all deliveries for good. */
  | { readonly kind: "given_up" };

/** The circuit of an outbox, and the last known state of its webhook's row. */
export interface CircuitState {
  readonly circuit: Circuit;
  /**
   * True: the webhook's row shows the circuit's last change. False: it may not show the change yet.
   */
  readonly published: boolean;
  /** The row's `url` and `status` at the last read. Null: the row was never read. */
  readonly url: string | null;
  readonly status: Status | null;
}

/**
 * The time and randomness of a decision. `random` is in [0, 1). `speedup`, at least 1, divides
 * every wait.
 */
interface CircuitInputs {
  readonly now: number;
  readonly random: number;
  readonly speedup: number;
}

/** Each delay before a probe is the previous delay times this factor. */
const PROBE_GROWTH = 1.5;
/**
 * Each delay before a probe is randomly shortened or lengthened by up to this share. The result
 * stays between the shortest and the longest delay.
 */
const PROBE_JITTER = 0.1;

export const CLOSED: Circuit = { kind: "closed", failures: 0 };

/**
 * Returns the circuit after an attempt. `isProbe`: the attempt began while the circuit was open. A
 * failed attempt that began before the circuit opened does not change an open circuit.
 */
export function afterAttempt(
  circuit: Circuit,
  isSuccess: boolean,
  isProbe: boolean,
  inputs: CircuitInputs,
): Circuit {
  switch (circuit.kind) {
    case "closed":
      if (isSuccess) return circuit.failures === 0 ? circuit : CLOSED;
      return afterFailure(circuit.failures + 1, inputs);
    case "open":
      if (isSuccess) return CLOSED;
      return isProbe
        ? {
            ...circuit,
            probes: circuit.probes + 1,
            probeAt: probeTime(circuit.probes + 1, inputs),
          }
        : circuit;
    case "given_up":
      return circuit;
  }
}

/**
 * Returns the circuit at `now`. An open circuit becomes `given_up` if its outage has lasted too
 * long.
 */
export function afterTime(circuit: Circuit, now: number, speedup: number): Circuit {
  return circuit.kind === "open" && now >= outageEnd(circuit.since, speedup)
    ? { kind: "given_up" }
    : circuit;
}

/** Returns when an outage that began at `since` becomes final. */
export function outageEnd(since: number, speedup: number): number {
  return since + Math.floor(WEBHOOK_OUTAGE_MS / speedup);
}

/** Returns the status that the row should have, unless a client has disabled the webhook. */
export function statusOf(circuit: Circuit): Status {
  switch (circuit.kind) {
    case "closed":
      return "active";
    case "open":
      return "circuit_disabled";
    case "given_up":
      return "disabled";
  }
}

/**
 * Compares the webhook's row, which was just read, with the state of the outbox. Resets the circuit
 * if a client changed the row. A change of the circuit is published when the row shows it.
 * `released`: deliveries were stopped, and may now go out.
 */
export function reconcile(
  state: CircuitState,
  row: Pick<WebhookRow, "url" | "status">,
): { state: CircuitState; released: boolean } {
  const { url, status } = row;
  const isReset = (state.url !== null && state.url !== url) || isSetByCaller(state, status);
  const circuit = isReset ? CLOSED : state.circuit;
  const published = status === "disabled" || status === statusOf(circuit);
  const after = { circuit, published, url, status };
  return { state: after, released: isStopped(state) && !isStopped(after) };
}

/** Returns whether deliveries are stopped. Then the outbox sends only probes of an open circuit. */
export function isStopped({ circuit, status }: CircuitState): boolean {
  return status === "disabled" || circuit.kind !== "closed";
}

/**
 * Returns whether a client changed the status in the webhook's row after the circuit's last change.
 * If the row does not show the circuit's last change yet, the status `active` is not a client's
 * change.
 */
function isSetByCaller({ circuit, published }: CircuitState, status: Status): boolean {
  const own = statusOf(circuit);
  return status !== own && (status === "disabled" || (status === "active" && published));
}

function afterFailure(failures: number, inputs: CircuitInputs): Circuit {
  if (failures < WEBHOOK_FAILURES_BEFORE_CIRCUIT) return { kind: "closed", failures };
  return {
    kind: "open",
    since: inputs.now,
    probes: 0,
    probeAt: probeTime(0, inputs),
  };
}

function probeTime(probes: number, { now, random, speedup }: CircuitInputs): number {
  const wait =
    Math.min(WEBHOOK_PROBE_LONGEST_MS, WEBHOOK_PROBE_FIRST_MS * PROBE_GROWTH ** probes) *
    (1 - PROBE_JITTER + 2 * PROBE_JITTER * random);
  const bounded = Math.min(WEBHOOK_PROBE_LONGEST_MS, Math.max(WEBHOOK_PROBE_FIRST_MS, wait));
  return now + Math.max(1, Math.round(bounded / speedup));
}
