// Makes two decisions about the header of every copy, composed or submitted: whether it may go
// beyond ASCII (RFC 6531), and which fields help mailbox providers to send complaints. Pure.
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

/** The facts in a copy's fields for complaints. */
export interface Feedback {
  /** The copy's return-path, without brackets. Its token names the recipient. */
  readonly returnPath: string;
  /** The service's name, by the rule of src/service-name.ts. */
  readonly serviceName: string;
}

/**
 * The fields directly behind the DKIM signature. The signature covers them. The address for
 * complaints is on a domain below the sender's, as RFC 9477 §3.1 asks. Gmail counts complaints by
 * each part of Feedback-ID; the last part is the service's, and the others may be empty
 * (contract.md §Feedback loops).
 */
export function feedbackFields(
  { campaign, topic, teamId }: Message,
  { returnPath, serviceName }: Feedback,
): [name: string, tokens: HeaderTokens][] {
  return [
    ["CFBL-Address", [`${returnPath};`, "report=arf"]],
    ["Feedback-ID", [[campaign ?? "", topic ?? "", teamId, serviceName].join(":")]],
  ];
}
