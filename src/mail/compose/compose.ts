// Makes the signed bytes of one recipient's copy from a stored message (docs/architecture.md
// §Compose). A copy has the same bytes on every attempt, and all copies share the message's parts.
// So the date, the boundaries and the signature's time come from the message itself. Pure.
import { Buffer } from "node:buffer";
import { type MIMEMessage, MIMEMessageHeader, createMimeMessage } from "mimetext/browser";
import { runInSteps } from "../../lib/step-scheduler.ts";
import type { Message, MessageContent } from "../message.ts";
import { dateText, startOf } from "../message-start.ts";
import { renderCopy } from "../recipient-link.ts";
import { type DkimKey, signText } from "./dkim.ts";
import { type Feedback, feedbackFields, needsUtf8 } from "./copy-header.ts";
import {
  type HeaderTokens,
  customTokens,
  foldHeader,
  headerText,
  subjectTokens,
} from "../../lib/mime/header-folding.ts";
import { mailboxTokens } from "../../lib/mime/mailbox-header.ts";
import { headerLines, mimeEntity } from "./mime.ts";
import { type CopyTracking, trackHtml } from "./track.ts";
import { listUnsubscribeTargets, withListUnsubscribe } from "./unsubscribe-headers.ts";

interface ComposeInput {
  readonly message: Message;
  readonly content: MessageContent;
  /** The copy's recipient, as an index into `message.recipients`. */
  readonly recipientIndex: number;
  readonly dkim: DkimKey;
  /** The values of the copy's complaint fields. Absent if the copy has no such fields. */
  readonly feedback?: Feedback;
  /**
   * The recipient's unsubscribe link, an absolute URL. Null means that the message has no generated
   * link.
   */
  readonly unsubscribeUrl?: string | null;
  /** The open and click tracking of this copy. Null means that the copy is not tracked. */
  readonly tracking?: CopyTracking | null;
}

const CUSTOM_NAME = /^[A-Za-z0-9][A-Za-z0-9-]{0,77}$/;
const OWN_NAMES =
  /^(?:from|to|cc|bcc|reply-to|subject|date|message-id|mime-version|content-(?!language$).*|dkim-signature|cfbl-address|feedback-id)$/i;

/** Matches ASCII text. In a copy's header, only addresses may have other characters. */
const ASCII = /^[\0-\x7f]*$/;

/**
 * An empty message object of mimetext. The first message creates it, because a Worker's modules may
 * not use randomness while they load.
 */
let skeleton: MIMEMessage | undefined;

/** A copy before it is signed. Header and body have one character per octet. */
interface UnsignedCopy {
  readonly header: string;
  readonly body: string;
  /** The texts of the copy, with its links. */
  readonly content: MessageContent;
}

/**
 * Composes and signs one copy. The copy is 7-bit, except for non-ASCII addresses in the header of a
 * copy that needs SMTPUTF8. Line ends are CRLF, no line is over 998 octets, and the DKIM-Signature
 * comes first. Bcc recipients appear in no copy.
 */
export async function compose(input: ComposeInput): Promise<Uint8Array<ArrayBuffer>> {
  const { header, body } = await composeUnsigned(input);
  return signText(header, body, input.dkim, startOf(input.message));
}

/** Composes one copy for a check, which signs nothing. */
export async function composeUnsigned(input: Omit<ComposeInput, "dkim">): Promise<UnsignedCopy> {
  const { recipientIndex, feedback, unsubscribeUrl = null, tracking = null } = input;
  if (input.message.recipients[recipientIndex] === undefined)
    throw new Error(`${input.message.id} has no recipient ${recipientIndex}`);
  const rendered = renderCopy(input.message, input.content, unsubscribeUrl);
  const message = {
    ...rendered.message,
    headers: withListUnsubscribe(rendered.message.headers, unsubscribeUrl),
  };
  const { html } = rendered.content;
  const content =
    tracking && html !== null
      ? {
          ...rendered.content,
          html: await trackHtml(html, tracking, {
            targets: listUnsubscribeTargets(message.headers),
          }),
        }
      : rendered.content;
  const entity = await runInSteps(mimeEntity(content, message.id));
  const isUtf8 = needsUtf8(message, recipientIndex);
  const header = `${headerBlock(message, isUtf8, feedback)}\r\n${headerLines(entity)}`;
  const body =
    entity.body === "" || entity.body.endsWith("\r\n") ? entity.body : `${entity.body}\r\n`;
  return {
    header: ASCII.test(header) ? header : Buffer.from(header).toString("latin1"),
    body,
    content,
  };
}

function headerBlock(message: Message, isUtf8: boolean, feedback: Feedback | undefined): string {
  skeleton ??= createMimeMessage();
  const header = new MIMEMessageHeader(skeleton.envctx);
  header.fields = headerFields(message, isUtf8, feedback).map(([name, tokens]) => ({
    name,
    value: foldHeader(name, tokens),
  }));
  return header.dump();
}

/** Returns the header's fields in the order in which they are written. */
function headerFields(
  message: Message,
  isUtf8: boolean,
  feedback: Feedback | undefined,
): [name: string, tokens: HeaderTokens][] {
  const custom = message.headers.filter(
    ([name]) => CUSTOM_NAME.test(name) && !OWN_NAMES.test(name),
  );
  const addresses = [
    ["From", [message.from]],
    ["To", message.to],
    ["Cc", message.cc],
    ["Reply-To", message.replyTo],
  ] as const;
  return [
    ...(feedback ? feedbackFields(feedback) : []),
    ...addresses
      .filter(([, mailboxes]) => mailboxes.length > 0)
      .map(([name, mailboxes]): [string, HeaderTokens] => [
        name,
        mailboxTokens(name, mailboxes, isUtf8),
      ]),
    ["Subject", subjectTokens(message.subject)],
    ["Date", [dateText(startOf(message))]],
    ["Message-ID", [headerText(message.messageId).replace(/[^!-~]/g, "")]],
    ["MIME-Version", ["1.0"]],
    ...custom.map(([name, value]): [string, HeaderTokens] => [name, customTokens(name, value)]),
  ];
}
