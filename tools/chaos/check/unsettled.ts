// Describes the work of a round that is still open at the time when the round should be settled.
// Pure.
import type { RemainingState } from "../faulty-worker.ts";
import type { Violation } from "./check.ts";

export function findUnsettled({ ledger, scheduled, batches }: RemainingState): Violation[] {
  return [
    ...(ledger.messages > 0
      ? [`${ledger.messages} messages, ${ledger.jobs} jobs are left in the ledger`]
      : []),
    ...(scheduled > 0 ? ["scheduled messages were not released"] : []),
    ...(ledger.undelivered > 0
      ? [`${ledger.undelivered} events have not reached the webhooks and the suppression list`]
      : []),
    ...(batches > 0 ? [`${batches} batches are left in the webhooks' outboxes`] : []),
  ].map((detail) => ({ rule: "not settled", token: null, detail }));
}
