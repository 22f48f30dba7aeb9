// Writes and recognises reply addresses, `r+<token>@<host>` (contract.md §Replies). With a gateway,
// the host is that of the return-path, which is verified for every sending domain and aligned with
// From. Without a gateway, Email Routing takes the mail at one name below the service domain. Pure.
import type { Settings } from "../settings.ts";

const ADDRESS = /^r\+([a-z2-7]{61})@(?:bounces|reply)\.[^@]+$/i;
const ROUTED_LABEL = "reply";

export function replyAddressOf(
  { egressUrls, serviceDomain }: Pick<Settings, "egressUrls" | "serviceDomain">,
  fromDomain: string,
  token: string,
): string {
  const host = egressUrls.length > 0 ? `bounces.${fromDomain}` : `${ROUTED_LABEL}.${serviceDomain}`;
  return `r+${token}@${host}`;
}

/**
 * Returns the token of an address. Undefined means that the address does not have the form of a
 * reply address.
 */
export function replyTokenIn(address: string): string | undefined {
  return ADDRESS.exec(address)?.[1]?.toLowerCase();
}
