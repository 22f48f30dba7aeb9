// The circuit of one webhook (contract.md §Circuit) decides when a run of failures stops
// deliveries, when a probe may ask again, when the outage is final, and how all this and the status
// that stands in the database come to agree. Pure.
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
  | { readonly kind: "closed"; /** In a row, up to now. */ readonly failures: number }
  | {
      readonly kind: "open";
      readonly since: number;
      /** That failed. */ readonly probes: number;
      readonly probeAt: number;
    }
  /** The outage was too long. */
  | { readonly kind: "given_up" };

/** What an outbox knows of its webhook's row. */
export interface CircuitState {
  readonly circuit: Circuit;
  /** The row is known to have taken note of the circuit's last change. */
  readonly published: boolean;
  /** As they were last read; null: never. */
  readonly url: string | null;
  readonly status: Status | null;
}

/** Around what is decided: `random` in [0, 1); `speedup`, at least 1, divides every wait. */
interface CircuitInputs {
  readonly now: number;
  readonly random: number;
  readonly speedup: number;
}

/** Each wait for a probe is that much longer than the one before. */
const PROBE_GROWTH = 1.5;
/** A wait is up to this part shorter or longer, within the bounds. */
const PROBE_JITTER = 0.1;

export const CLOSED: Circuit = { kind: "closed", failures: 0 };

/**
 * An attempt has ended. `isProbe`: it began while the circuit was open; others that were still
 * under way then say nothing when they fail.
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

/** Time has passed. */
export function afterTime(circuit: Circuit, now: number, speedup: number): Circuit {
  return circuit.kind === "open" && now >= outageEnd(circuit.since, speedup)
    ? { kind: "given_up" }
    : circuit;
}

/** When an outage that began at `since` is final. */
export function outageEnd(since: number, speedup: number): number {
  return since + Math.floor(WEBHOOK_OUTAGE_MS / speedup);
}

/** What the row's status is to be, unless the caller has disabled the webhook. */
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
 * The row as it was just read meets what is known: what the caller has changed resets the circuit,
 * and what the row has missed is to be published. `released`: deliveries were held and go on now.
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
  return { state: after, released: isHeld(state) && !isHeld(after) };
}

/** Nothing but probes may go out. */
export function isHeld({ circuit, status }: CircuitState): boolean {
  return status === "disabled" || circuit.kind !== "closed";
}

/**
 * The row's status is not what the circuit made it: the caller has set it since. One that the row
 * has not heard of yet is no sign of that.
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
