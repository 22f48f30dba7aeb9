// Finds out whether sends were accepted when the call to the ledger failed (contract.md §Statuses):
// the ledger may have stored them, and only its response got lost. The worker made the ids of the
// messages itself, so it can look for the messages. It looks first in the ledger, then in the
// chunks of the history, because the ledger may already have finished the messages.
import type {
  Admission,
  AdmitItem,
  AdmitRequest,
  ItemResult,
  RecalledSend,
} from "../../../rpc/ledger-calls.ts";
import { logError, logWarning, safeMessage } from "../../../lib/log.ts";
import { ledgerOf } from "../../../resources/team-settings/reach-ledger.ts";
import { RefusalError } from "../../../refusal.ts";
import { isOverload } from "../../../rpc/overload.ts";
import { findChunkedMessage } from "../../../resources/events/chunked-message.ts";
import type { SendContext } from "../send-context.ts";
import { FAULT } from "./content-storage.ts";

/**
 * Returns an answer to each request whose call failed with `error`, in order: the acceptance that
 * got lost, or `unavailable`. If the look-up fails too, throws `acceptance_unknown`, or
 * `pipeline_unavailable` if no request had messages to accept. Throws `overloaded` without a
 * look-up if the ledger has too many calls, because such a call never ran.
 */
export async function recallSends(
  context: SendContext,
  requests: readonly AdmitRequest[],
  error: unknown,
): Promise<Admission[]> {
  if (isOverload(error)) throw overload(context);
  try {
    const recalled = await ledgerOf(context.env, context.sender.team).recall(
      requests.map(outlineOf),
    );
    const admissions = await Promise.all(
      requests.map((request, index) => admissionOf(context, request, recalled[index]!)),
    );
    if (admissions.every(({ kind }) => kind === "answered"))
      logWarning("answer_recalled", { ...fieldsOf(context), error: safeMessage(error) });
    else logError("pipeline_unavailable", error, fieldsOf(context));
    return admissions;
  } catch (second) {
    logError("pipeline_unavailable", error, { ...fieldsOf(context), recall: safeMessage(second) });
    const mayBeAccepted = requests.some(({ verdict }) => verdict.kind === "items");
    throw new RefusalError({
      code: mayBeAccepted ? "acceptance_unknown" : "pipeline_unavailable",
    });
  }
}

async function admissionOf(
  context: SendContext,
  { verdict, now }: AdmitRequest,
  { isKnown, items, rate }: RecalledSend,
): Promise<Admission> {
  if (isKnown || (await isPaged(context, items))) {
    const answer = { kind: "accepted", createdAt: now, items } as const;
    return { kind: "answered", rate, replayed: false, answer };
  }
  const given = verdict.kind === "items" ? verdict.items : [];
  const failed = given.map((item) => (item.kind === "failed" ? item : FAULT));
  return { kind: "unavailable", rate, items: failed };
}

/**
 * Returns whether the chunks have the send's first message. A send is accepted as a whole, so one
 * known message means that all were accepted.
 */
async function isPaged(
  { env, sender, now }: SendContext,
  items: readonly ItemResult[],
): Promise<boolean> {
  const first = items.find((item) => item.kind === "queued");
  return (
    first !== undefined && (await findChunkedMessage(env, sender.team, first.id, now)) !== undefined
  );
}

/** Returns the request without its content, which a look-up does not need. */
function outlineOf({ verdict, ...request }: AdmitRequest): AdmitRequest {
  if (verdict.kind !== "items") return { ...request, verdict };
  const items = verdict.items.map((item): AdmitItem =>
    item.kind === "failed"
      ? item
      : {
          kind: "candidate",
          candidate: { ...item.candidate, meta: "", content: null, contentKey: null },
        },
  );
  return { ...request, verdict: { kind: "items", items } };
}

/** Returns the refusal of a call that an overloaded ledger did not take, and logs it. */
export function overload(context: SendContext): RefusalError {
  logWarning("ledger_overloaded", fieldsOf(context));
  return new RefusalError({ code: "overloaded" });
}

function fieldsOf({ sender, requestId }: SendContext) {
  return { request_id: requestId, what: "admit", team_id: sender.team.id };
}
