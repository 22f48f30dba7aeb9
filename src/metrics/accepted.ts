// Counts the recipients that a send accepted, by the answer to the send. A replayed answer does not
// count, because its recipients were counted before.
import type { Admission, BegunSend, PreliminaryDecision } from "../rpc/ledger-calls.ts";
import { count } from "./isolate-counts.ts";

export function countAccepted(
  admission: Admission | BegunSend,
  verdict: PreliminaryDecision,
): void {
  if (
    admission.kind !== "answered" ||
    admission.replayed ||
    admission.answer.kind !== "accepted" ||
    verdict.kind !== "items"
  )
    return;
  let recipients = 0;
  for (const [index, item] of verdict.items.entries())
    if (item.kind === "candidate" && admission.answer.items[index]?.kind === "queued")
      recipients += item.candidate.recipientCount;
  if (recipients > 0) count("postern_accepted_total", {}, recipients);
}
