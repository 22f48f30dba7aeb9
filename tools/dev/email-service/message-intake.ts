// Decides, like the platform, whether the Email Service accepts a message from `send()`. Prepares
// an accepted message for delivery.
import { randomBytes } from "node:crypto";
import type { AccountSuppressions } from "./account-suppressions.ts";
import { checkFields } from "./header-allowlist.ts";
import { addressIn, fieldValue, readMessage, writeMessage } from "./raw-message.ts";
import type { OnboardedNames } from "./onboarded-names.ts";
import { SendRefusal } from "./send-refusal.ts";
import type { SendingQuota } from "./sending-quota.ts";
import type { StoredSettings } from "./service-settings.ts";
import type { ServiceMessage, TakenMessages } from "./taken-messages.ts";
import { zoneIdOf } from "./sending-events.ts";
import { mailboxDomain } from "../../../smtp-gateway/src/smtp/smtp-transaction.ts";

const MESSAGE_BYTES = 5 * 1024 * 1024;
/** The size limit of a message to verified destinations. */
const SILENT_MESSAGE_BYTES = 25 * 1024 * 1024;
const DISABLED = "email.sending.error.email.sending_disabled [10203]";
const ID_CHARACTERS = 36;
const ALPHABET = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789";

export interface IntakeParts {
  readonly messages: TakenMessages;
  readonly suppressions: AccountSuppressions;
  readonly settings: StoredSettings;
  readonly quota: SendingQuota;
  readonly names: OnboardedNames;
}

/** Stores a message. Throws a SendRefusal for a message that the platform would refuse. */
export function takeMessage(
  { messages, suppressions, settings, quota, names }: IntakeParts,
  from: string,
  to: string,
  raw: Buffer,
): ServiceMessage {
  const now = Date.now();
  const domain = mailboxDomain(from);
  if (domain === null) throw new SendRefusal("E_VALIDATION_ERROR", `invalid sender: ${from}`);
  if (mailboxDomain(to) === null)
    throw new SendRefusal("E_VALIDATION_ERROR", `invalid recipient: ${to}`);
  const isSilent = settings.isSilent(to);
  if (raw.length > (isSilent ? SILENT_MESSAGE_BYTES : MESSAGE_BYTES))
    throw new SendRefusal("E_CONTENT_TOO_LARGE", "Email content exceeds the limit of 5 MiB.");
  const message = readMessage(raw);
  const fromField = fieldValue(message, "from");
  if (fromField === undefined) throw new SendRefusal("E_FIELD_MISSING", "Missing From: header");
  if (addressIn(fromField) !== from)
    throw new SendRefusal("E_VALIDATION_ERROR", "From: header does not match mail from");
  const { current } = settings;
  checkFields(message.fields, current.date_and_message_id === "replace");
  checkSender(settings, names, domain, now);
  quota.countRequest(current, now);
  if (current.suppressed === "throw" && suppressions.holds(to, now))
    throw new SendRefusal("E_RECIPIENT_SUPPRESSED", `Recipient ${to} is suppressed.`);
  if (!isSilent) quota.countMessage(current, now);
  const id = newId();
  const messageId = `<${id}@${domain}>`;
  const feedbackId = `${id}:${zoneIdOf(domain)}:email-sending:local`;
  const bytes = writeMessage(message, { messageId, feedbackId, takenAt: new Date(now) });
  const subject = fieldValue(message, "subject") ?? "";
  const mailFrom = `bounces+${id}@cf-bounce.${domain}`;
  const facts = { messageId, mailFrom, sender: from, recipient: to, subject };
  return messages.add(bytes, { ...facts, takenAt: now });
}

function checkSender(
  settings: StoredSettings,
  names: OnboardedNames,
  domain: string,
  now: number,
): void {
  const { domains } = settings.current;
  const isKnown = domains
    ? domains.includes(domain)
    : !settings.isOn("exact_names") || names.has(domain);
  if (!isKnown)
    throw new SendRefusal(
      "E_SENDER_DOMAIN_NOT_AVAILABLE",
      `Domain ${domain} is not available for sending.`,
      names.isBelow(domain) ? `email sending not authorized for subdomain '${domain}'` : undefined,
    );
  if (settings.isOn("late_start") && names.isNew(domain, now))
    throw new SendRefusal("E_SENDER_NOT_VERIFIED", "The sender is not verified yet.", DISABLED);
}

function newId(): string {
  return Array.from(randomBytes(ID_CHARACTERS), (byte) => ALPHABET[byte % ALPHABET.length]).join(
    "",
  );
}
