// Accepts a batch over HTTP (contract.md §Batch). As with a single send, the worker first makes all
// checks that need no shared state. Then one call to the team's ledger decides about all entries,
// so a batch is counted as one request, and is debited and replayed as a whole.
import type { ApiRequest, HttpReply } from "../../../endpoint.ts";
import { yieldAfter } from "../../../lib/step-scheduler.ts";
import { type JsonBody, readJsonBody } from "../read-json-body.ts";
import { refuseUnknownTemplates } from "../render/unknown-templates.ts";
import { type SendContext, sendContextOf } from "../send-context.ts";
import { claimOf } from "../submit/idempotency-claim.ts";
import type { Judgement } from "../submit/call-room.ts";
import { submit } from "../submit/submit.ts";
import { refusedBodiesOf, validateBatch } from "./batch-entries.ts";
import { itemsOf } from "./batch-items.ts";
import { renderBatchReply, toUnreachable } from "./batch-reply.ts";

/**
 * Handles POST /v1/email/batch. Replies with one result for each entry or, if validation refused
 * the whole batch, with a validation error. Throws every other refusal.
 */
export async function acceptBatch(request: ApiRequest): Promise<HttpReply> {
  const context = sendContextOf(request);
  const claim = await claimOf(
    context,
    request.headers.get("Idempotency-Key"),
    request.sent ?? request,
  );
  const body = await readJsonBody(request);
  request.warnOfIgnored(body.input);
  const judgement = await judgeBatch(context, body);
  const outcome = await submit(context, claim, judgement).catch((error: unknown) =>
    toUnreachable(error, judgement),
  );
  return renderBatchReply(outcome);
}

/**
 * Validates the batch, then renders it, then looks up the senders' domains. In a batch, every
 * validation failure is a 400 (contract.md §Batch).
 */
async function judgeBatch(
  context: SendContext,
  { input, problems, byteLength }: JsonBody,
): Promise<Judgement> {
  const { sender, now } = context;
  const entries = input && validateBatch(input, sender.team.ipPools, now, problems);
  await yieldAfter(byteLength);
  const refused = input ? refusedBodiesOf(input, entries, problems) : [];
  if (refused.length > 0) await refuseUnknownTemplates(context, refused);
  const items = entries && (await itemsOf(context, entries, problems));
  return items ? { kind: "items", items } : { ...problems.refusal(), status: 400 };
}
