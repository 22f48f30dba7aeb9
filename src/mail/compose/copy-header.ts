// Decides two things about the header of every copy, composed or submitted: whether it may have
// non-ASCII characters (RFC 6531), and which fields help mailbox providers to send complaints.
// Pure.
import { isInternational } from "../../lib/address.ts";
import type { HeaderTokens } from "../../lib/mime/header-folding.ts";
import type { Message } from "../message.ts";

/**
 * Returns whether the copy needs SMTPUTF8: the address of its recipient, of its sender or of a
 * reply has non-ASCII characters and no ASCII form. All other text can be written in ASCII, so
 * every other copy is 7-bit and any server accepts it. A 7-bit copy writes non-ASCII addresses in
 * To and Cc as names without an address (RFC 6857), so that the copy's own recipient still gets the
 * message.
 */
export function needsUtf8({ from, replyTo, recipients }: Message, recipientIndex: number): boolean {
  return [recipients[recipientIndex] ?? "", from.email, ...replyTo.map(({ email }) => email)].some(
    isInternational,
  );
}

/** The values that the complaint fields of a copy (CFBL-Address, Feedback-ID) need. */
export interface Feedback {
  /** The copy's return-path, without brackets. Its token names the recipient. */
  readonly returnPath: string;
  /** The whole value of Feedback-ID (mail/feedback-id.ts). */
  readonly feedbackId: string;
}

/**
 * Returns the complaint fields. They come directly after the DKIM signature, which covers them. The
 * address for complaints is on a domain below the sender's domain, as RFC 9477 §3.1 asks.
 */
export function feedbackFields({
  returnPath,
  feedbackId,
}: Feedback): [name: string, tokens: HeaderTokens][] {
  return [
    ["CFBL-Address", [`${returnPath};`, "report=arf"]],
    ["Feedback-ID", [feedbackId]],
  ];
}
