// Makes the calls to the team's ledger (rpc/ledger-calls.ts). A ledger that can't be
// reached is a 502 that is safe to retry (contract.md §Errors).
import type {
  Admission,
  AdmitRequest,
  Beginning,
  Begun,
  IdempotencyClaim,
  PreliminaryVerdict,
} from "../../../rpc/ledger-calls.ts";
import { policyOf } from "../../../ledger/admission/decide-items.ts";
import { noteSpentRate } from "../../../ledger/admission/spent-rates.ts";
import { logError } from "../../../lib/log.ts";
import { countAccepted } from "../../../metrics/accepted.ts";
import { RefusalError } from "../../../refusal.ts";
import type { SendContext } from "../send-context.ts";
import { recallSends } from "./recall-sends.ts";

export type AdmissionQuestion = Omit<AdmitRequest, "policy" | "session" | "now">;

/** The question about a send that began no earlier: one call decides its rate, lock and items. */
export function wholeQuestion(
  idempotency: IdempotencyClaim | null,
  verdict: PreliminaryVerdict,
): AdmissionQuestion {
  return { idempotency, lock: null, takesRate: true, verdict };
}

/**
 * Asks the ledger to decide. A decision whose answer got lost is looked up. Throws
 * `pipeline_unavailable`, or `acceptance_unknown` when the look-up fails too.
 */
export async function admit(
  context: SendContext,
  question: AdmissionQuestion,
): Promise<Admission | Begun> {
  const request = withAsker(question, context);
  let admission: Admission | Begun;
  try {
    admission = await ledgerOf(context).admit(request);
  } catch (error) {
    [admission] = (await recallSends(context, [request], error)) as [Admission];
  }
  countAccepted(admission, question.verdict);
  noteRate(context, admission);
  return admission;
}

/** Asks about several independent sends of one team in one call, as admit() does for one. */
export async function admitEach(
  context: SendContext,
  questions: readonly AdmissionQuestion[],
): Promise<readonly (Admission | Begun)[]> {
  const requests = questions.map((question) => withAsker(question, context));
  let admissions: readonly (Admission | Begun)[];
  try {
    admissions = await ledgerOf(context).admitEach(requests);
  } catch (error) {
    admissions = await recallSends(context, requests, error);
  }
  for (const [index, admission] of admissions.entries()) {
    countAccepted(admission, questions[index]!.verdict);
    noteRate(context, admission);
  }
  return admissions;
}

/**
 * Takes the rate, and the lock where there is a key to lock, before content is stored outside the
 * ledger. Throws `pipeline_unavailable`.
 */
export async function begin(
  context: SendContext,
  idempotency: IdempotencyClaim | null,
): Promise<Beginning> {
  const { policy, session, now } = askerOf(context);
  if (idempotency) {
    const beginning = await reach<Beginning>(
      context,
      "begin",
      ledgerOf(context).begin(policy, idempotency, now, session),
    );
    noteRate(context, beginning);
    return beginning;
  }
  const { allowed, rate } = await reach(
    context,
    "takeRequest",
    ledgerOf(context).takeRequest(policy, now, session),
  );
  if (allowed) return { kind: "begun", lock: null, rate };
  const refused = { kind: "rate_limited", rate } as const;
  noteRate(context, refused);
  return refused;
}

/** Remembers a refusal by the rate, so that the next request is refused before it is judged. */
function noteRate({ sender, now }: SendContext, { kind, rate }: Admission | Beginning): void {
  if (kind === "rate_limited") noteSpentRate(sender, rate, now);
}

async function reach<Result>(
  { sender, requestId }: SendContext,
  what: string,
  call: Promise<Result>,
): Promise<Result> {
  try {
    return await call;
  } catch (error) {
    const { id } = sender.team;
    logError("pipeline_unavailable", error, { request_id: requestId, what, team_id: id });
    throw new RefusalError({ code: "pipeline_unavailable" });
  }
}

function withAsker(question: AdmissionQuestion, context: SendContext): AdmitRequest {
  const { policy, session, now } = askerOf(context);
  return { ...question, policy, session, now };
}

/** The part of a question that its sender and its time make up. */
function askerOf({ sender, now }: SendContext) {
  return { policy: policyOf(sender.team), session: sender.session, now };
}

function ledgerOf({ env, sender }: SendContext) {
  return env.TEAM_LEDGER.getByName(sender.team.id);
}
