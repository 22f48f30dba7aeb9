// The texts on mail that was refused or not sent (contract.md §Explanations), as data.
// state-texts.ts has the texts on other states. A word in braces stands for a fact: {domain} is the
// recipient's domain, {from_domain} the sending domain. Each `reason` continues a sentence after a
// colon. Pure.
import type { BOUNCE_CLASSIFICATIONS } from "../rpc/event-types.ts";
import type { SuppressionReason } from "../rpc/recipient-states.ts";
import {
  ADDRESS_PATH,
  POSTMASTER,
  SEND_AGAIN,
  CORRECT_ADDRESS,
  FIX_DNS,
  ASK_POSTMASTER,
  TELL_RECIPIENT,
  CHANGE_MESSAGE,
  TELL_CLOUDFLARES_REPLY,
  TELL_OPERATOR,
  tellOperator,
} from "./advice-texts.ts";
import type { NoReplyCause, RefusalText } from "./explanation.ts";
import { HELD_OUT_TEXTS, SET_UP_DOMAIN } from "./hold-texts.ts";

type BounceClass = (typeof BOUNCE_CLASSIFICATIONS)[number];

/** The sentences that end in a reason. */
export const PATTERNS = {
  refused: "{domain} refused the {refused}: {reason}.",
  returned: "{domain} accepted the message and returned it later: {reason}.",
  delayed: "The message has not been delivered to {domain} yet: {reason}.",
  expired: "The message could not be delivered to {domain} within 72 hours: {reason}.",
  notSent: "Nothing was sent to {address}: {reason}.",
  suppressed: "{address} is suppressed: {reason}.",
  suppressedForTopic: '{address} is suppressed for the topic "{topic}": {reason}.',
} as const;

/** The sentences on what happens next, for use in several states. */
export const NEXT = {
  over: "The service will not retry this message.",
  triedAgain: "The service will keep trying, for 72 hours in all.",
  lifted: "The suppression is over: you can send to this address again.",
  open: "You can still send new messages to this address.",
  suppressedForNow: "Nothing will be sent to this address until the suppression ends or is lifted.",
  suppressedUntil: "Nothing will be sent to this address until {until}.",
  suppressed: "Nothing will be sent to this address until the suppression is lifted.",
  topicSuppressed:
    'No mail on the topic "{topic}" will be sent to this address until the suppression is lifted.',
} as const;

export const CLASS_TEXTS: Readonly<Record<BounceClass, RefusalText>> = {
  InvalidRecipient: { reason: "no such mailbox", actions: [CORRECT_ADDRESS] },
  InactiveMailbox: { reason: "the mailbox is no longer in use", actions: [CORRECT_ADDRESS] },
  BadDomain: {
    reason: "the domain does not exist or accepts no mail",
    sentence: "{domain} does not exist or accepts no mail.",
    actions: [CORRECT_ADDRESS],
  },
  DNSFailure: { reason: "a DNS lookup failed", actions: [FIX_DNS] },
  SpamBlock: {
    reason: "the sending server or domain is blocked because of its reputation",
    actions: [
      {
        kind: "contact_provider",
        text:
          "Ask the postmaster of {domain} to lift the block: other addresses there are probably " +
          "affected too.",
        href: POSTMASTER,
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
    actions: [
      {
        kind: "change_message",
        text: "Fix the problem that the server's reply names, then send the message again.",
      },
    ],
  },
  PolicyRelated: {
    reason: "a policy of the recipient's server does not allow it",
    actions: [ASK_POSTMASTER],
  },
  AuthenticationFailed: { reason: "it failed SPF, DKIM or DMARC", actions: [FIX_DNS] },
  InvalidSender: {
    reason: "the sender's address is not accepted",
    actions: [
      {
        kind: "verify_domain",
        text:
          "Check that the From address exists, and that {from_domain} is verified and " +
          "receives mail.",
        href: "/v1/domains",
      },
    ],
  },
  QuotaIssues: {
    reason: "the mailbox is full, or the message is too large for it",
    actions: [{ ...SEND_AGAIN, text: "Send the message again later, or make it smaller." }],
  },
  TooManyRecipients: {
    reason: "it has too many recipients",
    actions: [{ ...SEND_AGAIN, text: "Send the message again to fewer recipients at once." }],
  },
  TransientFailure: { reason: "the server asked to try again later", actions: [SEND_AGAIN] },
  RelayDenied: {
    reason: "the domain's MX records point to a server that rejects its mail",
    actions: [TELL_RECIPIENT],
  },
  RelayingIssues: {
    reason: "the domain's MX records point to a server that requires a login",
    actions: [TELL_RECIPIENT],
  },
  RoutingErrors: {
    reason: "the recipient's servers could not route it",
    actions: [TELL_RECIPIENT],
  },
  BadConfiguration: {
    reason: "the recipient's server is misconfigured",
    actions: [TELL_RECIPIENT],
  },
  ChallengeResponse: {
    reason: "the sender must first confirm that a person sent the message",
    actions: [
      { kind: "contact_recipient", text: "Ask the recipient to allow mail from your address." },
    ],
  },
  ProtocolErrors: {
    reason: "one of the SMTP commands was not understood",
    actions: [TELL_OPERATOR],
  },
  BadConnection: {
    reason: "the connection to the recipient's server was lost",
    sentence: "The connection to the server of {domain} was lost.",
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
    actions: [
      { kind: "remove_from_list", text: "Remove the address from your lists.", href: ADDRESS_PATH },
    ],
  },
  Uncategorized: {
    reason: "the reason is not clear from the reply",
    actions: [
      {
        kind: "contact_provider",
        text: "Ask the postmaster of {domain} what went wrong.",
        href: POSTMASTER,
      },
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
    actions: [
      SEND_AGAIN,
      tellOperator("If this happens again, tell the operator of this service."),
    ],
  },
  sending_domain_gone: {
    reason: "the sending domain {from_domain} was deleted",
    sentence: "Nothing was sent: the sending domain {from_domain} had already been deleted.",
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
  no_free_connection: {
    reason: "the recipient's server limits its connections, and none was free",
    sentence: "The server of {domain} limits its connections, and none was free.",
    actions: [SEND_AGAIN],
  },
  connection_lost: {
    reason: "the attempt ended before the recipient's server answered",
    sentence: "The attempt ended before the server of {domain} replied.",
    actions: [SEND_AGAIN],
  },
  ...HELD_OUT_TEXTS,
  suppressed_by_provider: {
    reason: "the address is on the suppression list of the Cloudflare account that sends the mail",
    sentence:
      "Cloudflare sent nothing to {address}: the address is on the suppression list of the " +
      "Cloudflare account that sends the mail.",
    actions: [
      tellOperator(
        "Ask the operator of this service to delete the entry in Cloudflare's dashboard, under " +
          "Compute > Email Service > Email Sending > Suppressions: a suppression lifted here does " +
          "not lift it there.",
      ),
    ],
  },
  recipient_not_allowed_by_provider: {
    reason: "the Cloudflare account that sends the mail may not send to this address",
    sentence:
      "Cloudflare sent nothing to {address}: the account that sends the mail may not send to this " +
      "address.",
    actions: [
      tellOperator(
        "Ask the operator of this service to verify the address in Cloudflare's Email Routing, " +
          "or to choose a plan of Workers that may send to every address.",
      ),
    ],
  },
  sender_not_set_up_at_provider: {
    reason: "{from_domain} is not set up for sending in the Cloudflare account",
    sentence: "Cloudflare sent nothing: {from_domain} is not set up for sending in its account.",
    actions: [SET_UP_DOMAIN],
  },
  content_refused_by_provider: {
    reason: "Cloudflare's Email Service does not accept the message's form or size",
    sentence: "Cloudflare's Email Service does not accept the message's form or size.",
    actions: [
      {
        kind: "change_message",
        text: "Fix the problem that Cloudflare's reply names, then send the message again.",
      },
    ],
  },
  refused_by_provider: {
    reason: "Cloudflare's Email Service refused it before any server was asked",
    sentence: "Cloudflare's Email Service refused the message before any server was asked.",
    actions: [TELL_CLOUDFLARES_REPLY],
  },
  undelivered_by_provider: {
    reason: "Cloudflare's Email Service could not deliver it, and quotes no reply of a server",
    sentence:
      "Cloudflare's Email Service could not deliver the message to {domain}, and quotes no reply " +
      "of a server.",
    actions: [CORRECT_ADDRESS],
  },
  unclear_answer_of_provider: {
    reason: "Cloudflare's Email Service answered with an error that does not say if it has a copy",
    sentence:
      "Cloudflare's Email Service answered with an error that does not say whether it has a copy " +
      "for {domain}.",
    actions: [TELL_CLOUDFLARES_REPLY],
  },
};

/**
 * Texts on why an address is suppressed. {refusal} is replaced by the reason of the bounce's class.
 */
export const SUPPRESSION_TEXTS: Readonly<
  Record<SuppressionReason, { readonly reason: string; readonly action: string }>
> = {
  permanent_bounce: {
    reason: "{domain} permanently refused an earlier message ({refusal})",
    action: "Lift the suppression when you know that the address works again.",
  },
  complaint: {
    reason: "the recipient reported an earlier message as spam",
    action: "Lift the suppression only if the recipient asks for your mail again.",
  },
  unsubscribed: {
    reason: "the recipient unsubscribed",
    action: "Lift the suppression only if the recipient asks for your mail again.",
  },
  manual: {
    reason: "your team added the address to its suppression list",
    action: "Lift the suppression to send to this address again.",
  },
};
