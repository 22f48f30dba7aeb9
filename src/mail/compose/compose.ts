// From a stored message to the signed bytes of one recipient's copy (design.md section 4). Pure: the same message gives the same bytes in every
// copy and on every attempt, so its date, its boundaries and the time of its signature all come from the message itself.
import { type MIMEMessage, MIMEMessageHeader, createMimeMessage } from "mimetext/browser";
import type { Message, MessageContent } from "../message.ts";
import { type DkimKey, signMessage } from "./dkim.ts";
import { type HeaderTokens, customTokens, foldHeader, headerText, subjectTokens } from "./header-folding.ts";
import { mailboxTokens } from "./mailbox-header.ts";
import { mimeEntity } from "./mime.ts";

interface ComposeInput {
  readonly message: Message;
  readonly content: MessageContent;
  /** Whose copy: an index into `message.recipients`. */
  readonly recipientIndex: number;
  readonly dkim: DkimKey;
}

const CUSTOM_NAME = /^[A-Za-z0-9][A-Za-z0-9-]{0,77}$/;
const OWN_NAMES = /^(?:from|to|cc|bcc|reply-to|subject|date|message-id|mime-version|content-(?!language$).*|dkim-signature)$/i;

const encoder = new TextEncoder();

/** The whole message: 7-bit, CRLF line ends, no line over 998 octets, DKIM-Signature first. Bcc recipients appear nowhere in it. */
export async function compose({ message, content, recipientIndex, dkim }: ComposeInput): Promise<Uint8Array<ArrayBuffer>> {
  if (message.recipients[recipientIndex] === undefined) throw new Error(`${message.id} has no recipient ${recipientIndex}`);
  const skeleton = createMimeMessage();
  const text = `${headerBlock(skeleton, message)}\r\n${mimeEntity(skeleton, content, message.id)}`;
  return signMessage(encoder.encode(text.endsWith("\r\n") ? text : `${text}\r\n`), dkim, message.acceptedAt);
}

function headerBlock(skeleton: MIMEMessage, message: Message): string {
  const header = new MIMEMessageHeader(skeleton.envctx);
  header.fields = headerFields(message).map(([name, tokens]) => ({ name, value: foldHeader(name, tokens) }));
  return header.dump();
}

/** The header in the order in which it is written. */
function headerFields(message: Message): [name: string, tokens: HeaderTokens][] {
  const custom = message.headers.filter(([name]) => CUSTOM_NAME.test(name) && !OWN_NAMES.test(name));
  const addresses = [
    ["From", [message.from]],
    ["To", message.to],
    ["Cc", message.cc],
    ["Reply-To", message.replyTo],
  ] as const;
  return [
    ...addresses
      .filter(([, mailboxes]) => mailboxes.length > 0)
      .map(([name, mailboxes]): [string, HeaderTokens] => [name, mailboxTokens(name, mailboxes)]),
    ["Subject", subjectTokens(message.subject)],
    ["Date", [dateText(message.acceptedAt)]],
    ["Message-ID", [headerText(message.messageId).replace(/[^!-~]/g, "")]],
    ["MIME-Version", ["1.0"]],
    ...custom.map(([name, value]): [string, HeaderTokens] => [name, customTokens(name, value)]),
  ];
}

/** RFC 5322 section 3.3, in UTC. */
function dateText(ms: number): string {
  return new Date(ms).toUTCString().replace("GMT", "+0000");
}
