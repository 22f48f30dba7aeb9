// Sends a stored message again to one of its recipients (contract.md §Sending again). Reads the
// content only after the ledger judged the rate and the idempotency key, just as a send fetches its
// files only then.
import type { ApiRequest, HttpReply } from "../../../endpoint.ts";
import { parseGivenMailbox } from "../../../lib/address.ts";
import { RefusalError } from "../../../refusal.ts";
import { newEmailId } from "../../../lib/ids.ts";
import { type ReadableContent, findContent } from "../../content/readable-content.ts";
import type { Message } from "../../message.ts";
import { notedChange } from "../../../noted-change.ts";
import type { FieldProblems } from "../field-problems.ts";
import { readMembers } from "../fields.ts";
import { givenMembers } from "../../../lib/members/given-members.ts";
import { type JsonBody, readJsonBody } from "../read-json-body.ts";
import { type SendContext, sendContextOf } from "../send-context.ts";
import { requireSendingDomain } from "../sending-domain.ts";
import { abandon, begin } from "../submit/call-ledger.ts";
import type { Judgement } from "../submit/call-room.ts";
import { itemOf } from "../submit/content-storage.ts";
import { claimOf } from "../submit/idempotency-claim.ts";
import { rateHeaders, renderSendReply } from "../submit/send-reply.ts";
import { finish } from "../submit/submit.ts";
import { copyMessage } from "./copied-message.ts";
import { SendAgainRequest } from "./wire.ts";

const NO_BODY = new TextEncoder().encode("{}");

export async function sendAgain(request: ApiRequest): Promise<HttpReply> {
  const audit = notedChange(request, request.id);
  const context = { ...sendContextOf(request), ...(audit && { audit }) };
  const key = request.headers.get("Idempotency-Key");
  const claim = await claimOf(context, key, request.sent ?? request);
  const bytes = request.bytes.length === 0 ? NO_BODY : request.bytes;
  const body = await readJsonBody({ bytes, sent: request.sent });
  request.warnOfIgnored(body.input);
  const beginning = await begin(context, claim);
  if (beginning.kind !== "begun") return renderSendReply(beginning);
  let judgement: Judgement;
  try {
    judgement = await judgeCopy(context, request.id, body);
  } catch (error) {
    // If the message or its content is missing, the ledger stores no answer under the key.
    await abandon(context, { idempotency: claim, lock: beginning.lock });
    if (!(error instanceof RefusalError)) throw error;
    throw new RefusalError(error.refusal, { ...rateHeaders(beginning.rate), ...error.headers });
  }
  return renderSendReply(await finish(context, claim, judgement, beginning));
}

async function judgeCopy(context: SendContext, id: string, body: JsonBody): Promise<Judgement> {
  const { env, sender, now } = context;
  const { problems } = body;
  const { team } = sender;
  if (!body.input) return problems.refusal();
  const found = await findContent(env, team, id, now);
  const recipient = chooseRecipient(found, body);
  const { fromDomain } = found.message;
  const domain =
    recipient !== undefined && (await requireSendingDomain(env, sender, fromDomain, problems));
  if (recipient === undefined || !domain) return problems.refusal();
  const acceptance = { id: newEmailId(now), teamId: team.id, acceptedAt: now, domain };
  const prepared = copyMessage(found, recipient, acceptance, team.ipPools);
  return { kind: "items", items: [itemOf(prepared)] };
}

/** Returns the recipient of the copy. Undefined means that an error was added to the problems. */
function chooseRecipient(
  { message }: Pick<ReadableContent, "message">,
  { input, problems }: JsonBody,
): string | undefined {
  const given = givenMembers(SendAgainRequest, input ?? {}) as Record<string, unknown>;
  const { to } = readMembers(SendAgainRequest, given, "", problems);
  if (problems.count > 0) return undefined;
  return to === undefined
    ? onlyRecipient(message, problems)
    : namedRecipient(message, to, problems);
}

function onlyRecipient({ recipients }: Message, problems: FieldProblems): string | undefined {
  if (recipients.length === 1) return recipients[0];
  problems.invalid("to", `is required, because the message had ${recipients.length} recipients`);
  return undefined;
}

function namedRecipient(message: Message, to: string, problems: FieldProblems): string | undefined {
  const parsed = parseGivenMailbox(to);
  const address = (parsed.kind === "mailbox" ? parsed.mailbox.email : to).toLowerCase();
  const recipient = message.recipients.find((one) => one.toLowerCase() === address);
  if (recipient === undefined) problems.invalid("to", "must be a recipient of the message");
  return recipient;
}
