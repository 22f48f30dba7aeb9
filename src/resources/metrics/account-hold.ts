// Decides for the whole deployment which ledger may probe a held account (docs/architecture.md
// §Hold). Each ledger whose mail the hold stops asks from time to time. One copy is offered at a
// time, so that ten thousand ledgers do not probe an empty quota each. Pure.
import { MINUTE_MS, SECOND_MS } from "../../limits.ts";
import type { ProbePermit, ProbeRequest, ActiveHold, HoldCode } from "../../rpc/holds.ts";

/** Time between two probes. A used-up quota returns at an unknown time, mostly hours later. */
const PROBE_MS = 20 * SECOND_MS;
const QUOTA_PROBE_MS = 5 * MINUTE_MS;
/** Maximum time until a ledger asks again, so that it soon learns that the hold is over. */
const ASK_MS = 30 * SECOND_MS;
const SHORTEST_MS = SECOND_MS;

export interface AccountState {
  /** Null: the account may send. */
  readonly hold: ActiveHold | null;
  /** When a copy last showed that the account may send, Unix milliseconds; 0: never. */
  readonly freedAt: number;
  /** When a ledger may probe next, Unix milliseconds. */
  readonly probeAt: number;
}

export const FREE: AccountState = { hold: null, freedAt: 0, probeAt: 0 };

/** Answers a ledger's question, and returns the new state. `speedup`: divisor of all waits. */
export function permitProbe(
  { hold, freedAt, probeAt }: AccountState,
  { hold: asked, refusedAt }: ProbeRequest,
  now: number,
  speedup: number,
): [AccountState, ProbePermit] {
  if (refusedAt <= freedAt) return [{ hold, freedAt, probeAt }, { kind: "free" }];
  const held = { ...asked, since: Math.min(asked.since, hold?.since ?? asked.since) };
  const probeMs = waitOf(asked.code) / speedup;
  const dueAt = hold ? probeAt : refusedAt + probeMs;
  if (now >= dueAt) return [{ hold: held, freedAt, probeAt: now + probeMs }, { kind: "probe" }];
  const waitMs = Math.max(SHORTEST_MS / speedup, Math.min(dueAt - now, ASK_MS / speedup));
  return [
    { hold: held, freedAt, probeAt: dueAt },
    { kind: "wait", waitMs },
  ];
}

function waitOf(code: HoldCode): number {
  return code === "quota_used_up" ? QUOTA_PROBE_MS : PROBE_MS;
}
