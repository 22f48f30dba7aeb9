// From a submitted message, as it is stored, to the signed bytes of a copy (docs/architecture.md
// §Compose). Its header was edited and its words were rendered when it was accepted; what is left
// to do is what SMTP itself demands, and the links of each recipient's own. Pure: the same message
// gives the same bytes in every copy and on every attempt.
import { yieldAfter, runInSteps } from "../../lib/step-scheduler.ts";
import type { Message } from "../message.ts";
import { applyEdits } from "../../lib/mime/edits.ts";
import { foldHeader } from "../../lib/mime/header-folding.ts";
import { type DkimKey, signMessage } from "./dkim.ts";
import { FEEDBACK_ADDRESS, feedbackAddressTokens } from "./feedback-address.ts";
import { needsUtf8 } from "./international.ts";
import { withAsciiHeaders } from "./raw-ascii.ts";
import { withShortLines } from "./raw-lines.ts";
import { type RawLinks, withLinks } from "./raw-links.ts";
import { SharedMessage } from "./readable-parts.ts";

/**
 * What all copies of a message share: no line is over 998 octets. The same twice where nothing in
 * its headers is beyond ASCII.
 */
export interface PreparedRaw {
  readonly asWritten: SharedMessage;
  /** What a header says beyond ASCII is encoded. */
  readonly ascii: SharedMessage;
}

interface RawInput {
  readonly message: Message;
  /** What prepareRaw() made of the stored message. */
  readonly prepared: PreparedRaw;
  /** Whose copy: an index into `message.recipients`. */
  readonly recipientIndex: number;
  readonly dkim: DkimKey;
  /**
   * The copy's, without brackets: complaints may come there, too. Absent: the copy names no address
   * for them.
   */
  readonly returnPath?: string;
  /** The copy's recipient's. */
  readonly links?: RawLinks;
}

const NO_LINKS: RawLinks = { unsubscribeUrl: null, tracking: null };

/** To be made once for all copies. `raw` has CRLF line ends and no NUL. */
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
 * One whole copy: DKIM-Signature first, the links that it is to carry, everything else as it was
 * written, but headers in ASCII unless the copy needs SMTPUTF8.
 */
export async function composeRaw({
  message,
  prepared,
  recipientIndex,
  dkim,
  returnPath,
  links = NO_LINKS,
}: RawInput): Promise<Uint8Array<ArrayBuffer>> {
  const shared = needsUtf8(message, recipientIndex) ? prepared.asWritten : prepared.ascii;
  const copy = await withLinks(shared, links, message.linkMark);
  await yieldAfter(copy.length);
  const whole = copy === shared.raw ? copy : await runInSteps(withShortLines(copy));
  return signMessage(
    returnPath === undefined ? whole : withFeedbackAddress(whole, returnPath),
    dkim,
    message.acceptedAt,
  );
}

function withFeedbackAddress(copy: Uint8Array, returnPath: string): Uint8Array {
  const text = `${FEEDBACK_ADDRESS}: ${foldHeader(FEEDBACK_ADDRESS, feedbackAddressTokens(returnPath))}\r\n`;
  return applyEdits(copy, [{ start: 0, end: 0, text }]);
}
