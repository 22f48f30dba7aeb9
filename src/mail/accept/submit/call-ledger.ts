// Makes the calls to the team's ledger (rpc/ledger-calls.ts). If a ledger can't be reached, the
// error is a 502 that the client may safely repeat. If the ledger has too many calls, the error is
// a 429 (contract.md §Errors).
import type {
  Admission,
  AdmitRequest,
  Beginning,
  BegunSend,
  IdempotencyClaim,
  PreliminaryDecision,
} from "../../../rpc/ledger-calls.ts";
import type { Ledger } from "../../../rpc/ledger.ts";
import { coreWith } from "../../../db/core-shards.ts";
import { policyOf } from "../../../ledger/admission/decide-items.ts";
import { rememberSpentRate } from "../../../ledger/admission/spent-rates.ts";
import { logError } from "../../../lib/log.ts";
import { countAccepted } from "../../../metrics/accepted.ts";
import type { Stub } from "../../../namespace.ts";
import { jurisdictionOf } from "../../../object-of.ts";
import { RefusalError } from "../../../refusal.ts";
import { makeFirstMail } from "../../../regions.ts";
import { forgetTeam } from "../../../resources/api-keys/credentials.ts";
import { ledgerOf } from "../../../resources/team-settings/reach-ledger.ts";
import { recordFirstMail, toCallerTeam } from "../../../resources/team-settings/store.ts";
import type { SendContext } from "../send-context.ts";
import { isOverload } from "../../../rpc/overload.ts";
import { overload, recallSends } from "./recall-sends.ts";

const UNLOCK_AFTER_MS = 400;
/** The wait before the last try to unlock a key. After a minute the lock expires. */
const LAST_UNLOCK_MS = 16 * UNLOCK_AFTER_MS;

type Admissions = readonly (Admission | BegunSend)[];
export type AdmissionInput = Omit<AdmitRequest, "policy" | "session" | "now" | "audit">;

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
 * Asks the ledger to decide. If its response gets lost, looks up the decision. Throws `overloaded`
 * or `pipeline_unavailable` if the ledger did not take the send, and `acceptance_unknown` if the
 * look-up fails too.
 */
export function admit(given: SendContext, input: AdmissionInput): Promise<Admission | BegunSend> {
  const asked = askFor(given, [input], async (ledger, [request]) => [await ledger.admit(request!)]);
  return asked.then(([admission]) => admission!);
}

/**
 * Passes several independent sends of one team to the ledger in one call. admit() passes one send.
 */
export function admitEach(
  given: SendContext,
  inputs: readonly AdmissionInput[],
): Promise<Admissions> {
  return askFor(given, inputs, async (ledger, requests) => ledger.admitEach(requests));
}

async function askFor(
  given: SendContext,
  inputs: readonly AdmissionInput[],
  call: (ledger: Stub<Ledger>, requests: readonly AdmitRequest[]) => Promise<Admissions>,
): Promise<Admissions> {
  const { context, ledger, common } = await openLedger(given);
  const { audit } = context;
  const requests = inputs.map((input) => ({ ...input, ...common, ...(audit && { audit }) }));
  const admissions = await call(ledger, requests).catch((error: unknown) =>
    recallSends(context, requests, error),
  );
  for (const [index, admission] of admissions.entries()) {
    countAccepted(admission, inputs[index]!.verdict);
    rememberRate(context, admission);
  }
  return admissions;
}

/**
 * Counts the request against the rate limit, and locks the Idempotency-Key if the send has one.
 * Both must happen before content is stored in R2. Throws `overloaded` or `pipeline_unavailable` if
 * the ledger takes no call now.
 */
export async function begin(
  given: SendContext,
  idempotency: IdempotencyClaim | null,
): Promise<Beginning> {
  const { context, ledger, common } = await openLedger(given);
  const { policy, session, now } = common;
  if (idempotency) {
    const beginning = await reach<Beginning>(
      context,
      "begin",
      ledger.begin(policy, idempotency, now, session),
    );
    rememberRate(context, beginning);
    return beginning;
  }
  const { allowed, rate } = await reach(
    context,
    "takeRequest",
    ledger.takeRequest(policy, now, session),
  );
  if (allowed) return { kind: "begun", lock: null, rate };
  const refused = { kind: "rate_limited", rate } as const;
  rememberRate(context, refused);
  return refused;
}

/**
 * Frees the Idempotency-Key that begin() locked, after the response. The first try waits less than
 * the `Retry-After` of an overloaded ledger. Each further try waits twice as long.
 */
export function unlockSoon(
  context: SendContext,
  { idempotency, lock }: Pick<AdmissionInput, "idempotency" | "lock">,
): void {
  if (idempotency && lock !== null) context.defer(unlock(context, idempotency.key, lock));
}

async function unlock(context: SendContext, key: string, lock: string): Promise<void> {
  for (let waitMs = UNLOCK_AFTER_MS; waitMs <= LAST_UNLOCK_MS; waitMs *= 2) {
    await scheduler.wait(waitMs * (1 + Math.random()));
    try {
      return await ledgerOf(context.env, context.sender.team).abandon(key, lock);
    } catch (error) {
      if (isOverload(error)) continue;
      return logError("idempotency_key_locked", error, { team_id: context.sender.team.id });
    }
  }
}

/**
 * Gives up a send after begin(), so that a repetition with its key is judged again. If the ledger
 * can't be reached, throws as begin() does, and frees the key after the response.
 */
export async function abandon(
  context: SendContext,
  { idempotency, lock }: Pick<AdmissionInput, "idempotency" | "lock">,
): Promise<void> {
  if (!idempotency || lock === null) return;
  const call = ledgerOf(context.env, context.sender.team).abandon(idempotency.key, lock);
  await reach(context, "abandon", call).catch((error: unknown) => {
    unlockSoon(context, { idempotency, lock });
    throw error;
  });
}

/**
 * Opens the ledger, with the input that all calls of a send have in common. The first call creates
 * the ledger near the caller of this send, so the team's first mail is recorded before that call
 * (docs/near-its-users.md §What decides).
 */
async function openLedger(given: SendContext) {
  const context = given.sender.team.firstMail ? given : await noteFirstMail(given);
  const { env, sender, now } = context;
  const common = { policy: policyOf(sender.team), session: sender.session, now };
  return { context, ledger: ledgerOf(env, sender.team), common };
}

/**
 * Records the team's first mail. Returns the context with the team's new row. Throws
 * `pipeline_unavailable` if the database does not respond or the team was deleted.
 */
async function noteFirstMail(context: SendContext): Promise<SendContext> {
  const { env, sender, now, location } = context;
  const { id, region } = sender.team;
  const note = makeFirstMail(region, location(), jurisdictionOf(env), now);
  const row = await recordFirstMail(coreWith(env, id), id, note).catch((error: unknown) => {
    throw new RefusalError({ code: "pipeline_unavailable" }, {}, error);
  });
  if (!row)
    throw new RefusalError({ code: "pipeline_unavailable" }, {}, new Error(`${id} was deleted`));
  forgetTeam(id);
  return { ...context, sender: { ...sender, team: toCallerTeam(row) } };
}

/** Remembers that a rate is used up, so that the next request is refused before it is judged. */
function rememberRate({ sender, now }: SendContext, { kind, rate }: Admission | Beginning): void {
  if (kind === "rate_limited") rememberSpentRate(sender, rate, now);
}

async function reach<Result>(
  context: SendContext,
  what: string,
  call: Promise<Result>,
): Promise<Result> {
  try {
    return await call;
  } catch (error) {
    if (isOverload(error)) throw overload(context);
    const { sender, requestId } = context;
    logError("pipeline_unavailable", error, {
      request_id: requestId,
      what,
      team_id: sender.team.id,
    });
    throw new RefusalError({ code: "pipeline_unavailable" });
  }
}
