// Lists the service's own mailboxes, except return-paths (contract.md §Returned mail). These are
// postmaster, at the service domain and at every bounce domain (RFC 5321 §4.5.1), and the one
// address that an operator registers with providers' feedback loops. No look-up checks that a host
// `bounces.…` belongs to a team, because mail to such a host reaches the service only through its
// MX record. Pure.

export type ServiceMailbox = "postmaster" | "fbl";

const ROLE_ADDRESS = /^(postmaster|fbl)@(.+)$/i;
const FEEDBACK_LABEL = "feedback";
const BOUNCES = /^bounces\.[^@]+$/;

/**
 * Returns the role of one of the service's own addresses. Undefined means that the address is not
 * one of them. `serviceDomain` must be in lower case.
 */
export function roleOf(address: string, serviceDomain: string): ServiceMailbox | undefined {
  const [, name = "", host = ""] = ROLE_ADDRESS.exec(address.toLowerCase()) ?? [];
  return hasMailbox(name, host, serviceDomain) ? (name as ServiceMailbox) : undefined;
}

/**
 * Returns whether an address is one of the service's own addresses. `name` and `host` are its two
 * parts, in lower case.
 */
export function hasMailbox(name: string, host: string, serviceDomain: string): boolean {
  const feedbackHost = `${FEEDBACK_LABEL}.${serviceDomain}`;
  if (name === "fbl") return host === feedbackHost;
  return (
    name === "postmaster" && (host === serviceDomain || host === feedbackHost || BOUNCES.test(host))
  );
}
