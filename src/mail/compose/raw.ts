// Makes the signed bytes of one copy from a stored submitted message (docs/architecture.md
// §Compose). The header was edited and the variables were rendered when the message was accepted.
// Here, the message is made fit for SMTP, and each recipient's own links are added. The same
// message gives the same bytes in every copy and on every attempt. Pure.
import { yieldAfter, runInSteps } from "../../lib/step-scheduler.ts";
import type { Message } from "../message.ts";
import { startOf } from "../message-start.ts";
import { applyEdits } from "../../lib/mime/edits.ts";
import { foldHeader } from "../../lib/mime/header-folding.ts";
import { type DkimKey, signMessage } from "./dkim.ts";
import { type Feedback, feedbackFields, needsUtf8 } from "./copy-header.ts";
import { withAsciiHeaders } from "./raw-ascii.ts";
import { withShortLines } from "./raw-lines.ts";
import { type RawLinks, withLinks } from "./raw-links.ts";
import { SharedMessage } from "./readable-parts.ts";

/**
 * Two forms of a message, which all its copies share: with its own headers, and with all headers in
 * ASCII. Neither has lines over 998 octets. Both are the same object if all headers are ASCII
 * already.
 */
export interface PreparedRaw {
  readonly asWritten: SharedMessage;
  /** The form in which non-ASCII headers are encoded. */
  readonly ascii: SharedMessage;
}

interface RawInput {
  readonly message: Message;
  /** The result of prepareRaw() for the stored message. */
  readonly prepared: PreparedRaw;
  /** The copy's recipient, as an index into `message.recipients`. */
  readonly recipientIndex: number;
  readonly dkim: DkimKey;
  /** The values of the copy's complaint fields. Absent: the copy has no such fields. */
  readonly feedback?: Feedback;
  /** The links of the copy's recipient. Absent: the copy has no such links. */
  readonly links?: RawLinks;
}

const NO_LINKS: RawLinks = { unsubscribeUrl: null, tracking: null };

/** Prepares a message once for all its copies. `raw` must have CRLF line ends and no NUL. */
export async function prepareRaw(raw: Uint8Array): Promise<PreparedRaw> {
  const encoded = await runInSteps(withAsciiHeaders(raw));
  const asWritten = new SharedMessage(await runInSteps(withShortLines(raw)));
  return {
    asWritten,
    ascii:
      encoded === raw ? asWritten : new SharedMessage(await runInSteps(withShortLines(encoded))),
  };
}

/**
 * Composes and signs one copy. The DKIM-Signature comes first, and links are added as asked.
 * Headers are in ASCII unless the copy needs SMTPUTF8. Everything else is as the sender wrote it.
 */
export async function composeRaw({
  message,
  prepared,
  recipientIndex,
  dkim,
  feedback,
  links = NO_LINKS,
}: RawInput): Promise<Uint8Array<ArrayBuffer>> {
  const shared = needsUtf8(message, recipientIndex) ? prepared.asWritten : prepared.ascii;
  const copy = await withLinks(shared, links, message.linkPlaceholder);
  await yieldAfter(copy.length);
  const whole = copy === shared.raw ? copy : await runInSteps(withShortLines(copy));
  return signMessage(
    feedback ? withFeedbackFields(whole, message, feedback) : whole,
    dkim,
    startOf(message),
  );
}

function withFeedbackFields(copy: Uint8Array, message: Message, feedback: Feedback): Uint8Array {
  const lines = feedbackFields(message, feedback).map(
    ([name, tokens]) => `${name}: ${foldHeader(name, tokens)}\r\n`,
  );
  return applyEdits(copy, [{ start: 0, end: 0, text: lines.join("") }]);
}
