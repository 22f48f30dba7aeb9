// Applies the gateways' responses about copies that they have or may have (docs/architecture.md
// §Ask). Only a copy that no gateway knows is written to disk.
import type {
  MessageToSettle,
  QuestionResults,
  MessagesToSettle,
} from "../../rpc/question-calls.ts";
import type { Grant } from "../../rpc/ledger-calls.ts";
import type { LedgerChange } from "../after-commit.ts";
import { askLater, isAsked, releaseUntaken } from "../open/asked-job.ts";
import { findOpen } from "../open/open-lookups.ts";
import { recordWait } from "../open/room-wait.ts";
import type { OpenMessages } from "../open/open-messages.ts";
import { changeLeased, endOutage } from "./leased-jobs.ts";

/**
 * Applies the gateways' responses. The caller then settles the known outcomes. If no gateway knows
 * an attempt, the alarm releases the attempt again. This is written to disk, because the platform
 * may evict an idle ledger before the alarm. Without the row, each alarm would ask again.
 */
export function recordAskedAttempts(
  open: OpenMessages,
  { underWay, neverHeard, known }: QuestionResults,
  now: number,
): LedgerChange<MessagesToSettle> {
  if (underWay.length + neverHeard.length + known.length > 0) endOutage(open, now);
  changeLeased(open, underWay, false, (job, { host, waitsSince }) =>
    isAsked(job) ? recordWait(askLater(job, host, now, open.waits), waitsSince) : undefined,
  );
  const unheardAgain: Grant[] = [];
  changeLeased(open, neverHeard, true, (job, grant) => {
    if (!isAsked(job)) return undefined;
    const after = releaseUntaken(job, now, open.waits);
    if (after.state === "leased" && (after.postponed ?? 0) > 1) unheardAgain.push(grant);
    return after;
  });
  const unusedContent = open.finish([], now);
  const messages = messagesOf(open, [...known, ...unheardAgain]);
  return { result: { messages, unheardAgain }, unusedContent };
}

function messagesOf(open: OpenMessages, grants: readonly Grant[]): readonly MessageToSettle[] {
  return [...new Set(grants.map(({ emailId }) => emailId))].flatMap((emailId) => {
    const found = findOpen(open, emailId);
    if (!found) return [];
    const { startsAt, meta, heldMs } = found;
    return [{ emailId, startsAt, meta, ...(heldMs !== undefined && { heldMs }) }];
  });
}
