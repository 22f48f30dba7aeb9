// Returns the reason for which a recipient's job waits, as look-ups show it (contract.md
// §Explanations). Pure.
import type { WaitReason } from "../../rpc/recipient-states.ts";
import { isAsked } from "./asked-job.ts";
import type { Job } from "./job.ts";

/** Returns null for a job that is done. */
export function waitReasonOf(job: Job | undefined, isReleased: boolean): WaitReason | null {
  switch (job?.state) {
    case undefined:
      return isReleased ? "queue" : "rate";
    case "leased":
      return job.postponed === undefined || isAsked(job) ? "attempt" : "courier";
    case "waiting":
      return "retry";
    case "awaiting":
      return "provider";
    case "done":
      return null;
  }
}
