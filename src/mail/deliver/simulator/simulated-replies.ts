// The simulator's replies, as data. Each bounce class (contract.md §Bounces) has a refusal with the
// text of a real server, which the rules of src/classify put into that class. Four classes never
// come from a reply to a transaction. The simulator reports them after the delivery, as real
// servers do (simulated-feedback.ts). Pure.
import type { BounceClass } from "../../../classify/bounce-class.ts";
import type { Outcome } from "../../message.ts";

export type SimulatedReply = Pick<
  Extract<Outcome, { kind: "reply" }>,
  "code" | "enhanced" | "text" | "stage"
>;

/** Bounce classes that come only from a report after the delivery. */
export type ReportedClass = "AutoReply" | "SpamRelated" | "Subscribe" | "Unsubscribe";

const at = (
  stage: SimulatedReply["stage"],
  code: number,
  enhanced: string | null,
  text: string,
): SimulatedReply => ({
  code,
  enhanced,
  text,
  stage,
});

export const REFUSALS: Readonly<Record<Exclude<BounceClass, ReportedClass>, SimulatedReply>> &
  Partial<Record<ReportedClass, undefined>> = {
  InvalidRecipient: at(
    "rcpt",
    550,
    "5.1.1",
    "Recipient address rejected: User unknown in virtual mailbox table",
  ),
  DNSFailure: at(
    "rcpt",
    550,
    "5.4.3",
    "Directory server failure: DNS lookup failed for the destination",
  ),
  SpamBlock: at(
    "connect",
    554,
    "5.7.1",
    "Service unavailable; client host blocked using zen.spamhaus.org",
  ),
  SpamContent: at(
    "end",
    550,
    "5.7.1",
    "Our system has detected that this message is likely unsolicited mail",
  ),
  ProhibitedAttachment: at(
    "end",
    552,
    "5.7.0",
    "This message was blocked because it contains a prohibited attachment",
  ),
  RelayDenied: at("rcpt", 554, "5.7.1", "Relay access denied"),
  TransientFailure: at("rcpt", 554, "5.3.2", "System is shutting down for maintenance"),
  ChallengeResponse: at(
    "end",
    550,
    null,
    "Reply to the challenge to confirm that you are human; this mailbox uses challenge-response",
  ),
  BadConfiguration: at("rcpt", 550, "5.3.5", "System incorrectly configured"),
  BadConnection: at("end", 554, "5.4.2", "Connection dropped by the next hop"),
  BadDomain: at("rcpt", 550, "5.1.2", "Host unknown"),
  ContentRelated: at("end", 550, "5.6.0", "Message is not RFC 5322 compliant: duplicate headers"),
  InactiveMailbox: at(
    "rcpt",
    550,
    "5.2.1",
    "The email account that you tried to reach is disabled",
  ),
  InvalidSender: at("mail", 550, "5.1.8", "Sender address rejected: Domain not found"),
  MessageExpired: at("end", 554, "5.4.7", "Delivery time expired"),
  NoAnswerFromHost: at("end", 550, "5.4.1", "No answer from host"),
  PolicyRelated: at("end", 550, "5.7.1", "Message rejected due to the organization's policy"),
  ProtocolErrors: at("mail", 501, "5.5.4", "Syntax error in parameters"),
  QuotaIssues: at("rcpt", 552, "5.2.2", "The email account that you tried to reach is over quota"),
  RelayingIssues: at("rcpt", 530, "5.7.0", "Authentication required"),
  RoutingErrors: at("end", 554, "5.4.6", "Too many hops, mail loop detected"),
  VirusRelated: at(
    "end",
    554,
    "5.7.1",
    "Message rejected: it contains a virus (Eicar-Test-Signature)",
  ),
  AuthenticationFailed: at(
    "end",
    550,
    "5.7.26",
    "Unauthenticated email is not accepted due to the domain's DMARC policy",
  ),
  TooManyRecipients: at("rcpt", 550, "5.5.3", "Too many recipients"),
  Uncategorized: at("end", 554, "5.0.0", "Transaction failed"),
};
