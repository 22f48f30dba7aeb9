// Accepts one send inside a group commit (docs/architecture.md §Admit): debits the quotas, counts
// the labels, and stores the messages and the answer to the Idempotency-Key. The commit stores all
// of this or nothing.
import type { NotedChange } from "../../audit.ts";
import type {
  Admission,
  AdmissionResult,
  AdmitItem,
  AdmitRequest,
  BegunSend,
  Candidate,
  IdempotencyClaim,
} from "../../rpc/ledger-calls.ts";
import type { LedgerChange, ReleasedJob } from "../after-commit.ts";
import { type LargeContent, largeBytesIn } from "../open/large-content.ts";
import type { LedgerCounters, QuotaUse } from "./counters.ts";
import { decideAdmission } from "./decide-items.ts";
import type { IdempotencyKeys } from "./idempotency.ts";

/** The state of a ledger that admission reads and writes (ledger-state.ts). */
export interface AdmissionState {
  readonly counters: LedgerCounters;
  readonly keys: IdempotencyKeys;
  readonly releases: {
    accept(
      candidates: readonly Candidate[],
      uses: ReadonlyMap<string, QuotaUse>,
      perMinute: number,
      now: number,
    ): readonly ReleasedJob[];
  };
  readonly open: { readonly rows: { readonly large: LargeContent } };
  readonly audit: { add(noted: NotedChange | undefined): void };
}

/** Applies `Omit` to each member of a union. */
export type OmitEach<Union, Key extends PropertyKey> = Union extends unknown
  ? Omit<Union, Key>
  : never;

/**
 * Locks the Idempotency-Key of a send, if the send has one, before the send's large content is
 * stored in R2. `lock` is the lock that the send already has, or null.
 */
export function beginSend(
  keys: IdempotencyKeys,
  claim: IdempotencyClaim | null,
  lock: string | null,
  now: number,
): Omit<BegunSend, "rate"> {
  if (!claim) return { kind: "begun", lock: null };
  const held = lock ?? crypto.randomUUID();
  keys.lock(claim, held, now);
  return { kind: "begun", lock: held };
}

export function acceptSend(
  { counters, keys, releases, open, audit: trail }: AdmissionState,
  { policy, idempotency: claim, lock, now, audit }: AdmitRequest,
  items: readonly AdmitItem[],
): LedgerChange<OmitEach<Admission | BegunSend, "rate">> {
  const quotaBefore = counters.quotaFrom(policy.startingCredits);
  const decision = decideAdmission(items, policy, quotaBefore, counters.labels, now);
  if (decision.kind !== "accepted") {
    if (claim && lock !== null) keys.release(claim.key, lock);
    return { result: decision };
  }
  const { queued, quotaState } = decision;
  if (!open.rows.large.hasRoomFor(largeBytesIn(queued)))
    return { result: beginSend(keys, claim, lock, now) };
  const answer: AdmissionResult = { kind: "accepted", createdAt: now, items: decision.items };
  const overage = quotaBefore.overageCredits - quotaState.overageCredits;
  counters.quota = quotaState;
  const uses = counters.usesOf(queued, overage, now);
  counters.saveLabels(counters.labels.use(queued, now));
  const hasAccepted = queued.length > 0;
  const released = hasAccepted
    ? releases.accept(queued, uses, policy.deliveryRatePerMinute, now)
    : [];
  if (claim) keys.answer(claim, answer, now);
  if (audit && hasAccepted) trail.add(audit);
  return { result: { kind: "answered", replayed: false, answer }, released, hasAccepted };
}
