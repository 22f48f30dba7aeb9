// Makes the signed bytes of one copy from a stored submitted message (docs/architecture.md
// §Compose). The acceptance of the message edited its header and rendered its variables. This file
// makes the message fit for SMTP, and adds each recipient's own links. A copy has the same bytes on
// every attempt. Pure.
import { yieldAfter, runInSteps } from "../../lib/step-scheduler.ts";
import type { Mailbox, Message } from "../message.ts";
import { startOf } from "../message-start.ts";
import { applyEdits } from "../../lib/mime/octet-edits.ts";
import { foldHeader, type HeaderTokens } from "../../lib/mime/header-folding.ts";
import { mailboxTokens } from "../../lib/mime/mailbox-header.ts";
import { type DkimKey, signMessage } from "./dkim.ts";
import { type Feedback, feedbackFields, needsUtf8 } from "./copy-header.ts";
import { withAsciiHeaders } from "./raw-ascii.ts";
import { withShortLines } from "./raw-lines.ts";
import { type RawLinks, withLinks } from "./raw-links.ts";
import { withSevenBitParts } from "./raw-seven-bit.ts";
import { SharedMessage } from "./readable-parts.ts";

/**
 * Two forms of a message, which all its copies share: with its own headers, and with all headers in
 * ASCII. Both have 7-bit parts and no lines over 998 octets. Both are the same object if all
 * headers are already ASCII.
 */
export interface PreparedRaw {
  readonly asWritten: SharedMessage;
  /** The variant of the message whose non-ASCII headers are encoded as ASCII. */
  readonly ascii: SharedMessage;
}

interface RawInput {
  readonly message: Message;
  /** The result of prepareRaw() for the stored message. */
  readonly prepared: PreparedRaw;
  /** The copy's recipient, as an index into `message.recipients`. */
  readonly recipientIndex: number;
  readonly dkim: DkimKey;
  /** The values of the copy's complaint fields. Absent if the copy has no such fields. */
  readonly feedback?: Feedback;
  /** The links of the copy's recipient. Absent if the copy has no such links. */
  readonly links?: RawLinks;
  /**
   * The reply address of this copy. Absent if the message's own Reply-To stays, or the message has
   * no Reply-To.
   */
  readonly replyAddress?: Mailbox;
}

const NO_LINKS: RawLinks = { unsubscribeUrl: null, tracking: null };

/** Prepares a message once for all its copies. `raw` must have CRLF line ends and no NUL. */
export async function prepareRaw(raw: Uint8Array): Promise<PreparedRaw> {
  const sevenBit = await runInSteps(withSevenBitParts(raw));
  const encoded = await runInSteps(withAsciiHeaders(sevenBit));
  const asWritten = new SharedMessage(await runInSteps(withShortLines(sevenBit)));
  return {
    asWritten,
    ascii:
      encoded === sevenBit
        ? asWritten
        : new SharedMessage(await runInSteps(withShortLines(encoded))),
  };
}

/**
 * Composes and signs one copy. The DKIM-Signature comes first, and the given links are added.
 * Headers are in ASCII unless the copy needs SMTPUTF8. All parts are 7-bit. All other content is as
 * the sender wrote it.
 */
export async function composeRaw(input: RawInput): Promise<Uint8Array<ArrayBuffer>> {
  const { message, dkim, feedback, replyAddress } = input;
  const whole = await composeUnsignedRaw(input);
  return signMessage(
    withFields(whole, [
      ...(feedback ? feedbackFields(feedback) : []),
      ...(replyAddress
        ? [["Reply-To", mailboxTokens("Reply-To", [replyAddress], false)] as const]
        : []),
    ]),
    dkim,
    startOf(message),
  );
}

/** Composes one copy for a check, which signs nothing. */
export async function composeUnsignedRaw({
  message,
  prepared,
  recipientIndex,
  links = NO_LINKS,
}: Omit<RawInput, "dkim" | "feedback" | "replyAddress">): Promise<Uint8Array> {
  const shared = needsUtf8(message, recipientIndex) ? prepared.asWritten : prepared.ascii;
  const copy = await withLinks(shared, links, message.linkPlaceholder);
  await yieldAfter(copy.length);
  return copy === shared.raw ? copy : runInSteps(withShortLines(copy));
}

/** Puts fields of this copy before the message's own fields. */
function withFields(
  copy: Uint8Array,
  fields: readonly (readonly [name: string, tokens: HeaderTokens])[],
): Uint8Array {
  if (fields.length === 0) return copy;
  const lines = fields.map(([name, tokens]) => `${name}: ${foldHeader(name, tokens)}\r\n`);
  return applyEdits(copy, [{ start: 0, end: 0, text: lines.join("") }]);
}
