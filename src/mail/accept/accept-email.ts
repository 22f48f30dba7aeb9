// Accepts one send over HTTP (docs/architecture.md §Accept). First makes all checks that need no
// shared state. Then one call to the team's ledger decides in the order of contract.md §Order of
// checks: a replay or a 429 comes before an error that was found here.
import type { ApiRequest, HttpReply } from "../../endpoint.ts";
import type { Admission, IdempotencyClaim } from "../../rpc/ledger-calls.ts";
import { yieldAfter } from "../../lib/step-scheduler.ts";
import { newEmailId } from "../../lib/ids.ts";
import { settingsOf } from "../../settings.ts";
import { fetchFiles } from "./attached-files.ts";
import type { FilePaths } from "./attachments.ts";
import { prepareEmail } from "./prepare-message.ts";
import type { Findings } from "./findings.ts";
import { type JsonBody, readJsonBody } from "./read-json-body.ts";
import { renderEmails } from "./render/render-emails.ts";
import { refuseUnknownTemplates } from "./render/unknown-templates.ts";
import { type SendContext, sendContextOf } from "./send-context.ts";
import { requireSendingDomain } from "./sending-domain.ts";
import { renderSendReply } from "./submit/send-reply.ts";
import { begin } from "./submit/call-ledger.ts";
import { itemOf } from "./submit/content-storage.ts";
import { claimOf } from "./submit/idempotency-claim.ts";
import type { Judgement } from "./submit/call-room.ts";
import { finish, submit } from "./submit/submit.ts";
import { validateEmail, type ValidEmail } from "./validate-email.ts";

/**
 * POST /v1/email: replies with a 202 or a validation error. Both may be replays. Throws every other
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
  request.warnOfIgnored(body.input);
  const paths: FilePaths = new Map();
  const valid = await validate(context, body, paths);
  if (valid && paths.size > 0)
    return renderSendReply(await submitWithFiles(context, claim, { valid, paths, ...body }));
  return renderSendReply(
    await submit(context, claim, await judgeEmail(context, valid, body.findings)),
  );
}

async function validate(
  context: SendContext,
  { input, findings, byteLength }: JsonBody,
  paths: FilePaths,
): Promise<ValidEmail | undefined> {
  const { sender, now } = context;
  const valid = input && validateEmail(input, sender.team.ipPools, now, findings, paths);
  await yieldAfter(byteLength);
  if (input && !valid) await refuseUnknownTemplates(context, [{ input, findings }]);
  return valid;
}

/**
 * Fetches the files of a valid send, after the ledger judged the send's rate and idempotency key: a
 * refused or repeated send fetches nothing.
 */
async function submitWithFiles(
  context: SendContext,
  claim: IdempotencyClaim | null,
  { valid, paths, findings }: { valid: ValidEmail; paths: FilePaths; findings: Findings },
): Promise<Admission> {
  const beginning = await begin(context, claim);
  if (beginning.kind !== "begun") return beginning;
  const settings = settingsOf(context.env);
  const attachments = await fetchFiles(settings, valid.attachments, paths, findings);
  const email = attachments && { ...valid, attachments };
  return finish(context, claim, await judgeEmail(context, email, findings), beginning);
}

/** Renders a valid send, and looks up its sender's domain. */
async function judgeEmail(
  context: SendContext,
  valid: ValidEmail | undefined,
  findings: Findings,
): Promise<Judgement> {
  const { env, sender, now } = context;
  const [email] = (valid && (await renderEmails(context, [{ email: valid, findings }]))) ?? [];
  const domain = email && (await requireSendingDomain(env, sender, email.from.domain, findings));
  if (!domain) return findings.refusal();
  const acceptance = { id: newEmailId(now), teamId: sender.team.id, acceptedAt: now, domain };
  return { kind: "items", items: [itemOf(prepareEmail(email, acceptance))] };
}
