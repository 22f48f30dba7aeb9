// Bounce rules as data (contract.md §Bounces) that blame the sender or the sender's rights:
// authentication, relaying, limits and policy. Pure.
import type { BounceRule } from "./bounce-class.ts";

const RATE = [
  /rate[- ]?(?:control|limit)|ratelimit|throttl|\bslow(?:ing)? down|thread limit|frequency limit|\bgreeting delay/,
  /too (?:many|much) (?:concurrent |simultaneous |open |smtp )?(?:connection|session|message(?!s? (?:on|in|stored))|mail(?! data)|e-mail|request|invalid|unknown|bad|error|nonmail|failed)/,
  /(?:too|receiving mail too) (?:quickly|fast|frequent)|at a rate (?:that|which)|receivingrate|unusual rate|excessive [^.;!?]{0,24}\b(?:volume|rate|connection|mail|unknown|invalid|error|failure)/,
  /(?:connection|message|sending|ip|domain|hourly|daily|session|relay) (?:rate|frequency|quota|limit)s?(?: is| has been)? (?:exceeded|reached)|mail (?:rate|frequency|limit)s?(?: is| has been)? (?:exceeded|reached)|(?:quota|limit) (?:is |was )?exceeded for (?:the |your |this )?send(?:er|ing)|frequency limited/,
  /(?<!size |length )exceed(?:ed|s|ing)? (?:the |its |your )?(?:(?:permitted|allowed|maximum|max) (?:number|rate|connection|session|threshold|limit|emails|mails|messages)|hourly|daily|message rate|connection|sending|relay)\b(?! (?:allowed |permitted )?(?:message |mail |mailbox )?(?:size|length|storage|quota))/,
  /(?:e?mails|messages|recipients) (?:allowed |received |sent )?(?:per|this|an|in the last) (?:hour|day|minute)|maximum (?:concurrent|number of) connections|limit for the number of messages|receive limit|daily limit|expn:|dyn:t\d/,
  /\b(?:rp:(?:cel|qrc|trc|rcl|drc)|mi:(?:cel|dmc|ccl|stc)|hl:i[cft]c)\b/,
];

export const AUTHENTICATION: readonly BounceRule[] = [
  {
    class: "AuthenticationFailed",
    source:
      "RFC 7208, 6376, 7489 and 8617; Gmail, Exchange Online 5.7.509 and 5.7.515, GMX, " +
      "Mail.ru, Mimecast, Symantec, NetEase name the mechanism",
    says: [
      /\bdmarc|\bdkim\b|domainkeys|\bspf\b|sender policy framework|\barc (?:validation|seal|fail)/,
      /(?:sender|host|server|client|ip|you)\b[^.;!?]{0,24}\bnot (?:allowed|permitted|authori[sz]ed) to send (?:e?-?mails? |messages? )?(?:from|for|on behalf)/,
      /unauthenticated (?:e-?mail|mail|message|sender)|sender is unauthenticated|authentication level|unauthenticatedmail|notauthorizederror/,
      /authentication (?:information|checks?|results?)|(?:message|e-?mail|sender|domain) authentication (?:fail|required by)|rejecting spoofed|spoofed (?:sender|message|mail)/,
    ],
  },
  {
    class: "AuthenticationFailed",
    source:
      "RFC 7372 section 3.3 (X.7.25); Gmail, GMX, Postfix reject_unknown_client_hostname, " +
      "Sendmail, AT&T, AOL RTR:RD and DNS:NR",
    says: [
      /\bptr\b|reverse[- ](?:dns|(?:host ?)?name|lookup|mapping|resolution)|\brdns\b|\bfcrdns\b|rtr:rd\b|dns:nr\b/,
      /cannot find your (?:reverse )?host ?name|ip name (?:lookup failed|possibly forged)|without a valid sender domain|mismatches client|unresolvable relay host/,
      /(?:your|client|remote|sending|connecting) (?:smtp |mail )?(?:host|server)(?: ?name)? (?:is |was )?(?:unknown|not found|invalid|does ?n[o']t|does not|has no)/,
    ],
  },
  {
    class: "AuthenticationFailed",
    source: "Yahoo sender error codes: AU01, AU02 (DKIM)",
    says: [/\(au0\d\)|\[au0\d\]/],
  },
];

export const ACCESS: readonly BounceRule[] = [
  {
    class: "RelayingIssues",
    source: "cPanel, MailEnable: relaying is offered after authentication",
    says: [/turn on smtp auth|requires authentication when attempting to send/],
  },
  {
    class: "PolicyRelated",
    source:
      "RFC 3207 section 4 (530 Must issue a STARTTLS command first), RFC 8689 (X.7.30); " +
      "Gmail 421 4.7.0 and 550 5.7.29",
    says: [
      /must issue a? ?starttls|starttls (?:is )?(?:required|first)|tls (?:is )?required|requires? (?:tls|starttls|encryption)|encryption (?:is )?(?:required|needed)|without a tls|requiretls/,
    ],
  },
  {
    class: "RelayDenied",
    source:
      "Postfix reject_unauth_destination, Sendmail check_rcpt, Exim, Exchange 5.7.64, qmail " +
      "rcpthosts, Symantec, NetEase",
    says: [
      /relay(?:ing)?(?: access| mail| of mail)?(?: (?:for|to) <?@>?)?(?: is)? (?:denied|not (?:permitted|allowed|authori[sz]ed|enabled)|prohibited|disabled|forbidden|rejected)/,
      /(?:unable|isn't allowed|cannot|can't|won't|don't|does ?n[o']t|\bnot|refus(?:ed|es|ing)|unauthori[sz]ed) (?:(?:permitted|allowed|authori[sz]ed|configured|able) )?(?:to )?relay(?!=)|\bno relay(?:ing)?\b|den(?:y|ies) relay|\brelay(?:ing|ed)?\b(?!=)[^.;!?]{0,24}\b(?:denied|prohibited|forbidden|disallowed|not (?:permitted|allowed))/,
      /rcpthosts|relaying disallowed|non-accepted domain|\bnot an? (?:open )?relay|use me (?:\S{1,60} )?as a relay|(?:not|isn't) (?:a |an )?(?:local|hosted|relay) domain|not hosted here|not a gateway|(?:don't|do not|doesn't|does not) (?:handle|accept) (?:mail|e-?mail) for (?!(?:this|that|the) (?:user|recipient|address|mail ?box|account|person))|open relay not allowed/,
    ],
  },
  {
    class: "RelayingIssues",
    source: "RFC 4954 section 6 (530 5.7.0, 535 5.7.8), Exchange 5.7.57, Sendmail, hosting panels",
    says: [
      /(?:smtp )?auth(?:entication|entification)? (?:is )?required|authenti?fication requise|autenticazione richiesta|authentifizierung erforderlich|autenticacion requerida|(?:must|need to|have to) (?:be )?(?:authenticate|log(?:ged)? ?in|sign(?:ed)? in)(?! to (?:re-?)?(?:activate|enable))|authenticate first|smtp auth\b|log ?in first|(?:pop|imap) (?:before|first)/,
      /(?:unknown|invalid|wrong|bad|incorrect) [^.;!?]{0,24}(?:password|credentials?)\b/,
      /not authenticated to send|client (?:was |is )?not authenticated|requires authentication|authentication (?:credentials )?(?:invalid|unsuccessful|failed)|incorrect authentication|\bauth (?:failed|error)/,
    ],
  },
];

export const LIMITS: readonly BounceRule[] = [
  {
    class: "TooManyRecipients",
    source: "RFC 3463 X.5.3, RFC 5321 section 4.5.3.1.10; Gmail, Postfix, IronPort",
    says: [
      /too many (?:rcpt|recipient)|recipients? (?:limit|count) (?:exceeded|reached)|recipients? (?:limit )?exceed|rcpt (?:limit|numbers)|max(?:imum)? (?:number of )?recipients/,
    ],
  },
  {
    class: "TransientFailure",
    source:
      "Temporary refusals of the rate: Gmail 4.2.1, Outlook, iCloud 421 4.7.1, Yandex 450 4.2.1, " +
      "GMX, Sendmail, Postfix anvil",
    says: RATE,
    kind: 4,
  },
  {
    class: "PolicyRelated",
    source:
      "Permanent refusals of the rate: QQ, Gmail ReceivingRatePerm, Exchange Online 5.7.508, cPanel",
    says: RATE,
    kind: 5,
  },
];

export const POLICY: readonly BounceRule[] = [
  {
    class: "InvalidRecipient",
    source:
      "Exim (verify = recipient/callout): the wording seems to mean a sender, but the next host " +
      "refused RCPT TO",
    says: [
      /sent: rcpt to.{0,200}(?:user|recipient|mailbox|address).{0,100}recipient verify failed/,
    ],
    stages: ["rcpt", null],
  },
  {
    class: "InvalidSender",
    source: "Exim (verify = sender/callout), for any answer of the sender's server",
    says: [
      /sender verify failed|callback setup failed|verification failed for(?! (?:the )?(?:recipient|rcpt))|could not verify (?:the )?sender|no valid sender/,
    ],
  },
  {
    class: "ProtocolErrors",
    source: "RFC 5321 section 4.1.1.1; Exim and Sendmail on a HELO that is not a name",
    says: [
      /syntactically invalid (?:helo|ehlo)|(?:helo|ehlo) (?:or (?:helo|ehlo) )?(?:required|first|requires domain)|send (?:helo|ehlo)/,
    ],
  },
  {
    class: "PolicyRelated",
    source: "HELO restrictions of Postfix, Exim and cPanel",
    says: [/\b(?:helo|ehlo)\b/],
    kind: 5,
  },
  {
    class: "InvalidRecipient",
    source:
      "Exchange Online 550 5.4.1: directory-based edge blocking, the address is not in the " +
      "organization",
    says: [/recipient address(?:es)? rejected ?: access denied/],
    statuses: ["4.1"],
    kind: 5,
  },
  {
    class: "PolicyRelated",
    source:
      "iCloud HM08 and CS01, Yahoo 5.7.9, GMX, Yandex, Proofpoint, Mimecast, Symantec, " +
      "Postfix access(5), Gmail gcdp, HELO restrictions",
    says: [
      /\bpolic(?:y|ies)\b|administrative prohibition|recipient address rejected: access denied|\bor (?:you )?(?:may |do )?(?:not|n't) (?:have )?(?:the )?permission|\baccept (?:e-?)?mails? over\b|client host rejected|helo command rejected|\bgcdp\b|impersonation|(?:white|allow) ?-?list|\bbatv\b|backscatter/,
      /(?:mail|messages|e-mail|email) from (?:your|this|that|the sending) (?:domain|ip|server|host|network|country|address|sender)|will not accept (?:delivery of )?(?:this|your|the|any) (?:message|mail|e-mail|email)|(?:external|outside|internet) (?:mail|e-mail|email|message|sender)/,
      /low priority|mass mailer|organi[sz]ational settings|captcha|user rejects?\b|use the smtp server of your|requires confirmation|confirm this mail server|no access from/,
      /dynamic (?:ip|address|host)|dial-?up|\bdy-001\b|rtr:du\b|geographical|rejected by (?:header|sender)|excluded (?:country|region)|unacceptable mail|\bout(?:going|bound) (?:e-?)?(?:mail|message|smtp)/,
    ],
  },
];

export const SENDER: readonly BounceRule[] = [
  {
    class: "ContentRelated",
    source:
      "RFC 5322 section 3.4; Exim (verify = header_syntax), Exchange: the wrong address is " +
      "in the header, not in the envelope",
    says: [
      /\b(?:from|to|cc|bcc|reply-to|sender|message-id|date)[:'"]{0,2} (?:mail )?(?:headers?|field)\b|header (?:address|syntax)|invalid message-id|multiple from addresses/,
    ],
  },
  {
    class: "InvalidSender",
    source:
      "RFC 3463 X.1.7 and X.1.8; Postfix reject_unknown_sender_domain, Sendmail, Exim sender " +
      "verify, GMX, Orange, Mail.ru",
    says: [
      /sender address (?:rejected: (?:domain|user|undeliverable|unverified|need|not|improper)|syntax|contains|has null)|(?:invalid|bad|unknown|malformed|illegal|null|blank) (?:envelope[- ])?(?:sender(?! ip\b)|return[- ]path|mail from|from address)/,
      /sender (?:address |domain )?(?:is )?(?:invalid|unknown|does ?n[o']t (?:exist|resolve)|does not (?:exist|resolve)|not exist|not valid|verif\w{1,10} (?:failed|error)|must|has no\b|could not|cannot|not found|resolve)/,
      /domain of (?:the )?sender|envelope (?:sender|from) (?:domain|address)|sender'?s (?:domain|address)|send(?:ing|er) domain (?:does|has no|could|can ?not)|mail from (?:domain )?(?:invalid|must|does)|from domain must|from:? domain (?:is |does )|sender (?:email |mail )?(?:is |was )?(?:denied|rejected): (?:mailbox|unknown|invalid|domain|user)|domain name required for sender/,
      /(?:return|mail from|your|your from) address (?:is |was )?(?:unknown|not found|invalid|does ?n[o']t|does not|has no|could not)|your (?:sending |sender )?domain (?:@ )?(?:is |was )?(?:unknown|not found|invalid|does ?n[o']t|does not|has no)/,
      /(?:sender|identity|(?:sending|from) address|domain (?:@ )?) ?(?:is |are |has )?(?:not|un)(?: been| yet)? ?verified|\bno mx\b[^.;!?]{0,24}\b(?:from|sender)\b|\bfrom: ?(?:domain|address)|\bfrom address\b[^.;!?]{0,40}\b(?:does not|does ?n[o']t) exist/,
      /(?:resolve|verify|validate|find an?) [^.;!?]{0,16}\b(?:your|sender'?s?|from) (?:e-?mail |sending )?(?:domain|address)|(?:bogus|fake|forged|empty|unroute?able) (?:mail ?from|sender|envelope sender)|sender domain is empty|mail from not owned|(?<!accept )mail from$|third-party dsns|email address is not verified|returned mail not accepted|recursive cname|\bmx records? for\b/,
      /sender'?s? (?:mail ?box|account|user)|sender is unvalidated|invalid dns mx or a|sender address is not allowed|message sending for this account|bad outbound sender|address you (?:are sending|send) from/,
    ],
  },
  {
    class: "PolicyRelated",
    source: "Postfix sender access maps, Proofpoint Essentials 5.1.0",
    says: [
      /sender(?: e-?mail)?(?: address)? (?:is |was )?(?:rejected|refused|denied|blocked|not (?:allowed|pre-approved))|badmailfrom/,
    ],
  },
];
