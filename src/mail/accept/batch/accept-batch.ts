// Accepts a batch over HTTP (contract.md §Batch). As with a single send, everything that needs no
// shared state is judged first. One call to the team's ledger then decides about all entries, so
// that a batch costs one request, is debited as a whole and is replayed as a whole.
import type { ApiRequest, HttpReply } from "../../../endpoint.ts";
import { yieldAfter } from "../../../lib/step-scheduler.ts";
import { type JsonBody, readJsonBody } from "../read-json-body.ts";
import { reportUnknownTemplates } from "../render/unknown-templates.ts";
import { type SendContext, sendContextOf } from "../send-context.ts";
import { claimOf } from "../submit/idempotency-claim.ts";
import type { Judgement } from "../submit/call-room.ts";
import { submit } from "../submit/submit.ts";
import { refusedBodiesOf, validateBatch } from "./batch-entries.ts";
import { itemsOf } from "./batch-items.ts";
import { answerBatch, toUnreachable } from "./batch-reply.ts";
import { renderEntries } from "./render-entries.ts";

/**
 * POST /v1/email/batch: replies with one result for each entry once the entries were judged one by
 * one, or with a validation error of the whole. Throws every other refusal.
 */
export async function acceptBatch(request: ApiRequest): Promise<HttpReply> {
  const context = sendContextOf(request);
  const claim = await claimOf(
    context,
    request.headers.get("Idempotency-Key"),
    request.sent ?? request,
  );
  const body = readJsonBody(request.bytes);
  request.warnOfIgnored(body.input);
  const judgement = await judgeBatch(context, body);
  const outcome = await submit(context, claim, judgement).catch((error: unknown) =>
    toUnreachable(error, judgement),
  );
  return answerBatch(outcome);
}

/**
 * Validates, renders, and looks up the senders' domains, in that order. In a batch every validation
 * failure is a 400 (contract.md §Batch).
 */
async function judgeBatch(
  context: SendContext,
  { input, findings, byteLength }: JsonBody,
): Promise<Judgement> {
  const { sender, now } = context;
  const entries = input && validateBatch(input, sender.team.ipPools, now, findings);
  await yieldAfter(byteLength);
  const refused = input ? refusedBodiesOf(input, entries, findings) : [];
  if (refused.length > 0) await reportUnknownTemplates(context, refused);
  const rendered = entries && (await renderEntries(context, entries, findings));
  const items = rendered && (await itemsOf(context, rendered, findings));
  return items ? { kind: "items", items } : { ...findings.refusal(), status: 400 };
}
