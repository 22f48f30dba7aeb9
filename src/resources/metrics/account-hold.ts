// Decides for the whole deployment which ledger may send a probe while a hold blocks the account
// (docs/architecture.md §Hold). A probe is a copy that tests whether the hold is over. Each ledger
// with blocked mail asks from time to time for permission. Only one probe is allowed at a time.
// Otherwise ten thousand ledgers might each send a probe against an empty quota. Pure.
import { MINUTE_MS, SECOND_MS } from "../../limits.ts";
import type { ProbePermit, ProbeRequest, ActiveHold, HoldCode } from "../../rpc/holds.ts";

/**
 * Time between two probes. It is longer for a used-up quota, which is usually renewed hours later,
 * at an unknown time.
 */
const PROBE_MS = 20 * SECOND_MS;
const QUOTA_PROBE_MS = 5 * MINUTE_MS;
/** Maximum time until a ledger asks again, so that it soon detects the end of the hold. */
const ASK_MS = 30 * SECOND_MS;
const SHORTEST_MS = SECOND_MS;

export interface AccountState {
  /** Null: no hold blocks the account. */
  readonly hold: ActiveHold | null;
  /** When the provider last accepted a copy after a hold, Unix milliseconds. 0: it never has. */
  readonly freedAt: number;
  /** When a ledger may send the next probe, Unix milliseconds. */
  readonly probeAt: number;
}

export const FREE: AccountState = { hold: null, freedAt: 0, probeAt: 0 };

/** Returns the answer to a ledger's request, and the new state. `speedup` divides all waits. */
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
