// Submits a judged request to the team's ledger, whichever door it came through: one call, if the
// content fits the ledger. Other large content must be stored in R2 before its message is accepted,
// so such a request begins first: it takes the rate and the idempotency lock before a byte is
// written, and its contents are removed again unless their messages are queued.
import type { Admission, Beginning, IdempotencyClaim } from "../../../rpc/ledger-calls.ts";
import type { SendContext } from "../send-context.ts";
import { admit, begin, wholeQuestion } from "./ask-ledger.ts";
import { CallRoom, type Judgement } from "./call-room.ts";
import { deleteUnusedContents, storeContents } from "./content-storage.ts";

/** Asks the ledger to accept the request, or to keep its refusal. Throws as admit() does. */
export async function submit(
  context: SendContext,
  claim: IdempotencyClaim | null,
  judgement: Judgement,
): Promise<Admission> {
  const whole = new CallRoom().take(judgement);
  const answer = whole
    ? await admit(context, wholeQuestion(claim, whole))
    : await begin(context, claim);
  return finish(context, claim, judgement, answer);
}

/**
 * Continues a request from the ledger's first answer. `begun`: all its large content is stored in
 * R2, and the ledger is asked again, also to keep a refusal. Throws as admit() does.
 */
export async function finish(
  context: SendContext,
  claim: IdempotencyClaim | null,
  judgement: Judgement,
  answer: Admission | Beginning,
): Promise<Admission> {
  if (answer.kind !== "begun") return answer;
  const items = judgement.kind === "items" ? judgement.items : [];
  const verdict =
    judgement.kind === "items"
      ? ({ kind: "items", items: await storeContents(context, items) } as const)
      : judgement;
  // When this call throws, nothing can tell whether a message needs the contents. So they stay, and
  // the sweep removes them by age if none does.
  const admission = await admit(context, {
    idempotency: claim,
    lock: answer.lock,
    takesRate: false,
    verdict,
  });
  if (admission.kind === "begun") throw new Error("the ledger refused content that is in R2");
  deleteUnusedContents(context, items, admission);
  return admission;
}
