// Reads the domain of an envelope address (RFC 5321 §4.1.2), and refuses an address that can't
// stand between angle brackets. Pure.

const ADDRESS_MAX_CHARACTERS = 320;
const MAILBOX =
  /^(?:[^\s\p{Cc}<>()[\]\\,;:@"]+|"(?:[^"\\\p{Cc}]|\\[^\p{Cc}])*")@([^\s\p{Cc}<>()[\]\\,;:@"]+)$/u;

/** The domain of an address, in lower case; null: the address is malformed. */
export function domainOf(address: string): string | null {
  if (address.length > ADDRESS_MAX_CHARACTERS) return null;
  return MAILBOX.exec(address)?.[1]?.toLowerCase() ?? null;
}
