// The service's own replies for attempts that no receiving server answered (contract.md §Bounces).
// Pure.

/** The reason why an attempt got no reply from a receiving server. */
export type FailureCause =
  | "no_mail_server" // DNS certainly names no server: NXDOMAIN, or neither MX nor address
  | "null_mx" // RFC 7505
  | "dns" // DNS gave no answer, or none that can be used
  | "tls"
  | "connect" // refused, unreachable or timed out
  | "limit" // the server limits its connections, and none was free
  | "sender_domain" // the sending domain was gone when a scheduled message was due
  | "other"; // the connection broke in the middle, or our own side failed

interface OwnAnswer {
  readonly code: number;
  readonly text: string;
  /** True: it is certain that the mail cannot be delivered, so it is not tried again. */
  readonly final: boolean;
  /** The classification of a final answer. */
  readonly classification?: string;
}

const NO_SERVER = "Could not resolve a mail server for the recipient's domain.";
const NO_TLS = "TLS negotiation with the receiving server failed.";

/** The replies, with the codes that a relay would use. */
export const OWN_ANSWERS: Readonly<Record<FailureCause, OwnAnswer>> = {
  // RFC 5321 §5.1: a name without MX and without address is an error
  no_mail_server: { code: 550, text: NO_SERVER, final: true, classification: "BadDomain" },
  // RFC 7505 §4.1
  null_mx: { code: 556, text: NO_SERVER, final: true, classification: "BadDomain" },
  // RFC 5321 §5.1: a temporary failure of the look-up
  dns: { code: 451, text: NO_SERVER, final: false },
  // RFC 3207 §4: TLS not available due to temporary reason
  tls: { code: 454, text: NO_TLS, final: false },
  // RFC 5321 §4.2.3: no access, or a reason of policy
  sender_domain: {
    code: 550,
    text: "The sending domain was deleted before the message's scheduled time.",
    final: true,
    classification: "InvalidSender",
  },
  connect: { code: 451, text: "Could not connect to the receiving server.", final: false },
  limit: {
    code: 451,
    text: "No connection to the receiving server was free, because it limits them.",
    final: false,
  },
  other: {
    code: 451,
    text: "Delivery attempt failed before the receiving server responded.",
    final: false,
  },
};

/** Finds the cause of which a code and a text are the reply; undefined: a server's reply. */
export function ownCause(code: number | null, reply: string | null): FailureCause | undefined {
  const causes = Object.entries(OWN_ANSWERS) as [FailureCause, OwnAnswer][];
  return causes.find(([, own]) => own.code === code && own.text === reply)?.[0];
}
