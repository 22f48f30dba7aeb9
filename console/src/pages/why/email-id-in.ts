// Finds the email's id in a Message-ID that the service generated. Pure.

const UUID =
  /^<?([0-9a-f]{8})-?([0-9a-f]{4})-?(7[0-9a-f]{3})-?([89ab][0-9a-f]{3})-?([0-9a-f]{12})@/i;

/** Returns the email's id. Null: the Message-ID does not begin with a UUID of version 7. */
export function emailIdIn(messageId: string): string | null {
  const parts = UUID.exec(messageId)?.slice(1);
  return parts === undefined ? null : `email_${parts.join("-").toLowerCase()}`;
}
