// Every text of an explanation (contract.md §Explanations), as data. A word in braces stands for a
// fact: {domain} is the recipient's, {from_domain} the sending one. Each reason continues a sentence
// after a colon. Pure.
import type { BOUNCE_CLASSIFICATIONS } from "../contracts/event-types.ts";
import type { JobHold, SuppressionReason } from "../contracts/recipient-states.ts";
import type { Advice, NoReplyCause, RefusalText, StateText } from "./explanation.ts";

type BounceClass = (typeof BOUNCE_CLASSIFICATIONS)[number];

/** The sentences that a reason completes. */
export const PATTERNS = {
  refused: "{domain} refused the {refused}: {reason}.",
  returned: "The message came back after it was sent: {reason}.",
  returnedLater: "{domain} accepted the message and returned it later: {reason}.",
  delayed: "The message has not been delivered to {domain} yet: {reason}.",
  expired: "The message could not be delivered to {domain} within 72 hours: {reason}.",
  notSent: "Nothing was sent to {address}: {reason}.",
  suppressed: "{address} is suppressed: {reason}.",
  suppressedForTopic: "{address} is suppressed for the topic {topic}: {reason}.",
} as const;

/** The sentences on what follows that several states share. */
export const NEXT = {
  over: "The service does not try this message again.",
  open: "The next message to this address will be sent.",
  suppressedUntil: "Nothing is sent to this address until {until}.",
  suppressed: "Nothing is sent to this address until the suppression is lifted.",
  topicSuppressed:
    "No mail of the topic {topic} is sent to this address until the suppression is lifted.",
} as const;

const WAIT: Advice = { kind: "wait", text: "Wait: there is nothing to do for now." };
const SEND_AGAIN: Advice = { kind: "send_again", text: "Send the message again later." };
const CORRECT_ADDRESS: Advice = {
  kind: "correct_address",
  text: "Check the spelling of the address, or ask the recipient for a current one.",
};
const FIX_DNS: Advice = {
  kind: "fix_dns",
  text: "Check the DNS records of {from_domain}.",
  href: "/v1/domains",
};
const ASK_POSTMASTER: Advice = {
  kind: "contact_provider",
  text: "Ask the postmaster of {domain}: only the people who run its servers can change this.",
};
const TELL_RECIPIENT: Advice = {
  kind: "contact_recipient",
  text: "Tell the recipient in another way: only the people who run {domain} can correct this.",
};
const CHANGE_MESSAGE: Advice = {
  kind: "change_message",
  text: "Change the wording or the links of the message before you send it again.",
};
const TELL_OPERATOR: Advice = {
  kind: "contact_operator",
  text: "Show the server's reply to the operator of this service.",
};

export const CLASS_TEXTS: Readonly<Record<BounceClass, RefusalText>> = {
  InvalidRecipient: { reason: "no such mailbox", actions: [CORRECT_ADDRESS] },
  InactiveMailbox: { reason: "the mailbox is no longer in use", actions: [CORRECT_ADDRESS] },
  BadDomain: {
    reason: "the domain does not exist or accepts no mail",
    sentence: "{domain} does not exist or accepts no mail.",
    actions: [CORRECT_ADDRESS],
  },
  DNSFailure: { reason: "a name could not be looked up in DNS", actions: [FIX_DNS] },
  SpamBlock: {
    reason: "the sending server or domain is blocked because of its reputation",
    actions: [
      {
        kind: "contact_provider",
        text:
          "Ask the postmaster of {domain} to lift the block: other addresses there are probably " +
          "affected too.",
      },
      FIX_DNS,
    ],
  },
  SpamContent: { reason: "its content looks like spam", actions: [CHANGE_MESSAGE] },
  SpamRelated: { reason: "it was taken for spam", actions: [CHANGE_MESSAGE] },
  VirusRelated: {
    reason: "a virus was found in it",
    actions: [{ kind: "change_message", text: "Check its attachments and links for malware." }],
  },
  ProhibitedAttachment: {
    reason: "this type of attachment is not allowed",
    actions: [{ kind: "change_message", text: "Send a link instead of the attachment." }],
  },
  ContentRelated: {
    reason: "its format or content is not accepted",
    actions: [{ kind: "change_message", text: "The server's reply says what to change." }],
  },
  PolicyRelated: { reason: "a policy forbids it", actions: [ASK_POSTMASTER] },
  AuthenticationFailed: { reason: "it failed the check of SPF, DKIM or DMARC", actions: [FIX_DNS] },
  InvalidSender: {
    reason: "the sender's address is not accepted",
    actions: [
      {
        kind: "verify_domain",
        text:
          "Check that the address in From exists, and that {from_domain} is verified and " +
          "receives mail.",
        href: "/v1/domains",
      },
    ],
  },
  QuotaIssues: {
    reason: "the mailbox is full, or the message is too large for it",
    actions: [{ kind: "send_again", text: "Send the message again later, or make it smaller." }],
  },
  TooManyRecipients: {
    reason: "it has too many recipients",
    actions: [{ kind: "send_again", text: "Send the message again to fewer recipients at once." }],
  },
  TransientFailure: { reason: "the server asked to try again later", actions: [SEND_AGAIN] },
  RelayDenied: {
    reason: "the server in the domain's MX records does not accept mail for it",
    actions: [TELL_RECIPIENT],
  },
  RelayingIssues: {
    reason: "the server in the domain's MX records asks senders to log in",
    actions: [TELL_RECIPIENT],
  },
  RoutingErrors: {
    reason: "the recipient's servers could not route it",
    actions: [TELL_RECIPIENT],
  },
  BadConfiguration: {
    reason: "the recipient's server is set up incorrectly",
    actions: [TELL_RECIPIENT],
  },
  ChallengeResponse: {
    reason: "the sender has to confirm first that a person wrote the message",
    actions: [
      { kind: "contact_recipient", text: "Ask the recipient to allow mail from your address." },
    ],
  },
  ProtocolErrors: {
    reason: "one of the SMTP commands was not understood",
    actions: [TELL_OPERATOR],
  },
  BadConnection: {
    reason: "the connection to the recipient's server broke off",
    sentence: "The connection to the server of {domain} broke off.",
    actions: [SEND_AGAIN],
  },
  NoAnswerFromHost: {
    reason: "the recipient's server did not answer",
    sentence: "The server of {domain} did not answer.",
    actions: [SEND_AGAIN],
  },
  MessageExpired: {
    reason: "the recipient's servers could not deliver it in time",
    sentence: "The servers of {domain} could not deliver the message in time.",
    actions: [SEND_AGAIN],
  },
  AutoReply: {
    reason: "an automatic reply came instead of a delivery report",
    sentence: "An automatic reply came back from {domain}.",
    actions: [],
  },
  Subscribe: {
    reason: "a request to subscribe came instead of a delivery report",
    sentence: "A request to subscribe came back from {domain}.",
    actions: [],
  },
  Unsubscribe: {
    reason: "a request to unsubscribe came instead of a delivery report",
    sentence: "A request to unsubscribe came back from {domain}.",
    actions: [{ kind: "remove_from_list", text: "Take the address off the list." }],
  },
  Uncategorized: {
    reason: "the reason is not clear from the reply",
    actions: [
      { kind: "contact_provider", text: "Ask the postmaster of {domain} what the reply means." },
    ],
  },
};

export const NO_REPLY_TEXTS: Readonly<Record<NoReplyCause, RefusalText>> = {
  no_mail_server: {
    reason: "the domain does not exist or has no mail server",
    sentence: "{domain} does not exist or has no mail server.",
    actions: [CORRECT_ADDRESS],
  },
  null_mx: {
    reason: "the domain's DNS says that it accepts no mail",
    sentence: "{domain} accepts no mail: its DNS says so with a null MX.",
    actions: [CORRECT_ADDRESS],
  },
  no_dns_answer: {
    reason: "the domain's mail server could not be looked up in DNS",
    sentence: "The mail server of {domain} could not be looked up in DNS.",
    actions: [SEND_AGAIN],
  },
  no_tls: {
    reason: "the recipient's server and this service could not agree on TLS",
    sentence: "The server of {domain} and this service could not agree on TLS.",
    actions: [SEND_AGAIN, TELL_OPERATOR],
  },
  sending_domain_gone: {
    reason: "the sending domain {from_domain} was deleted",
    sentence:
      "Nothing was sent: the sending domain {from_domain} was deleted before the time came.",
    actions: [
      {
        kind: "verify_domain",
        text: "Add {from_domain} again, verify it, and send the message again.",
        href: "/v1/domains",
      },
    ],
  },
  no_connection: {
    reason: "the recipient's server could not be reached",
    sentence: "The server of {domain} could not be reached.",
    actions: [SEND_AGAIN],
  },
  connection_lost: {
    reason: "the attempt ended before the recipient's server answered",
    sentence: "The attempt ended before the server of {domain} answered.",
    actions: [SEND_AGAIN],
  },
};

/** Why an address is suppressed. {refusal} is the reason of the bounce's class. */
export const SUPPRESSION_TEXTS: Readonly<
  Record<SuppressionReason, { readonly reason: string; readonly action: string }>
> = {
  permanent_bounce: {
    reason: "{domain} refused an earlier message for good ({refusal})",
    action: "Lift the suppression when you know that the address works again.",
  },
  complaint: {
    reason: "its owner reported a message as spam",
    action: "Lift the suppression only if the owner asks you to write again.",
  },
  unsubscribed: {
    reason: "its owner unsubscribed",
    action: "Lift the suppression only if the owner asks you to write again.",
  },
  manual: {
    reason: "your team added the address to its suppressions",
    action: "Lift the suppression if the address is to get mail again.",
  },
};

/** A message that waits before anything became of it, by what it waits for. */
export const HOLD_TEXTS: Readonly<Record<JobHold, StateText>> = {
  rate: {
    summary:
      "The message waits for its turn: at most {rate} messages a minute leave for your team.",
    next: "It is sent as soon as the messages before it have left.",
    actions: [
      {
        kind: "raise_limit",
        text: "Wait, or ask the operator of this service for a higher delivery rate.",
        href: "/v1/usage",
      },
    ],
  },
  queue: {
    summary: "The message is about to be sent to {domain}.",
    next: "It is sent within moments.",
    actions: [WAIT],
  },
  attempt: {
    summary: "The message is being sent to {domain} now.",
    next: "The server's answer is recorded as soon as it comes.",
    actions: [WAIT],
  },
  courier: {
    summary: "The message waits, because no mail can leave this service at the moment.",
    next: "The service tries again every few minutes.",
    actions: [
      {
        kind: "contact_operator",
        text: "If this lasts longer than a few minutes, tell the operator of this service.",
      },
    ],
  },
  retry: {
    summary: "The message waits for its next attempt at {domain}.",
    next: "The service tries again at {next_attempt}, and gives up at {deadline}.",
    actions: [WAIT],
  },
  provider: {
    summary: "The mail provider has the message and has not reported yet what became of it.",
    next: "The service waits for the provider's report until {deadline}.",
    actions: [WAIT],
  },
};

/** The sentences on what follows a delay, by what the job waits for now. */
export const DELAY_NEXT: Readonly<Record<JobHold, string>> = {
  rate: "The service tries again soon, and gives up at {deadline}.",
  queue: "The service tries again now, and gives up at {deadline}.",
  attempt: "The service is trying again now, and gives up at {deadline}.",
  courier: "The service tries again when mail can leave again, and gives up at {deadline}.",
  retry: "The service tries again at {next_attempt}, and gives up at {deadline}.",
  provider: "The mail provider goes on trying until {deadline}.",
};

export const DELAY_ACTION = WAIT;

/** The states that have one text each. */
export const STATE_TEXTS = {
  scheduled: {
    summary: "The message is scheduled for {scheduled}.",
    next: "It is sent to {address} at that time.",
    actions: [
      {
        kind: "change_schedule",
        text: "Until then the message can be moved or canceled.",
        href: "/v1/email/{email_id}",
      },
    ],
  },
  canceled: {
    summary: "The message was canceled before its time came.",
    next: "It is never sent.",
    actions: [],
  },
  delivered: {
    summary: "{domain} accepted the message.",
    next: "The service is done: {domain} decides whether the message goes to the inbox or to spam.",
    actions: [],
  },
  complained: {
    summary: "The recipient reported the message as spam.",
    next: "",
    actions: [
      {
        kind: "remove_from_list",
        text: "Take the address off your lists, and find out why the message was not wanted.",
      },
    ],
  },
  unknown: {
    summary: "No message to {address} is known from the last {days} days.",
    next: "The address is not suppressed: the next message to it will be sent.",
    actions: [
      {
        kind: "correct_address",
        text: "Compare the address letter by letter with the one that your program sent to.",
      },
    ],
  },
} as const satisfies Readonly<Record<string, StateText>>;
