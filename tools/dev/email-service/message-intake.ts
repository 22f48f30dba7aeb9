// Decides, like the platform, whether the Email Service accepts a message from `send()`. Prepares
// an accepted message for delivery.
import { randomBytes } from "node:crypto";
import type { AccountSuppressions } from "./account-suppressions.ts";
import { checkFields } from "./header-allowlist.ts";
import { addressIn, fieldValue, readMessage, writeMessage } from "./raw-message.ts";
import { SendRefusal } from "./send-refusal.ts";
import type { SendingQuota } from "./sending-quota.ts";
import type { StoredSettings } from "./service-settings.ts";
import type { ServiceMessage, TakenMessages } from "./taken-messages.ts";
import { zoneIdOf } from "./sending-events.ts";
import { mailboxDomain } from "../../../smtp-gateway/src/smtp/smtp-transaction.ts";

/** 5 MiB. */
const MESSAGE_BYTES = 5 * 1024 * 1024;
const ID_CHARACTERS = 36;
const ALPHABET = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789";

export interface IntakeParts {
  readonly messages: TakenMessages;
  readonly suppressions: AccountSuppressions;
  readonly settings: StoredSettings;
  readonly quota: SendingQuota;
}

/** Accepts and stores a message. Throws a SendRefusal. */
export function takeMessage(
  { messages, suppressions, settings, quota }: IntakeParts,
  from: string,
  to: string,
  raw: Buffer,
): ServiceMessage {
  const now = Date.now();
  const domain = mailboxDomain(from);
  if (domain === null) throw new SendRefusal("E_VALIDATION_ERROR", `invalid sender: ${from}`);
  if (mailboxDomain(to) === null)
    throw new SendRefusal("E_VALIDATION_ERROR", `invalid recipient: ${to}`);
  if (raw.length > MESSAGE_BYTES)
    throw new SendRefusal("E_CONTENT_TOO_LARGE", "Email content exceeds the limit of 5 MiB.");
  const message = readMessage(raw);
  const fromField = fieldValue(message, "from");
  if (fromField === undefined) throw new SendRefusal("E_FIELD_MISSING", "Missing From: header");
  if (addressIn(fromField) !== from)
    throw new SendRefusal("E_VALIDATION_ERROR", "From: header does not match mail from");
  const { current } = settings;
  checkFields(message.fields, current.date_and_message_id === "replace");
  if (current.domains && !current.domains.includes(domain))
    throw new SendRefusal(
      "E_SENDER_DOMAIN_NOT_AVAILABLE",
      `Domain ${domain} is not available for sending.`,
    );
  quota.countRequest(current, now);
  if (current.suppressed === "throw" && suppressions.holds(to, now))
    throw new SendRefusal("E_RECIPIENT_SUPPRESSED", `Recipient ${to} is suppressed.`);
  quota.countMessage(current, now);
  const id = newId();
  const messageId = `<${id}@${domain}>`;
  const feedbackId = `${id}:${zoneIdOf(domain)}:email-sending:local`;
  const bytes = writeMessage(message, { messageId, feedbackId, takenAt: new Date(now) });
  const subject = fieldValue(message, "subject") ?? "";
  const mailFrom = `bounces+${id}@cf-bounce.${domain}`;
  return messages.add(bytes, {
    messageId,
    mailFrom,
    sender: from,
    recipient: to,
    subject,
    takenAt: now,
  });
}

function newId(): string {
  const characters = Array.from(
    randomBytes(ID_CHARACTERS),
    (byte) => ALPHABET[byte % ALPHABET.length],
  );
  return characters.join("");
}
