// From a submitted message, as it is stored, to the signed bytes of a copy (design.md section 4). Its header was edited when it was accepted; what is
// left to do is what SMTP itself demands, and the links of each recipient's own. Pure: the same message gives the same bytes in every copy and on every attempt.
import type { Message } from "../message.ts";
import { type DkimKey, signMessage } from "./dkim.ts";
import { withShortLines } from "./raw-lines.ts";
import { type RawLinks, withLinks } from "./raw-links.ts";

interface RawInput {
  readonly message: Message;
  /** What prepareRaw() made of the stored message. */
  readonly prepared: Uint8Array;
  readonly dkim: DkimKey;
  /** The copy's recipient's. */
  readonly links?: RawLinks;
}

const NO_LINKS: RawLinks = { unsubscribeUrl: null, tracking: null };

/** What all copies of a message share, to be made once: no line over 998 octets. `raw` has CRLF line ends and no NUL. */
export function prepareRaw(raw: Uint8Array): Uint8Array {
  return withShortLines(raw);
}

/** One whole copy: DKIM-Signature first, the links that it is to carry, everything else as it was written. */
export async function composeRaw({ message, prepared, dkim, links = NO_LINKS }: RawInput): Promise<Uint8Array<ArrayBuffer>> {
  const copy = await withLinks(prepared, links);
  return signMessage(copy === prepared ? copy : withShortLines(copy), dkim, message.acceptedAt);
}
