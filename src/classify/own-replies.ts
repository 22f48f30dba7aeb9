// The service's own replies for attempts that no receiving server answered (contract.md §Bounces).
// Pure.

/** Why an attempt got no reply from a receiving server. */
export type FailureCause =
  | "no_mail_server" // the domain does not exist, or has neither MX nor address records
  | "null_mx" // RFC 7505
  | "dns" // DNS gave no answer, or an answer that cannot be used
  | "tls"
  | "connect" // the server refused, was unreachable or did not answer in time
  | "limit" // the server limits its connections, and all were in use
  | "sender_domain" // the sending domain was deleted before a scheduled message was due
  | "held_sender_domain" // the sending domain was deleted while a hold stopped its mail
  | "held_domain" // the provider did not accept mail of the sending domain for days
  | "held_account" // the provider did not accept mail of the operator's account for days
  | "other"; // the connection broke during the attempt, or this service failed

interface OwnAnswer {
  readonly code: number;
  readonly text: string;
  /** True if the mail can certainly not be delivered, so the service does not retry. */
  readonly final: boolean;
  /** The classification of the bounce. Present only if `final` is true. */
  readonly classification?: string;
}

const NO_SERVER = "Could not resolve a mail server for the recipient's domain.";
const NO_TLS = "TLS negotiation with the receiving server failed.";

/** The replies, with the codes that an SMTP relay would use. */
export const OWN_REPLIES: Readonly<Record<FailureCause, OwnAnswer>> = {
  // RFC 5321 §5.1: a name with neither MX nor address is an error
  no_mail_server: { code: 550, text: NO_SERVER, final: true, classification: "BadDomain" },
  // RFC 7505 §4.1
  null_mx: { code: 556, text: NO_SERVER, final: true, classification: "BadDomain" },
  // RFC 5321 §5.1: a temporary failure of the look-up
  dns: { code: 451, text: NO_SERVER, final: false },
  // RFC 3207 §4: TLS not available due to temporary reason
  tls: { code: 454, text: NO_TLS, final: false },
  // RFC 5321 §4.2.3: the domain may not send, or a policy forbids it
  sender_domain: {
    code: 550,
    text: "The sending domain was deleted before the message's scheduled time.",
    final: true,
    classification: "InvalidSender",
  },
  held_sender_domain: {
    code: 550,
    text: "The sending domain was deleted while its mail was held.",
    final: true,
    classification: "BadDomain",
  },
  // RFC 5321 §4.2.3: an error of the service ended the action
  held_domain: {
    code: 451,
    text: "The mail provider did not let this service send from the domain for 7 days.",
    final: false,
  },
  held_account: {
    code: 451,
    text: "The mail provider did not let this service's account send for 7 days.",
    final: false,
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

/**
 * Finds the cause whose reply has this code and text. Undefined means that a server sent the reply.
 */
export function ownCause(code: number | null, reply: string | null): FailureCause | undefined {
  const causes = Object.entries(OWN_REPLIES) as [FailureCause, OwnAnswer][];
  return causes.find(([, own]) => own.code === code && own.text === reply)?.[0];
}
