// Takes a batch in (contract.md §Batch), as accept.ts takes in one send: everything that needs no
// shared state first, then one call to the team's ledger for all of it, so that a batch costs one
// request, is debited as a whole and is replayed as a whole.
import type { ApiRequest, HttpReply } from "../../../endpoint.ts";
import type { PreliminaryVerdict } from "../../../ledger/ledger-contract.ts";
import { yieldAfter } from "../../../lib/step-scheduler.ts";
import { readObject } from "../accept.ts";
import { claimOf } from "../ask-ledger.ts";
import { validateBatch, wordsOf } from "./batch-entries.ts";
import { type BatchItem, itemsOf } from "./batch-items.ts";
import { renderEntries } from "./batch-rendering.ts";
import { batchReply } from "./batch-reply.ts";
import { submitBatch } from "./batch-submit.ts";
import { Findings } from "../findings.ts";
import { submitRefusal } from "../submit.ts";
import { reportUnknownTemplates } from "../unknown-templates.ts";

type Judged =
  | Extract<PreliminaryVerdict, { kind: "refused" }>
  | { readonly kind: "items"; readonly items: readonly BatchItem[] };

/**
 * POST /v1/email/batch: the batch's own shape whenever its items were judged one by one; every
 * other refusal is thrown.
 */
export async function acceptBatch(request: ApiRequest): Promise<HttpReply> {
  const claim = await claimOf(request);
  const judged = await judge(request);
  return batchReply(
    judged.kind === "items"
      ? await submitBatch(request, claim, judged.items)
      : await submitRefusal(request, claim, judged),
  );
}

/**
 * Validation, which ends with the rendering; then the senders' domains. In a batch every validation
 * failure is a 400 (contract.md §Batch).
 */
async function judge(request: ApiRequest): Promise<Judged> {
  const findings = new Findings();
  const input = readObject(request.bytes, findings);
  request.noteIgnored(input);
  const entries = input && validateBatch(input, request.caller.team.ipPools, findings);
  await yieldAfter(request.bytes.length);
  if (input && !entries) await reportUnknownTemplates(request, wordsOf(input, findings));
  const rendered = entries && (await renderEntries(request, entries, findings));
  const items = rendered && (await itemsOf(request, rendered, findings));
  return items ? { kind: "items", items } : { ...findings.refusal(), status: 400 };
}
