// Reads the input of a check, up to the mail that would be sent: a send, a published template, a
// template that is not saved, or a whole message. Uses the same code as a send, so a check finds
// the same errors with the same texts.
import { coreFor } from "../../db/client.ts";
import { parseMailbox } from "../../lib/address.ts";
import { decodeBase64 } from "../../lib/crypto/base64.ts";
import { isJsonObject } from "../../lib/json.ts";
import { toCrlfLines } from "../../lib/mime/line-ends.ts";
import { settingsOf } from "../../settings.ts";
import { requireSendingDomain } from "../accept/sending-domain.ts";
import type { FilePaths } from "../accept/attachments.ts";
import { FieldProblems } from "../accept/field-problems.ts";
import { type JsonObject, readMembers } from "../accept/fields.ts";
import { renderPreview } from "../accept/preview/render-preview.ts";
import { PreviewTemplate } from "../accept/preview/wire.ts";
import { type RenderedEmail, renderEmails } from "../accept/render/render-emails.ts";
import { refuseUnknownTemplates } from "../accept/render/unknown-templates.ts";
import type { SendContext } from "../accept/send-context.ts";
import { parseAddressList } from "../accept/smtp/address-list.ts";
import { readHeaderSection } from "../accept/smtp/header-section.ts";
import { type RenderedSubmission, renderSubmission } from "../accept/smtp/render-submission.ts";
import { validateSubmission } from "../accept/smtp/validate-submission.ts";
import { validateEmail } from "../accept/validate-email.ts";
import { readVariables } from "../accept/variables.ts";
import { RECIPIENTS_PER_SEND } from "../../limits.ts";
import type { SendingDomain } from "../../resources/domains/domain-lookups.ts";
import { withFallbacks } from "../../resources/templates/fallbacks.ts";
import { getSendable } from "../../resources/templates/template-cache.ts";
import type { Sendable } from "../../resources/templates/sendable.ts";
import { getTemplate } from "../../resources/templates/store.ts";
import { LINK_VARIABLE } from "../../resources/templates/template-variables.ts";
import type { AuthoredMail } from "../../lint/authored-html.ts";
import { type CheckProblem, refusedProblems, unsavedProblems } from "./refused-problems.ts";

export interface CheckableMail {
  readonly problems: readonly CheckProblem[];
  /** Undefined means that a send would be refused before it has a copy. */
  readonly email?: RenderedEmail | undefined;
  readonly submission?: RenderedSubmission | undefined;
  /** Undefined means that the sender is unknown, or that its domain may not send. */
  readonly domain?: SendingDomain | undefined;
  readonly source: AuthoredMail;
  /** The values of the variables. Null means that nothing is rendered. */
  readonly values: JsonObject | null;
  readonly given: readonly string[];
  /** True if a file of `attachments` has a URL in place of its content. */
  readonly hasPaths: boolean;
}

/** The recipient and sender of a check of a template that does not name them. */
const SOMEBODY = "recipient@example.com";
const NAMELESS = "sender@example.com";

export async function readCheckable(
  context: SendContext,
  body: JsonObject,
): Promise<CheckableMail> {
  const { raw, kind } = body;
  if (typeof raw === "string") return readRaw(context, raw, body);
  if ((kind ?? null) !== null) return readUnsaved(context, body);
  return readSend(context, body);
}

async function readSend(context: SendContext, body: JsonObject): Promise<CheckableMail> {
  const { env, sender, now } = context;
  const problems = new FieldProblems();
  const template = await templateOf(context, body);
  const { template_id: named, to, from } = body;
  const isWhole = typeof named !== "string" || to !== undefined || from !== undefined;
  const input = isWhole ? body : withStandIns(body, template);
  const paths: FilePaths = new Map();
  const valid = validateEmail(input, sender.team.ipPools, now, problems, paths);
  if (!valid) await refuseUnknownTemplates(context, [{ input, problems }]);
  const [email] = (valid && (await renderEmails(context, [{ email: valid, problems }]))) ?? [];
  const domain =
    email && (isWhole || email.from.email !== NAMELESS)
      ? await requireSendingDomain(env, sender, email.from.domain, problems)
      : undefined;
  const given = isJsonObject(body["variables"]) ? body["variables"] : {};
  return {
    problems: refusedProblems(problems),
    email,
    domain,
    source: template ? await templateSource(context, template) : ownSource(body),
    values: valuesOf(context, given, template ?? null, body),
    given: Object.keys(given),
    hasPaths: paths.size > 0,
  };
}

async function templateOf({ env, sender }: SendContext, body: JsonObject) {
  const { template_id: named } = body;
  if (typeof named !== "string") return undefined;
  const found = await getSendable(coreFor(env, sender.team.id), named);
  return typeof found === "object" ? found : undefined;
}

function withStandIns(body: JsonObject, template: Sendable | undefined): JsonObject {
  return {
    to: [SOMEBODY],
    ...(template?.from === null && { from: NAMELESS }),
    ...(template?.subject === null && { subject: "-" }),
    ...body,
  };
}

async function templateSource(
  { env, sender }: SendContext,
  { id, subject, html, text }: Sendable,
): Promise<AuthoredMail> {
  const { markdown } = await getTemplate(coreFor(env, sender.team.id), id);
  return { subject, html, text, markdown, isTextDerived: true };
}

function ownSource({ subject, html, text }: JsonObject): AuthoredMail {
  const part = (value: unknown) => (typeof value === "string" ? value : null);
  return {
    subject: part(subject),
    html: part(html) || null,
    text: part(text),
    markdown: null,
    isTextDerived: false,
  };
}

function valuesOf(
  { env }: Pick<SendContext, "env">,
  given: JsonObject,
  template: Pick<Sendable, "fallbacks"> | null,
  { unsubscribe }: JsonObject,
): JsonObject | null {
  const isGenerated = isJsonObject(unsubscribe) && unsubscribe["mode"] === "generate";
  const values = withFallbacks(given, template?.fallbacks ?? null);
  if (Object.keys(values).length === 0 && !isGenerated) return null;
  return { ...values, [LINK_VARIABLE]: checkLink(env) };
}

/**
 * Returns a link that replaces the unsubscribe link of each recipient in a check. The link leads
 * nowhere.
 */
function checkLink(env: SendContext["env"]): string {
  return `${settingsOf(env).publicUrl}/u/check`;
}

async function readUnsaved(context: SendContext, body: JsonObject): Promise<CheckableMail> {
  const problems = new FieldProblems();
  const members = readMembers(PreviewTemplate, body, "", problems);
  const variables = readVariables(body, problems);
  problems.throwIfAny();
  const { kind = "html", variables: _, ...input } = members;
  const link = checkLink(context.env);
  const preview = await renderPreview({ kind, input, variables, link });
  const { subject, html, text } = preview;
  const email = unsavedEmail(context, { ...body, html, text, subject });
  const sender = email?.from.email === NAMELESS ? undefined : email?.from;
  const domain =
    sender && (await requireSendingDomain(context.env, context.sender, sender.domain, problems));
  return {
    problems: [...unsavedProblems(preview.problems), ...refusedProblems(problems)],
    email,
    domain,
    source: {
      subject: input.subject ?? null,
      html: kind === "markdown" ? html : (input.html ?? null),
      text,
      markdown: kind === "markdown" ? (input.markdown ?? null) : null,
      isTextDerived: true,
    },
    values: { ...withFallbacks(variables, input.fallbacks ?? null), [LINK_VARIABLE]: link },
    given: Object.keys(variables),
    hasPaths: false,
  };
}

/** Makes a mail of the preview, so that its copy is composed by the same code as other copies. */
function unsavedEmail(
  { sender, now }: SendContext,
  { from, html, text, subject }: JsonObject,
): RenderedEmail | undefined {
  const named = typeof from === "string" && parseMailbox(from).kind === "mailbox";
  const input = {
    from: named ? from : NAMELESS,
    to: [SOMEBODY],
    subject: subject ?? "-",
    ...(html !== null && { html }),
    ...(text !== null && { text }),
  };
  const valid = validateEmail(input, sender.team.ipPools, now, new FieldProblems());
  if (!valid?.from) return undefined;
  return {
    ...valid,
    from: valid.from,
    replyTo: [],
    subject: valid.subject ?? "-",
    templateId: null,
    linkPlaceholder: undefined,
  };
}

async function readRaw(
  context: SendContext,
  raw: string,
  { to }: JsonObject,
): Promise<CheckableMail> {
  const { env, sender } = context;
  const problems = new FieldProblems();
  const message = toCrlfLines(octetsOf(raw));
  const section = readHeaderSection(message);
  let submission: RenderedSubmission | undefined;
  if (section.kind === "malformed") problems.malformed("raw", section.problem);
  else {
    const recipients = recipientsOf(to, section.fields);
    const valid = validateSubmission(recipients, section.fields, sender.team.ipPools, problems);
    submission = valid && (await renderSubmission(context, valid, section.body, problems));
  }
  const domain =
    submission && (await requireSendingDomain(env, sender, submission.from.domain, problems));
  const source = { subject: null, html: null, text: null, markdown: null, isTextDerived: false };
  return {
    problems: refusedProblems(problems),
    submission,
    domain,
    source,
    values: null,
    given: [],
    hasPaths: false,
  };
}

/** Returns the octets of a message in text or base64. Only text has the colon of a header field. */
export function octetsOf(raw: string): Uint8Array {
  return (raw.includes(":") ? undefined : decodeBase64(raw)) ?? new TextEncoder().encode(raw);
}

function recipientsOf(
  to: unknown,
  fields: readonly { readonly lowerName: string; readonly value: string }[],
): string[] {
  if (Array.isArray(to)) return to.map(String);
  const named = fields
    .filter(({ lowerName }) => lowerName === "to" || lowerName === "cc")
    .flatMap(({ value }) => parseAddressList(value, RECIPIENTS_PER_SEND))
    .map(({ email }) => email);
  return named.length > 0 ? named : [SOMEBODY];
}
