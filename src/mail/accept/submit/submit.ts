// Submits a judged request over HTTP or SMTP to the team's ledger. If the content fits, this takes
// one call. If not, large content is stored in R2 before its message is accepted, and the request
// needs two calls: the first call counts it against the rate limit and locks the idempotency key,
// before any content is written. At the end, the content of messages that were not queued is
// deleted.
import type { Admission, BegunSend, IdempotencyClaim } from "../../../rpc/ledger-calls.ts";
import { RefusalError } from "../../../refusal.ts";
import type { SendContext } from "../send-context.ts";
import { admit, begin, unlockSoon, wholeAdmission } from "./call-ledger.ts";
import { CallRoom, type Judgement } from "./call-room.ts";
import { deleteUnusedContents, storeContents } from "./content-storage.ts";

/** Asks the ledger to accept the request, or to store its refusal. Throws as admit() does. */
export async function submit(
  context: SendContext,
  claim: IdempotencyClaim | null,
  judgement: Judgement,
): Promise<Admission> {
  const whole = new CallRoom().take(judgement);
  const answer = whole
    ? await admit(context, wholeAdmission(claim, whole))
    : await begin(context, claim);
  return answer.kind === "begun" ? finish(context, claim, judgement, answer) : answer;
}

/**
 * Continues a request that the ledger has begun. Stores all large content in R2, then asks the
 * ledger again to accept the request or to store its refusal. Throws as admit() does.
 */
export async function finish(
  context: SendContext,
  claim: IdempotencyClaim | null,
  judgement: Judgement,
  { lock }: BegunSend,
): Promise<Admission> {
  const items = judgement.kind === "items" ? judgement.items : [];
  const verdict =
    judgement.kind === "items"
      ? ({ kind: "items", items: await storeContents(context, items) } as const)
      : judgement;
  // If this call throws, the ledger may have accepted a message that needs the content. So the
  // content stays until the sweep (sweep.ts) removes content that no message needs.
  const input = { idempotency: claim, lock, takesRate: false, verdict };
  const admission = await admit(context, input).catch((error: unknown) => {
    // An overloaded ledger did not take the call, so it did not unlock the key either.
    if (error instanceof RefusalError && error.refusal.code === "overloaded")
      unlockSoon(context, input);
    throw error;
  });
  if (admission.kind === "begun") throw new Error("the ledger refused content that is in R2");
  deleteUnusedContents(context, items, admission);
  return admission;
}
