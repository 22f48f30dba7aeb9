// Takes a send in (docs/architecture.md §Accept): everything that needs no shared state first, then
// one call to the team's ledger, which decides in the order of contract.md §Order of checks; so a
// replay or a 429 comes before an error that was found here.
import type { ApiRequest, HttpReply } from "../../endpoint.ts";
import type { AdmissionAnswer, PreliminaryVerdict } from "../../ledger/ledger-contract.ts";
import { yieldAfter } from "../../lib/step-scheduler.ts";
import { newEmailId } from "../../lib/ids.ts";
import { isJsonObject, parseJson } from "../../lib/json.ts";
import { claimOf, replyOf } from "./ask-ledger.ts";
import { Findings } from "./findings.ts";
import type { JsonObject } from "./fields.ts";
import { type Draft, draftOf } from "./draft.ts";
import { renderEmails } from "./render-emails.ts";
import { requireSendingDomain } from "./sender.ts";
import { submit, submitRefusal } from "./submit.ts";
import { reportUnknownTemplates } from "./unknown-templates.ts";
import { validateEmail } from "./validate-email.ts";

/** Deeper than any body with a meaning, and shallow enough for every recursion after it. */
const JSON_DEPTH = 64;

type Judged =
  | Extract<PreliminaryVerdict, { kind: "refused" }>
  | { readonly kind: "draft"; readonly draft: Draft };

/**
 * POST /v1/email: the reply to what was accepted or is kept for replays; every other refusal is
 * thrown.
 */
export async function acceptEmail(request: ApiRequest): Promise<HttpReply> {
  const claim = await claimOf(request);
  const judged = await judge(request);
  const admission =
    judged.kind === "draft"
      ? await submit(request, claim, [judged.draft])
      : await submitRefusal(request, claim, judged);
  return replyOf(admission, renderAccepted);
}

/**
 * Validation, which ends with the rendering; then the sender's domain: a draft, or the refusal to
 * keep.
 */
async function judge(request: ApiRequest): Promise<Judged> {
  const { env, caller, now } = request;
  const findings = new Findings();
  const input = readObject(request.bytes, findings);
  request.noteIgnored(input);
  const valid = input && validateEmail(input, caller.team.ipPools, findings);
  await yieldAfter(request.bytes.length);
  if (input && !valid) await reportUnknownTemplates(request, [{ input, findings }]);
  const [email] = (valid && (await renderEmails(request, [{ email: valid, findings }]))) ?? [];
  const domain = email && (await requireSendingDomain(env, caller, email.from.domain, findings));
  if (!domain) return findings.refusal();
  return {
    kind: "draft",
    draft: draftOf(email, { id: newEmailId(now), teamId: caller.team.id, acceptedAt: now, domain }),
  };
}

/** The body as a JSON object; undefined when it was reported under `body`. */
export function readObject(bytes: Uint8Array, findings: Findings): JsonObject | undefined {
  const parsed = parseJson(bytes, JSON_DEPTH);
  if (parsed.kind === "value" && isJsonObject(parsed.value)) return parsed.value;
  findings.malformed(
    "body",
    parsed.kind === "malformed" ? parsed.problem : "must be a JSON object",
  );
  return undefined;
}

/** The body of a 202. */
export function renderAccepted({
  createdAt,
  items,
}: Extract<AdmissionAnswer, { kind: "accepted" }>): {
  status: number;
  body: string;
} {
  const [item] = items;
  if (item?.kind !== "queued")
    throw new Error("the ledger accepted a single send without queueing it");
  return {
    status: 202,
    body: JSON.stringify({ id: item.id, created_at: new Date(createdAt).toISOString() }),
  };
}
