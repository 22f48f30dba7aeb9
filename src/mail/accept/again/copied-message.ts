// Makes a new message from a stored message, for one of its recipients (contract.md §Sending
// again). Pure.
import { Buffer } from "node:buffer";
import type { Message } from "../../message.ts";
import { dateText } from "../../message-start.ts";
import type { ReadableContent } from "../../content/readable-content.ts";
import {
  type Acceptance,
  candidateOf,
  mintMessageId,
  type PreparedMessage,
} from "../prepare-message.ts";
import { readHeaderSection } from "../smtp/header-section.ts";
import { writeAddresses } from "../smtp/outgoing-field.ts";

/** The header fields that a copy does not take over from its message. */
const OWN_FIELDS: ReadonlySet<string> = new Set(["date", "message-id", "to", "cc"]);

/**
 * Makes the copy. `recipient` is one of the message's recipients. `ipPools` are the team's pools.
 * If the message's pool does not exist any more, the copy has no pool.
 */
export function copyMessage(
  { message: old, content }: Pick<ReadableContent, "message" | "content">,
  recipient: string,
  acceptance: Acceptance,
  ipPools: readonly string[],
): PreparedMessage {
  const { scheduledAt: _, ...facts } = old;
  const address = recipient.toLowerCase();
  const named = [...old.to, ...old.cc].find(({ email }) => email.toLowerCase() === address);
  const message: Message = {
    ...facts,
    id: acceptance.id,
    acceptedAt: acceptance.acceptedAt,
    fromDomain: acceptance.domain.name,
    domainId: acceptance.domain.id,
    to: [{ email: recipient, name: named?.name ?? null }],
    cc: [],
    recipients: [recipient],
    messageId: mintMessageId(acceptance),
    ipPool: old.ipPool !== null && ipPools.includes(old.ipPool) ? old.ipPool : null,
    copyOf: old.id,
  };
  return {
    candidate: candidateOf(message, null),
    content:
      typeof content === "string" || old.source === "http"
        ? content
        : withOwnFields(content, message),
  };
}

/** Replaces, in the header of a submitted message, the fields that a copy does not take over. */
function withOwnFields(raw: Uint8Array, message: Message): Uint8Array<ArrayBuffer> {
  const section = readHeaderSection(raw);
  if (section.kind === "malformed") throw new Error(`the header of ${message.copyOf} is malformed`);
  const fields = [
    `Date: ${dateText(message.acceptedAt)}`,
    `Message-ID: ${message.messageId}`,
    writeAddresses("To", message.to),
    ...section.fields
      .filter(({ lowerName }) => !OWN_FIELDS.has(lowerName))
      .flatMap(({ lines }) => lines),
  ];
  const header = Buffer.from(`${fields.join("\r\n")}\r\n\r\n`, "latin1");
  const whole = new Uint8Array(header.length + section.body.length);
  whole.set(header);
  whole.set(section.body, header.length);
  return whole;
}
