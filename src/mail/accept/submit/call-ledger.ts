// Makes the calls to the team's ledger (rpc/ledger-calls.ts). If a ledger can't be reached, the
// answer is a 502 that is safe to retry (contract.md §Errors).
import type {
  Admission,
  AdmitRequest,
  Beginning,
  BegunSend,
  IdempotencyClaim,
  PreliminaryDecision,
} from "../../../rpc/ledger-calls.ts";
import { policyOf } from "../../../ledger/admission/decide-items.ts";
import { rememberSpentRate } from "../../../ledger/admission/spent-rates.ts";
import { logError } from "../../../lib/log.ts";
import { countAccepted } from "../../../metrics/accepted.ts";
import { RefusalError } from "../../../refusal.ts";
import type { SendContext } from "../send-context.ts";
import { recallSends } from "./recall-sends.ts";

export type AdmissionInput = Omit<AdmitRequest, "policy" | "session" | "now">;

/**
 * Returns the input for a send for which begin() was not called. One call to the ledger then checks
 * the rate, locks the idempotency key and decides about the items.
 */
export function wholeAdmission(
  idempotency: IdempotencyClaim | null,
  verdict: PreliminaryDecision,
): AdmissionInput {
  return { idempotency, lock: null, takesRate: true, verdict };
}

/**
 * Asks the ledger to decide. If the answer gets lost, looks the decision up. Throws
 * `pipeline_unavailable`, or `acceptance_unknown` if the look-up fails too.
 */
export async function admit(
  context: SendContext,
  input: AdmissionInput,
): Promise<Admission | BegunSend> {
  const request = toAdmitRequest(input, context);
  let admission: Admission | BegunSend;
  try {
    admission = await ledgerOf(context).admit(request);
  } catch (error) {
    [admission] = (await recallSends(context, [request], error)) as [Admission];
  }
  countAccepted(admission, input.verdict);
  rememberRate(context, admission);
  return admission;
}

/** Asks about several independent sends of one team in one call. admit() asks about one send. */
export async function admitEach(
  context: SendContext,
  inputs: readonly AdmissionInput[],
): Promise<readonly (Admission | BegunSend)[]> {
  const requests = inputs.map((input) => toAdmitRequest(input, context));
  let admissions: readonly (Admission | BegunSend)[];
  try {
    admissions = await ledgerOf(context).admitEach(requests);
  } catch (error) {
    admissions = await recallSends(context, requests, error);
  }
  for (const [index, admission] of admissions.entries()) {
    countAccepted(admission, inputs[index]!.verdict);
    rememberRate(context, admission);
  }
  return admissions;
}

/**
 * Counts the request against the rate limit, and locks the Idempotency-Key if the send has one.
 * Both must happen before content is stored in R2. Throws `pipeline_unavailable`.
 */
export async function begin(
  context: SendContext,
  idempotency: IdempotencyClaim | null,
): Promise<Beginning> {
  const { policy, session, now } = commonInputOf(context);
  if (idempotency) {
    const beginning = await reach<Beginning>(
      context,
      "begin",
      ledgerOf(context).begin(policy, idempotency, now, session),
    );
    rememberRate(context, beginning);
    return beginning;
  }
  const { allowed, rate } = await reach(
    context,
    "takeRequest",
    ledgerOf(context).takeRequest(policy, now, session),
  );
  if (allowed) return { kind: "begun", lock: null, rate };
  const refused = { kind: "rate_limited", rate } as const;
  rememberRate(context, refused);
  return refused;
}

/** Remembers that a rate is used up, so that the next request is refused before it is judged. */
function rememberRate({ sender, now }: SendContext, { kind, rate }: Admission | Beginning): void {
  if (kind === "rate_limited") rememberSpentRate(sender, rate, now);
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

function toAdmitRequest(input: AdmissionInput, context: SendContext): AdmitRequest {
  const { policy, session, now } = commonInputOf(context);
  return { ...input, policy, session, now };
}

/** Returns the part of the ledger's input that depends only on the sender and the time. */
function commonInputOf({ sender, now }: SendContext) {
  return { policy: policyOf(sender.team), session: sender.session, now };
}

function ledgerOf({ env, sender }: SendContext) {
  return env.TEAM_LEDGER.getByName(sender.team.id);
}
