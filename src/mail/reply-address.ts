// Writes and recognises reply addresses, `r+<token>@<host>` (contract.md §Replies). The host
// is the return-path's where a gateway runs: it is verified for every sending domain and aligned
// with From. Email Routing takes the mail at one name below the service domain if there is no
// gateway. Pure.
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

/** Returns the token of an address; undefined: the address does not have the form. */
export function replyTokenIn(address: string): string | undefined {
  return ADDRESS.exec(address)?.[1]?.toLowerCase();
}
