// Composes the copy that a send would have. Does not sign, store or send it. Its tracked links and
// its unsubscribe link have the right length but a wrong signature, so they lead nowhere and count
// nothing.
import { Buffer } from "node:buffer";
import type * as z from "zod";
import { newEmailId } from "../../lib/ids.ts";
import { readMessage } from "../../lib/mime/readable-message.ts";
import { DAY_MS } from "../../limits.ts";
import { settingsOf } from "../../settings.ts";
import { messageOf, type Acceptance } from "../accept/prepare-message.ts";
import type { RenderedEmail } from "../accept/render/render-emails.ts";
import type { SendContext } from "../accept/send-context.ts";
import { prepareSubmission } from "../accept/smtp/prepare-submission.ts";
import type { RenderedSubmission } from "../accept/smtp/render-submission.ts";
import { composeUnsigned } from "../compose/compose.ts";
import { composeUnsignedRaw, prepareRaw } from "../compose/raw.ts";
import { linksOf } from "../deliver/links-of-copy.ts";
import type { Message } from "../message.ts";
import { findTracking, type SendingDomain } from "../../resources/domains/domain-lookups.ts";
import type { EmailCheck } from "./wire.ts";

type CopyShape = NonNullable<z.output<typeof EmailCheck>["copy"]>;

/** A copy, and the host that its clicks lead through. Null means that clicks are not tracked. */
interface CheckedCopy {
  readonly view: CopyShape;
  readonly clickHost: string | null;
}

/** A key in the form of SIGNING_KEY that signs nothing genuine. */
const NO_KEY = "0".repeat(64);
const FIRST_RECIPIENT = 0;

/**
 * Composes the copy of a check. An undefined `domain` means that the sender's domain may not send,
 * so nothing is tracked.
 */
export async function composeChecked(
  context: SendContext,
  email: RenderedEmail,
  domain: SendingDomain | undefined,
): Promise<CheckedCopy> {
  const message = messageOf(email, acceptanceOf(context, email.from.domain, domain));
  const links = await linksFor(context, message);
  const { header, body, content } = await composeUnsigned({
    message,
    content: email,
    recipientIndex: FIRST_RECIPIENT,
    ...links,
  });
  const bytes = header.length + body.length + 2;
  const { text, html } = content;
  const view = { bytes, headers: headersIn(header), text, html };
  return { view, clickHost: clickHostOf(links) };
}

export async function composeCheckedRaw(
  context: SendContext,
  submission: RenderedSubmission,
  domain: SendingDomain | undefined,
): Promise<CheckedCopy> {
  const acceptance = acceptanceOf(context, submission.from.domain, domain);
  const { candidate, content } = prepareSubmission(submission, acceptance);
  const message = JSON.parse(candidate.meta) as Message;
  const links = await linksFor(context, message);
  const copy = await composeUnsignedRaw({
    message,
    prepared: await prepareRaw(content as Uint8Array),
    recipientIndex: FIRST_RECIPIENT,
    links,
  });
  const { text, html } = await readMessage(copy);
  const bytes = Buffer.from(copy.buffer, copy.byteOffset, copy.byteLength);
  const end = bytes.indexOf("\r\n\r\n");
  const headers = headersIn(bytes.toString("latin1", 0, end < 0 ? copy.length : end));
  return { view: { bytes: copy.length, headers, text, html }, clickHost: clickHostOf(links) };
}

function acceptanceOf(
  { sender, now }: SendContext,
  name: string,
  domain: SendingDomain | undefined,
): Acceptance {
  const found = domain ?? { id: "", name };
  return { id: newEmailId(now), teamId: sender.team.id, acceptedAt: now, domain: found };
}

async function linksFor({ env, sender, now }: SendContext, message: Message) {
  const settings = { ...settingsOf(env), signingKey: NO_KEY };
  const ref = {
    teamNumber: sender.team.number,
    emailId: message.id,
    releaseDay: Math.floor(now / DAY_MS),
    recipientIndex: FIRST_RECIPIENT,
  };
  return linksOf(settings, message, ref, () => findTracking(env, message.domainId));
}

function clickHostOf({ tracking }: Awaited<ReturnType<typeof linksFor>>): string | null {
  return tracking?.clicks ? tracking.host : null;
}

/** Returns the fields of a header with one character per octet, unfolded, in their order. */
function headersIn(header: string): CopyShape["headers"] {
  return header
    .split(/\r\n(?![ \t])/)
    .filter((field) => field.includes(":"))
    .map((field) => {
      const colon = field.indexOf(":");
      const value = Buffer.from(field.slice(colon + 1).replaceAll("\r\n", ""), "latin1");
      return { name: field.slice(0, colon), value: value.toString("utf8").trim() };
    });
}
