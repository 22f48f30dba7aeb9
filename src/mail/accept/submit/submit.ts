// Submits a judged request to the team's ledger, whichever door it came through: one call for
// content of ordinary size. Large content must be stored before its message is, so such a request
// begins first: it takes the rate and the idempotency lock before a byte is written, and its
// contents are removed again unless their messages are queued.
import type {
  Admission,
  IdempotencyClaim,
  PreliminaryVerdict,
} from "../../../contracts/ledger-contract.ts";
import type { SendContext } from "../send-context.ts";
import { admit, begin, wholeQuestion } from "./ask-ledger.ts";
import { areSmall, deleteUnusedContents, type SendItem, storeContents } from "./content-storage.ts";

/** The result of every check outside the ledger: a refusal to keep for replays, or messages. */
export type Judgement =
  | Extract<PreliminaryVerdict, { kind: "refused" }>
  | { readonly kind: "items"; readonly items: readonly SendItem[] };

/** A judgement that one call to the ledger settles, since no content must be stored first. */
export type SmallJudgement = Extract<PreliminaryVerdict, { kind: "refused" | "items" }>;

export function isSmall(judgement: Judgement): judgement is SmallJudgement {
  return judgement.kind === "refused" || areSmall(judgement.items);
}

/** Asks the ledger to accept the request, or to keep its refusal. Throws `pipeline_unavailable`. */
export async function submit(
  context: SendContext,
  claim: IdempotencyClaim | null,
  judgement: Judgement,
): Promise<Admission> {
  if (isSmall(judgement)) return admit(context, wholeQuestion(claim, judgement));
  const { items } = judgement;
  const beginning = await begin(context, claim);
  if (beginning.kind !== "begun") return beginning;
  const stored = await storeContents(context, items);
  // When this call throws, the ledger may have committed and only its answer got lost. So the
  // contents stay, and the sweep removes them by age if no message needs them.
  const admission = await admit(context, {
    idempotency: claim,
    lock: beginning.lock,
    takesRate: false,
    verdict: { kind: "items", items: stored },
  });
  deleteUnusedContents(context, items, admission);
  return admission;
}
