// Takes in a message that the gateway got by SMTP (contract.md §SMTP submission,
// docs/gateway-protocol.md), as accept.ts takes one in over HTTP: the same validators, the same one
// call to the team's ledger, and so the same order of checks, limits, replays and events.
import type { ApiRequest, HttpReply } from "../../../endpoint.ts";
import type { IdempotencyClaim, PreliminaryVerdict } from "../../../ledger/ledger-contract.ts";
import { yieldAfter } from "../../../lib/step-scheduler.ts";
import { newEmailId } from "../../../lib/ids.ts";
import { renderAccepted } from "../accept.ts";
import { claimOf, replyOf } from "../ask-ledger.ts";
import type { Draft } from "../draft.ts";
import { readSubmission } from "./envelope.ts";
import { Findings } from "../findings.ts";
import { type HeaderSection, readHeaderSection } from "./header-section.ts";
import { withCrlfLines } from "./line-ends.ts";
import { requireSendingDomain } from "../sender.ts";
import { idempotencyKeyOf } from "./smtp-options.ts";
import { renderSubmission } from "./smtp-words.ts";
import { validateSubmission } from "./read-submission.ts";
import { submit, submitRefusal } from "../submit.ts";
import { draftOfSubmission } from "./submitted-draft.ts";

type Judged =
  | Extract<PreliminaryVerdict, { kind: "refused" }>
  | { readonly kind: "draft"; readonly draft: Draft };

/** A message that its ledger is to be asked about. */
export interface JudgedSubmission {
  readonly claim: IdempotencyClaim | null;
  readonly judged: Judged;
}

/** POST /gateway/messages: answers as POST /v1/email does. */
export async function acceptSubmission(request: ApiRequest): Promise<HttpReply> {
  return admitSubmission(request, await judgeSubmission(request));
}

export async function admitSubmission(
  request: ApiRequest,
  { claim, judged }: JudgedSubmission,
): Promise<HttpReply> {
  const admission =
    judged.kind === "draft"
      ? await submit(request, claim, [judged.draft])
      : await submitRefusal(request, claim, judged);
  return replyOf(admission, renderAccepted);
}

/**
 * Reads and judges the frame. Throws what is refused without asking the ledger. A message whose
 * header can't be read has no idempotency key.
 */
export async function judgeSubmission(request: ApiRequest): Promise<JudgedSubmission> {
  const { recipients, message } = readSubmission(request.bytes);
  const section = readHeaderSection(withCrlfLines(message));
  await yieldAfter(message.length);
  const claim = await claimOf(
    request,
    section.kind === "header" ? idempotencyKeyOf(section.fields) : null,
  );
  return { claim, judged: await judge(request, recipients, section) };
}

/**
 * Validation, which ends with the rendering; then the sender's domain: a draft, or the refusal to
 * keep.
 */
async function judge(
  request: ApiRequest,
  recipients: readonly string[],
  section: HeaderSection,
): Promise<Judged> {
  const { env, caller, now } = request;
  const findings = new Findings();
  if (section.kind === "malformed") {
    findings.malformed("headers", section.problem);
    return findings.refusal();
  }
  const valid = validateSubmission(recipients, section.fields, caller.team.ipPools, findings);
  const submission = valid && (await renderSubmission(request, valid, section.body, findings));
  await yieldAfter(request.bytes.length);
  const domain =
    submission && (await requireSendingDomain(env, caller, submission.from.domain, findings));
  if (!domain) return findings.refusal();
  const acceptance = { id: newEmailId(now), teamId: caller.team.id, acceptedAt: now, domain };
  return { kind: "draft", draft: draftOfSubmission(submission, acceptance) };
}
