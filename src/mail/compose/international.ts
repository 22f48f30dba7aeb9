// Which copies need SMTPUTF8 (RFC 6531) on their way: those whose recipient, sender or place to
// answer to has an address beyond ASCII, since nothing in ASCII can stand for it. All other text
// has a form in ASCII, so that every other copy is 7-bit and any server takes it. Pure.
import { isInternational } from "../../lib/address.ts";
import type { Message } from "../message.ts";

/**
 * Whether the copy's header may go beyond ASCII, for addresses alone. In a copy that may not, those
 * of others who are shown in To and Cc stand as names without an address (RFC 6857), so that they
 * cost nobody else the message.
 */
export function needsUtf8({ from, replyTo, recipients }: Message, recipientIndex: number): boolean {
  return [recipients[recipientIndex] ?? "", from.email, ...replyTo.map(({ email }) => email)].some(
    isInternational,
  );
}
