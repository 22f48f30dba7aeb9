// Describes what a round left behind that should have been settled. Pure.
import type { Remains } from "../faulty-worker.ts";
import type { Violation } from "./check.ts";

export function findUnsettled({ ledger, scheduled, batches }: Remains): Violation[] {
  return [
    ...(ledger.messages > 0
      ? [`${ledger.messages} messages, ${ledger.jobs} jobs are left in the ledger`]
      : []),
    ...(scheduled > 0 ? ["scheduled messages were not released"] : []),
    ...(ledger.undelivered > 0 ? [`${ledger.undelivered} events are not handed over`] : []),
    ...(batches > 0 ? [`${batches} batches are left in the webhooks' outboxes`] : []),
  ].map((detail) => ({ rule: "not settled", token: null, detail }));
}
