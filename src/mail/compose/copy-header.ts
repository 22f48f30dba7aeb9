// Two decisions about a copy's header that composed and submitted messages share: whether it may go
// beyond ASCII (RFC 6531), and where a mailbox provider may send complaints about it (RFC 9477).
// Pure.
import { isInternational } from "../../lib/address.ts";
import type { HeaderTokens } from "../../lib/mime/header-folding.ts";
import type { Message } from "../message.ts";

/**
 * True if the copy needs SMTPUTF8: its recipient, its sender or a reply address is beyond ASCII,
 * and such an address has no other form. All other text can be written in ASCII, so every other
 * copy is 7-bit and any server accepts it. In a copy without SMTPUTF8, non-ASCII addresses in To
 * and Cc appear as names without an address (RFC 6857), so that they do not cost other recipients
 * the message.
 */
export function needsUtf8({ from, replyTo, recipients }: Message, recipientIndex: number): boolean {
  return [recipients[recipientIndex] ?? "", from.email, ...replyTo.map(({ email }) => email)].some(
    isInternational,
  );
}

export const FEEDBACK_ADDRESS = "CFBL-Address";

/**
 * The value of the complaint address field: the copy's own return-path, whose token names the
 * recipient, on a domain below the sender's as RFC 9477 §3.1 asks. The field stands directly behind
 * the DKIM signature. `returnPath`: without brackets.
 */
export function feedbackAddressTokens(returnPath: string): HeaderTokens {
  return [`${returnPath};`, "report=arf"];
}
