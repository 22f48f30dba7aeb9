// Says each class of a bounce as a person would: why the message came back, and what can be done
// about it. Pure.

export interface BounceWords {
  readonly headline: string;
  /** The step that helps; absent: the headline says it all. */
  readonly advice?: string;
}

const UNKNOWN: BounceWords = { headline: "The receiving server refused the message." };

/** The keys are the API's names of the classes. */
export const BOUNCE_WORDS: Readonly<Record<string, BounceWords>> = {
  InvalidRecipient: { headline: "The mailbox does not exist." },
  DNSFailure: {
    headline: "The receiving side could not look up a name in DNS.",
    advice: "Check the records of the sending domain.",
  },
  SpamBlock: {
    headline: "The receiving server blocks the sender for its reputation.",
    advice: "The refusal is about the sender: other addresses at this provider may fail as well.",
  },
  SpamContent: {
    headline: "The receiving server takes the content for spam.",
    advice: "The refusal is about the message: change its words or links.",
  },
  ProhibitedAttachment: {
    headline: "The receiving server does not take this kind of attachment.",
    advice: "Send a link instead.",
  },
  RelayDenied: {
    headline: "The receiving server takes no mail for this domain.",
    advice: "The domain's MX records point to a server that does not know it.",
  },
  AutoReply: { headline: "An automatic reply came back." },
  TransientFailure: {
    headline: "The receiving server had a passing problem.",
    advice: "Sending it again later may work.",
  },
  Subscribe: { headline: "A request to subscribe came back." },
  Unsubscribe: {
    headline: "A request to unsubscribe came back.",
    advice: "Take the address off the list that it was sent for.",
  },
  ChallengeResponse: {
    headline: "The recipient's side asks the sender to prove that a person wrote.",
    advice: "Ask the recipient to allow your address.",
  },
  BadConfiguration: {
    headline: "The receiving server is set up wrongly.",
    advice: "Only the people who run it can help.",
  },
  BadConnection: {
    headline: "The connection to the receiving server broke.",
    advice: "Sending it again later may work.",
  },
  BadDomain: { headline: "The recipient's domain does not exist, or takes no mail." },
  ContentRelated: {
    headline: "The receiving server refuses the form or the content of the message.",
    advice: "Its words say what to change.",
  },
  InactiveMailbox: { headline: "The mailbox is not in use any more." },
  InvalidSender: {
    headline: "The receiving server does not accept the sender's address.",
    advice: "Check that the address in From exists and that its domain takes mail.",
  },
  MessageExpired: {
    headline: "The message was not delivered in time.",
    advice: "Sending it again later may work.",
  },
  NoAnswerFromHost: {
    headline: "The receiving server did not answer.",
    advice: "Sending it again later may work.",
  },
  PolicyRelated: {
    headline: "The receiving server's policy forbids the message.",
    advice: "Its words say which rule: only the people who run it can make an exception.",
  },
  ProtocolErrors: {
    headline: "The servers did not understand each other.",
    advice: "Its words say which command it did not take.",
  },
  QuotaIssues: {
    headline: "The mailbox is full, or the message is too large for it.",
    advice: "Sending it again later, or smaller, may work.",
  },
  RelayingIssues: {
    headline: "The receiving server wants the sender to sign in.",
    advice: "The domain's MX records may point to a server for its own people only.",
  },
  RoutingErrors: {
    headline: "The recipient's servers could not route the message.",
    advice: "Only the people who run them can help.",
  },
  SpamRelated: {
    headline: "The message was sent back as spam.",
    advice: "The refusal is not about the address.",
  },
  VirusRelated: {
    headline: "The receiving server found a virus in the message.",
    advice: "Check its attachments and links.",
  },
  AuthenticationFailed: {
    headline: "The message failed the receiver's check of SPF, DKIM or DMARC.",
    advice: "Look at the records of the sending domain under Domains.",
  },
  TooManyRecipients: {
    headline: "The receiving server takes fewer recipients at once.",
    advice: "Sending it again later may work.",
  },
  Uncategorized: UNKNOWN,
};

/** Returns the words of a class as the API writes it. An unknown one counts as uncategorized. */
export function bounceWords(classification: string | null): BounceWords {
  return BOUNCE_WORDS[classification ?? ""] ?? UNKNOWN;
}
