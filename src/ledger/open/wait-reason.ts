// Returns the reason why a recipient's job waits, as look-ups show it (contract.md §Explanations).
// Pure.
import type { WaitReason } from "../../rpc/recipient-states.ts";
import { isAsked } from "./asked-job.ts";
import { isHeld, type Job } from "./job.ts";

/** Returns the reason why a released job waits. Null means that the job is done. */
export function waitReasonOf(job: Job | undefined): WaitReason | null {
  switch (job?.state) {
    case undefined:
      return "queue";
    case "leased":
      if (isHeld(job)) return "courier";
      return job.postponed === undefined || isAsked(job) ? "attempt" : "courier";
    case "waiting":
      return isHeld(job) ? "courier" : "retry";
    case "awaiting":
      return "provider";
    case "done":
      return null;
  }
}
