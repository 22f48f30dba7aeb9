// Accepts a message that the gateway received by SMTP (contract.md §SMTP submission,
// docs/gateway-protocol.md). Uses the validators of a send over HTTP and the same call to the
// team's ledger. So SMTP and HTTP have the same order of checks, limits, replays and events.
import type { HttpReply } from "../../../endpoint.ts";
import type { IdempotencyClaim } from "../../../rpc/ledger-calls.ts";
import { yieldAfter } from "../../../lib/step-scheduler.ts";
import { newEmailId } from "../../../lib/ids.ts";
import { FieldProblems } from "../field-problems.ts";
import type { SendContext } from "../send-context.ts";
import { requireSendingDomain } from "../sending-domain.ts";
import { renderSendReply } from "../submit/send-reply.ts";
import { itemOf } from "../submit/content-storage.ts";
import { claimOf } from "../submit/idempotency-claim.ts";
import type { Judgement } from "../submit/call-room.ts";
import { submit } from "../submit/submit.ts";
import { type HeaderSection, readHeaderSection } from "./header-section.ts";
import { toCrlfLines } from "../../../lib/mime/line-ends.ts";
import { renderSubmission } from "./render-submission.ts";
import { readSubmittedTime } from "./send-at.ts";
import { idempotencyKeyOf } from "./smtp-options.ts";
import { prepareSubmission } from "./prepare-submission.ts";
import { identityOf } from "./submission-identity.ts";
import { readFrame, type SubmissionFrame } from "./submission-frame.ts";
import { validateSubmission } from "./validate-submission.ts";

/**
 * The endpoint of a single message. The fingerprint of a message contains this endpoint even in a
 * bundle, so that a message has the same fingerprint alone and in a bundle.
 */
const SUBMISSION_ENDPOINT = { method: "POST", path: "/gateway/messages" } as const;

/** A judged message, which is ready for the call to the ledger. */
export interface JudgedSubmission {
  readonly claim: IdempotencyClaim | null;
  readonly judgement: Judgement;
}

/** Handles POST /gateway/messages: takes a frame, and replies as POST /v1/email does. */
export async function acceptSubmission(
  context: SendContext,
  frame: Uint8Array,
): Promise<HttpReply> {
  const { claim, judgement } = await judgeSubmission(context, frame);
  return renderSendReply(await submit(context, claim, judgement));
}

/**
 * Reads and judges a frame. Throws a refusal that needs no call to the ledger. A message with an
 * unreadable header has no idempotency key.
 */
export async function judgeSubmission(
  context: SendContext,
  frame: Uint8Array,
): Promise<JudgedSubmission> {
  const { message, ...envelope } = readFrame(frame);
  const lined = toCrlfLines(message);
  const section = readHeaderSection(lined);
  await yieldAfter(message.length);
  const key = section.kind === "header" ? idempotencyKeyOf(section.fields) : null;
  const request = await claimOf(context, key, { ...SUBMISSION_ENDPOINT, bytes: frame });
  const claim =
    request && section.kind === "header"
      ? { ...request, submission: await identityOf(envelope, lined, section) }
      : request;
  const judgement = await judgeMessage(context, envelope, section);
  return { claim, judgement };
}

/** Validates the message, then renders it, then looks up the sender's domain. */
async function judgeMessage(
  context: SendContext,
  { recipients, hold }: Pick<SubmissionFrame, "recipients" | "hold">,
  section: HeaderSection,
): Promise<Judgement> {
  const { env, sender, now } = context;
  const problems = new FieldProblems();
  if (section.kind === "malformed") {
    problems.malformed("headers", section.problem);
    return problems.refusal();
  }
  const valid = validateSubmission(recipients, section.fields, sender.team.ipPools, problems);
  const scheduledAt = readSubmittedTime(section.fields, hold, now, problems);
  if (problems.count > 0) return problems.refusal();
  const submission = valid && (await renderSubmission(context, valid, section.body, problems));
  await yieldAfter(section.body.length);
  const domain =
    submission && (await requireSendingDomain(env, sender, submission.from.domain, problems));
  if (!domain) return problems.refusal();
  const acceptance = { id: newEmailId(now), teamId: sender.team.id, acceptedAt: now, domain };
  return { kind: "items", items: [itemOf(prepareSubmission(submission, acceptance, scheduledAt))] };
}
