// Accepts one send over HTTP (docs/architecture.md §Accept). The worker first makes all checks that
// need no shared state. Then one call to the team's ledger decides in the order of contract.md
// §Order of checks: a replay or a 429 comes before an error that the first checks found.
import type { ApiRequest, HttpReply } from "../../endpoint.ts";
import type { Admission, IdempotencyClaim } from "../../rpc/ledger-calls.ts";
import { yieldAfter } from "../../lib/step-scheduler.ts";
import { newEmailId } from "../../lib/ids.ts";
import type { Settings } from "../../settings.ts";
import type { FilePaths } from "./attachments.ts";
import { fetchFiles, type FileShare } from "./files/attached-files.ts";
import { FileRequests } from "./files/file-requests.ts";
import { FileRoom } from "./files/file-room.ts";
import { prepareEmail } from "./prepare-message.ts";
import type { FieldProblems } from "./field-problems.ts";
import { type JsonBody, readJsonBody } from "./read-json-body.ts";
import { renderEmails } from "./render/render-emails.ts";
import { refuseUnknownTemplates } from "./render/unknown-templates.ts";
import { type SendContext, sendContextOf } from "./send-context.ts";
import { requireSendingDomain } from "./sending-domain.ts";
import { renderSendReply } from "./submit/send-reply.ts";
import { abandon, begin, unlockSoon } from "./submit/call-ledger.ts";
import { itemOf } from "./submit/content-storage.ts";
import { claimOf } from "./submit/idempotency-claim.ts";
import type { Judgement } from "./submit/call-room.ts";
import { finish, submit } from "./submit/submit.ts";
import { validateEmail, type ValidEmail } from "./validate-email.ts";

/** All sends of an isolate share these two objects. */
const fileRoom = new FileRoom();
const fileRequests = new FileRequests();

interface SendWithFiles extends JsonBody {
  readonly valid: ValidEmail;
  readonly paths: FilePaths;
  readonly settings: Settings;
}

/**
 * Handles POST /v1/email: replies with a 202 or a validation error. Both may be replays. Throws
 * every other refusal.
 */
export async function acceptEmail(request: ApiRequest): Promise<HttpReply> {
  const context = sendContextOf(request);
  const claim = await claimOf(
    context,
    request.headers.get("Idempotency-Key"),
    request.sent ?? request,
  );
  const body = await readJsonBody(request);
  request.warnOfIgnored(body.input);
  const paths: FilePaths = new Map();
  const valid = await validate(context, body, paths);
  if (valid && paths.size > 0) {
    const { settings } = request;
    const submitted = submitWithFiles(context, claim, { ...body, valid, paths, settings });
    // The work continues even if the caller closes the connection, so the send always frees its
    // share of memory.
    context.defer(submitted.catch(() => undefined));
    return renderSendReply(await submitted);
  }
  return renderSendReply(
    await submit(context, claim, await judgeEmail(context, valid, body.problems)),
  );
}

async function validate(
  context: SendContext,
  { input, problems, byteLength }: JsonBody,
  paths: FilePaths,
): Promise<ValidEmail | undefined> {
  const { sender, now } = context;
  const valid = input && validateEmail(input, sender.team.ipPools, now, problems, paths);
  await yieldAfter(byteLength);
  if (input && !valid) await refuseUnknownTemplates(context, [{ input, problems }]);
  return valid;
}

/**
 * Fetches the files of a valid send. First the ledger judges the send's rate and idempotency key,
 * so a refused or repeated send fetches nothing. If the isolate has no memory for the send, or the
 * team may request no more files now, the send is refused like a send over the rate.
 */
async function submitWithFiles(
  context: SendContext,
  claim: IdempotencyClaim | null,
  send: SendWithFiles,
): Promise<Admission> {
  const beginning = await begin(context, claim);
  if (beginning.kind !== "begun") return beginning;
  const key = { idempotency: claim, lock: beginning.lock };
  const { team } = context.sender;
  const now = Date.now();
  const held = fileRoom.enter(team.id, send.byteLength, now);
  try {
    const requests = held && fileRequests.begin(team, send.paths.size, now);
    const judging = requests && judgeWithFiles(context, send, { held, requests });
    const judgement = await judging?.catch((error: unknown) => {
      // If the service could not judge a send, its key becomes free, so that the caller can repeat
      // the send.
      unlockSoon(context, key);
      throw error;
    });
    if (judgement && judgement !== "busy")
      return await finish(context, claim, judgement, beginning);
  } finally {
    held?.leave();
  }
  await abandon(context, key);
  return { kind: "rate_limited", rate: beginning.rate };
}

async function judgeWithFiles(
  context: SendContext,
  { valid, paths, problems, settings }: SendWithFiles,
  share: FileShare,
): Promise<Judgement | "busy"> {
  const files = { attachments: valid.attachments, paths };
  const attachments = await fetchFiles(settings, files, share, problems);
  if (attachments === "busy") return "busy";
  const email = attachments === "refused" ? undefined : { ...valid, attachments };
  return judgeEmail(context, email, problems);
}

/** Renders a valid send, and looks up its sender's domain. */
async function judgeEmail(
  context: SendContext,
  valid: ValidEmail | undefined,
  problems: FieldProblems,
): Promise<Judgement> {
  const { env, sender, now } = context;
  const [email] = (valid && (await renderEmails(context, [{ email: valid, problems }]))) ?? [];
  const domain = email && (await requireSendingDomain(env, sender, email.from.domain, problems));
  if (!domain) return problems.refusal();
  const acceptance = { id: newEmailId(now), teamId: sender.team.id, acceptedAt: now, domain };
  return { kind: "items", items: [itemOf(prepareEmail(email, acceptance))] };
}
