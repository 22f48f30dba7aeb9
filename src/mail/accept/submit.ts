// Asks the team's ledger (ledger/ledger-contract.ts), once for a send of ordinary size. Large
// content must be stored before its message is, so such a send begins first: it takes the rate and
// the idempotency lock before a byte is written, and leaves nothing behind when it is not accepted.
import type { ApiRequest } from "../../endpoint.ts";
import type {
  Admission,
  AdmitRequest,
  Beginning,
  IdempotencyClaim,
  RateState,
  PreliminaryVerdict,
} from "../../ledger/ledger-contract.ts";
import { policyOf } from "../../ledger/admission.ts";
import { rateHeaders } from "../../ledger/rate.ts";
import { logError } from "../../lib/log.ts";
import { countAccepted } from "../../metrics/accepted.ts";
import { RefusalError } from "../../refusal.ts";
import { deleteContents, fitsInline, itemOf, putContents } from "./message-content.ts";
import type { Draft } from "./draft.ts";

interface Begun {
  readonly kind: "begun";
  /** Null without an idempotency key: there is nothing to lock. */
  readonly lock: string | null;
  readonly rate: RateState;
}

/** Submits messages that passed every check outside the ledger. Throws `pipeline_unavailable`. */
export async function submit(
  request: ApiRequest,
  idempotency: IdempotencyClaim | null,
  drafts: readonly Draft[],
): Promise<Admission> {
  const verdict: PreliminaryVerdict = { kind: "items", items: drafts.map(itemOf) };
  const large = drafts.filter((draft) => !fitsInline(draft));
  if (large.length === 0) return admit(request, wholeQuestion(idempotency, verdict));

  const beginning = await begin(request, idempotency);
  if (beginning.kind !== "begun") return beginning;
  await store(request, idempotency, beginning, large);
  // When this throws, the answer may have got lost behind a commit: the contents stay, for the
  // sweep by age.
  const admission = await admit(request, {
    idempotency,
    lock: beginning.lock,
    takesRate: false,
    verdict,
  });
  if (!isStored(admission)) request.defer(deleteContents(request.env.CONTENT, large));
  return admission;
}

/**
 * Tells the ledger of a refusal, which it keeps for replays unless the rate or an earlier request
 * comes first.
 */
export async function submitRefusal(
  request: ApiRequest,
  idempotency: IdempotencyClaim | null,
  verdict: Extract<PreliminaryVerdict, { kind: "refused" }>,
): Promise<Admission> {
  return admit(request, wholeQuestion(idempotency, verdict));
}

/**
 * Writes the contents; when that fails, frees the idempotency key for a retry and removes what was
 * written.
 */
async function store(
  request: ApiRequest,
  idempotency: IdempotencyClaim | null,
  { lock, rate }: Begun,
  large: readonly Draft[],
): Promise<void> {
  try {
    await putContents(request.env.CONTENT, large);
  } catch (error) {
    request.defer(deleteContents(request.env.CONTENT, large));
    if (idempotency && lock !== null)
      await reach(request, "abandon", ledgerOf(request).abandon(idempotency.key, lock));
    throw unavailable(request, "content", error, rateHeaders(rate));
  }
}

export type AdmissionQuestion = Omit<AdmitRequest, "policy" | "now">;

/** Of a send before which nothing was taken or stored: all is decided in the one call. */
export function wholeQuestion(
  idempotency: IdempotencyClaim | null,
  verdict: PreliminaryVerdict,
): AdmissionQuestion {
  return { idempotency, lock: null, takesRate: true, verdict };
}

/**
 * Several sends of one team, each for itself, in one call. None may have large content. Throws
 * `pipeline_unavailable`, for all of them.
 */
export async function admitEach(
  request: ApiRequest,
  questions: readonly AdmissionQuestion[],
): Promise<readonly Admission[]> {
  const { caller, now } = request;
  const policy = policyOf(caller.team);
  const asked = questions.map((question) => ({ ...question, policy, now }));
  const admissions = await reach<readonly Admission[]>(
    request,
    "admit",
    ledgerOf(request).admitEach(asked),
  );
  for (const [index, admission] of admissions.entries())
    countAccepted(admission, asked[index]!.verdict);
  return admissions;
}

/** The one call that decides. Throws `pipeline_unavailable`. */
export async function admit(request: ApiRequest, question: AdmissionQuestion): Promise<Admission> {
  const { caller, now } = request;
  const admission = await reach<Admission>(
    request,
    "admit",
    ledgerOf(request).admit({ ...question, policy: policyOf(caller.team), now }),
  );
  countAccepted(admission, question.verdict);
  return admission;
}

/**
 * Takes the rate, and the lock where there is a key to lock: for what must be stored elsewhere
 * before admit(). Throws `pipeline_unavailable`.
 */
export async function begin(
  request: ApiRequest,
  idempotency: IdempotencyClaim | null,
): Promise<Beginning | Begun> {
  const { caller, now } = request;
  const policy = policyOf(caller.team);
  if (idempotency)
    return reach<Beginning>(request, "begin", ledgerOf(request).begin(policy, idempotency, now));
  const { allowed, rate } = await reach(
    request,
    "takeRequest",
    ledgerOf(request).takeRequest(policy, now),
  );
  return allowed ? { kind: "begun", lock: null, rate } : { kind: "rate_limited", rate };
}

/** Whether the contents that were written belong to stored messages now. */
function isStored(admission: Admission): boolean {
  return (
    admission.kind === "answered" && !admission.replayed && admission.answer.kind === "accepted"
  );
}

/**
 * A ledger that can't be reached is the one fault with an answer of its own: a 502, safe to retry.
 */
async function reach<Result>(
  request: ApiRequest,
  what: string,
  call: Promise<Result>,
): Promise<Result> {
  try {
    return await call;
  } catch (error) {
    throw unavailable(request, what, error);
  }
}

function unavailable(
  { caller, requestId }: ApiRequest,
  what: string,
  error: unknown,
  headers: Readonly<Record<string, string>> = {},
): RefusalError {
  logError("pipeline_unavailable", error, { request_id: requestId, what, team_id: caller.team.id });
  return new RefusalError({ code: "pipeline_unavailable" }, headers);
}

function ledgerOf({ env, caller }: ApiRequest) {
  return env.TEAM_LEDGER.getByName(caller.team.id);
}
