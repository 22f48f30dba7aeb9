// Makes the signed bytes of one copy from a stored submitted message (docs/architecture.md
// §Compose). Its header was edited and its variables were rendered when it was accepted. What
// remains is what SMTP demands, and each recipient's own links. The same message gives the same
// bytes in every copy and on every attempt. Pure.
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
 * The two forms of a message that its copies share, without lines over 998 octets. Both are the
 * same object if all headers are ASCII.
 */
export interface PreparedRaw {
  readonly asWritten: SharedMessage;
  /** Headers beyond ASCII are encoded. */
  readonly ascii: SharedMessage;
}

interface RawInput {
  readonly message: Message;
  /** The result of prepareRaw() for the stored message. */
  readonly prepared: PreparedRaw;
  /** The copy's recipient, as an index into `message.recipients`. */
  readonly recipientIndex: number;
  readonly dkim: DkimKey;
  /** Absent: the copy has no fields for complaints. */
  readonly feedback?: Feedback;
  /** Links of the copy's recipient. Absent: none. */
  readonly links?: RawLinks;
}

const NO_LINKS: RawLinks = { unsubscribeUrl: null, tracking: null };

/** Prepares a message once for all its copies. `raw` has CRLF line ends and no NUL. */
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
 * Composes and signs one copy: the DKIM-Signature comes first, links are added as asked, headers
 * are in ASCII unless the copy needs SMTPUTF8, and everything else is as the sender wrote it.
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
