// Which mailboxes of its own the service has beside return-paths (contract.md §Returned mail):
// postmaster, at the service domain and at every bounce domain (RFC 5321 §4.5.1), and the one
// address that an operator registers with providers' feedback loops. A host below `bounces.` leads
// here by its MX record or not at all. Pure.

export type ServiceMailbox = "postmaster" | "fbl";

const ROLE_ADDRESS = /^(postmaster|fbl)@(.+)$/i;
const FEEDBACK_LABEL = "feedback";
const BOUNCES = /^bounces\.[^@]+$/;

/**
 * The role of an address of the service's own; undefined: it has none. `serviceDomain`: lower case.
 */
export function roleOf(address: string, serviceDomain: string): ServiceMailbox | undefined {
  const [, name = "", host = ""] = ROLE_ADDRESS.exec(address.toLowerCase()) ?? [];
  return hasMailbox(name, host, serviceDomain) ? (name as ServiceMailbox) : undefined;
}

/** `name` and `host`: an address's two parts, in lower case. */
export function hasMailbox(name: string, host: string, serviceDomain: string): boolean {
  const feedbackHost = `${FEEDBACK_LABEL}.${serviceDomain}`;
  if (name === "fbl") return host === feedbackHost;
  return (
    name === "postmaster" && (host === serviceDomain || host === feedbackHost || BOUNCES.test(host))
  );
}
