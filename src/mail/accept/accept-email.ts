// Accepts one send over HTTP (docs/architecture.md §Accept). Everything that needs no shared state
// is judged first; then one call to the team's ledger decides in the order of contract.md §Order of
// checks, so that a replay or a 429 comes before an error that was found here.
import type { ApiRequest, HttpReply } from "../../endpoint.ts";
import { yieldAfter } from "../../lib/step-scheduler.ts";
import { newEmailId } from "../../lib/ids.ts";
import { draftEmail } from "./draft.ts";
import { type JsonBody, readJsonBody } from "./read-json-body.ts";
import { renderEmails } from "./render/render-emails.ts";
import { reportUnknownTemplates } from "./render/unknown-templates.ts";
import { type SendContext, sendContextOf } from "./send-context.ts";
import { requireSendingDomain } from "./sending-domain.ts";
import { answerSend } from "./submit/answer.ts";
import { itemOf } from "./submit/content-storage.ts";
import { claimOf } from "./submit/idempotency-claim.ts";
import type { Judgement } from "./submit/call-room.ts";
import { submit } from "./submit/submit.ts";
import { validateEmail } from "./validate-email.ts";

/**
 * POST /v1/email: replies 202, or with a validation error (new or replayed). Throws every other
 * refusal.
 */
export async function acceptEmail(request: ApiRequest): Promise<HttpReply> {
  const context = sendContextOf(request);
  const claim = await claimOf(
    context,
    request.headers.get("Idempotency-Key"),
    request.sent ?? request,
  );
  const body = readJsonBody(request.bytes);
  request.noteIgnored(body.input);
  const judgement = await judgeEmail(context, body);
  return answerSend(await submit(context, claim, judgement));
}

/** Validates, renders, and looks up the sender's domain, in that order. */
async function judgeEmail(
  context: SendContext,
  { input, findings, byteLength }: JsonBody,
): Promise<Judgement> {
  const { env, sender, now } = context;
  const valid = input && validateEmail(input, sender.team.ipPools, now, findings);
  await yieldAfter(byteLength);
  if (input && !valid) await reportUnknownTemplates(context, [{ input, findings }]);
  const [email] = (valid && (await renderEmails(context, [{ email: valid, findings }]))) ?? [];
  const domain = email && (await requireSendingDomain(env, sender, email.from.domain, findings));
  if (!domain) return findings.refusal();
  const acceptance = { id: newEmailId(now), teamId: sender.team.id, acceptedAt: now, domain };
  return { kind: "items", items: [itemOf(draftEmail(email, acceptance))] };
}
