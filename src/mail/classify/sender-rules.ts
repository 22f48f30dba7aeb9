// The bounce rules that blame the sender, the source or the message, as data: which wording of a
// refusal means which class (contract.md §Bounces). Correct a wrong classification here or in
// recipient-rules.ts, which also defines the order of the rules. Pure.
import type { SmtpStage } from "../../../smtp-gateway/src/smtp/smtp-reply.ts";
import type { BounceRule } from "./bounce-class.ts";

// Before DATA the server has seen no content, so what it calls spam then is the source.
const BEFORE_CONTENT: readonly SmtpStage[] = ["connect", "helo", "starttls", "mail", "rcpt"];
const AFTER_CONTENT: readonly SmtpStage[] = ["data", "end"];

const RATE = [
  /rate[- ]?(?:control|limit)|ratelimit|throttl|\bslow(?:ing)? down|thread limit|frequency limit|\bgreeting delay/,
  /too (?:many|much) (?:concurrent |simultaneous |open |smtp )?(?:connection|session|message(?!s? (?:on|in|stored))|mail(?! data)|e-mail|request|invalid|unknown|bad|error|nonmail|failed)/,
  /(?:too|receiving mail too) (?:quickly|fast|frequent)|at a rate (?:that|which)|receivingrate|unusual rate|excessive (?:volume|rate|connection|mail)/,
  /(?:connection|message|sending|ip|domain|hourly|daily|session|relay) (?:rate|frequency|quota|limit)s?(?: is| has been)? (?:exceeded|reached)|mail (?:rate|frequency|limit)s?(?: is| has been)? (?:exceeded|reached)|(?:quota|limit) (?:is |was )?exceeded for (?:the |your |this )?send(?:er|ing)|frequency limited/,
  /(?<!size |length )exceed(?:ed|s|ing)? (?:the |its |your )?(?:permitted|allowed|maximum|max|hourly|daily|message rate|connection|sending|relay)\b(?! (?:allowed |permitted )?(?:message |mail |mailbox )?(?:size|length|storage|quota))/,
  /(?:e?mails|messages|recipients) (?:allowed )?(?:per|this|an|in the last) (?:hour|day|minute)|maximum (?:concurrent|number of) connections|limit for the number of messages|receive limit|daily limit|expn:|dyn:t\d/,
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
      /\bptr\b|reverse[- ](?:dns|host ?name|lookup|mapping|resolution)|\brdns\b|\bfcrdns\b|rtr:rd\b|dns:nr\b/,
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

export const HARMFUL: readonly BounceRule[] = [
  {
    class: "SpamContent",
    source: "T-Online, amavisd: one verdict for both",
    says: [/spam or virus|virus or spam|- spam\b.{0,20}$|blocked:spam|\bgtube\b/],
  },
  {
    class: "VirusRelated",
    source: "amavisd (INFECTED), ClamAV milter, Mimecast, Barracuda, Outlook DY-002, AOL RTR:CH",
    says: [
      /(?<!anti[- ])\bvirus(?:es)?\b|malware|\binfected\b|\btrojan|ransomware|\beicar\b|\bdy-002\b|rtr:ch\b/,
    ],
  },
  {
    class: "ProhibitedAttachment",
    source: "Gmail 552 5.7.0, amavisd (BANNED), Mimecast attachment policies, Barracuda",
    says: [
      /(?:prohibited|blocked|banned|forbidden|illegal|unsafe|dangerous|disallowed|suspicious|restricted|invalid|executable|unacceptable) (?:file )?(?:attachment|file ?(?:name|type|extension))|attachment of a forbidden/,
      /(?:not accept|refuse) (?:mail|messages|e-?mail) (?:with|containing) [^.;]{0,24}attachment/,
      /attachments?\b.{0,60}\b(?:not (?:allowed|permitted|accepted)|prohibited|blocked|banned|forbidden|rejected|removed|denied)/,
      /(?:file|extension|file type)s? (?:is |are )?(?:not (?:allowed|permitted|accepted)|blocked|prohibited|banned)|- banned\b|banned contents|executable files?\b|potential security issue/,
    ],
  },
];

export const SOURCE: readonly BounceRule[] = [
  {
    class: "SpamContent",
    source:
      "URI lists name what the message says, not who sends it: Spamhaus DBL, URIBL, SURBL; " +
      "FortiMail, Barracuda, AOL HVU",
    says: [
      /\buribl\b|\bsurbl\b|\bdbl\b|(?:spam|blocked|blocking|blacklisted|malicious|suspicious|bad) (?:url|uri|link)|(?:url|uri|link)s? (?:in|within) (?:this|the|your)|(?:url|uri|link)s? (?:is |are |was )?(?:black ?-?listed|blocked|listed)|hvu:b/,
      /(?:one of )?your url domains|(?:mail|messages) with (?:the|this) (?:url|link)|\burl in (?:the )?(?:message|mail|body)/,
    ],
  },
  {
    class: "PolicyRelated",
    source:
      "Exchange transport rules and delivery restrictions: 5.7.1, 5.7.124, 5.7.129, 5.7.133, " +
      "5.7.134",
    says: [
      /transport\.rules|resolver\.rst\.(?!recipsizelimit)|allowed[- ]senders|restrictedtorecipients|sendernotauthenticated|rejected by (?:your |the )?(?:organi[sz]ation|admin)/,
    ],
  },
  {
    class: "PolicyRelated",
    source: "A recipient's own block list, as Exchange, Mimecast, cPanel and Fastmail word it",
    says: [
      /black ?-?listed by (?:the )?recipient|blocked by (?:the )?(?:recipient|user)|(?:recipients?|user) (?:has |have )?(?:blocked|rejected) (?:you|your|this|mail|messages|the)|rejected by (?:the |this )?(?:recipients?|user)/,
      /(?:recipients?|user) (?:has |have |)(?:declined|refuse[sd]?|opted out)|only (?:for )?(?:members|internal|subscribers)|(?:members|subscribers) only|only members|only (?:accepts? )?(?:mail |messages |e-?mail )?from|(?:approved|allowed|authori[sz]ed) senders|we (?:reject|refuse|block) (?:all )?(?:mail|messages|e-?mail)|internal (?:mail|messages|senders|use)|not subscribed|non-?member|mailing list(?! expansion)|mail from you\b|unwanted/,
      /(?:does|do|is|are) ?n[o']t? (?:not )?(?:accept|want|receive|allow|take|like)(?:ing)? (?:any )?(?:mail|messages|e-mail|email) from|(?:not to receive|only (?:accepts?|receives?|allows?)) (?:mail|messages|e-mail|email) from|manually blocked senders|envelope blocked|recipient'?s block/,
    ],
  },
  {
    class: "TransientFailure",
    source: "Greylisting: Postgrey, milter-greylist, Yahoo GL01, Mimecast 451",
    says: [
      /gr[ea]y-?list|\bgl01\b|first-time sender|temporarily rejected by (?:design|intention)|internal resources? (?:are |is )?temporarily unavailable/,
    ],
    kind: 4,
  },
  {
    class: "SpamBlock",
    source:
      "Postfix reject_rbl_client and postscreen, Exim dnslists, Spamhaus, SpamCop, " +
      "Barracuda, SORBS, UCEPROTECT, Cloudmark, Trend Micro, AT&T",
    says: [
      /spamhaus|spamcop|\bsorbs\b|barracudacentral|barracuda reputation|barracudanetworks\.com\/reputation|uceprotect|abuseat\.org|\bpsbl\b|invaluement|ivmsip|hostkarma|spamrl\.com/,
      /mail-abuse\.(?:com|org)|csi\.(?:cloudmark\.com|mimecast\.org)|dnsbl|\brhsbl\b|\b(?:rbl|pbl|xbl|sbl)\b|realtime block|black ?-?(?:list|hole)|block ?-?list|deny ?-?list|banlist/,
      /blocked using|(?<!not )\blisted (?:at|in|on|by)\b(?! the public)|listing in\b|abuse (?:list|report|complaint)/,
      /\bip\b[^.;]{0,40}(?:\bblocked|\bbanned|\bis bad\b|block for spam)|\b(?:bad|blocked|banned) ip\b/,
    ],
  },
  {
    class: "SpamBlock",
    source:
      "Reputation: Cisco IronPort, Gmail, Exchange Online 4.7.650, Proofpoint PDR, Mimecast, " +
      "Outlook S3140 and S3150, Talos",
    says: [
      /(?:poor|bad|low|negative|suspicious) (?:ip |domain |sender |sending )?reputation|(?:ip|sender|domain) reputation|reputation of\b|reputation sender|senderbase|senderscore|talosintelligence/,
      /dnsbl-lookup|ipcheck\.proofpoint|banned send|spam abuse detected|part of their network|\bs31[45]0\b|access to submit messages|access to this mail system has been rejected/,
      /unsolicited mail originating|unusual rate of unsolicited|unsolicitediperror|unsolicitedratelimit|blockedmessage\b/,
    ],
  },
  {
    class: "SpamBlock",
    source:
      "Yahoo TS, TSS and BL codes, AOL RTR, RLY and CON, Outlook SC and OU, T-Online, " +
      "NetEase, Mail.ru, Free, Postfix postscreen",
    says: [
      /\[(?:tss?\d\d|bl\d\d|ipts\d\d)\]|user complaints|(?:will be|been) permanently deferred|rtr:(?:bl|sc|bb|ge)\b|rly:[a-z]\d|con:b1|\b(?:sc|ou)-00\d\b|\bmi:spb\b|hl:(?:ip[a-z]|rep)\b/,
      /a problem occurred\. \(ask your postmaster|none\/bad reputation|exceedingly high amount of spam|access from ip address|(?:your|sending|the|client|remote|this) (?:ip|ip address|host|server|network) (?:\S{1,64} )?(?:is |has been |was |are )?(?:blocked|banned)/,
      /(?:too many|sending|source of|known) spams?\b|spammer|spam source|open (?:relay(?! not)|proxy)|excessive unknown recipients|found on one or more|\bip (?:blocked|banned)|black ip\b|:blocked\b|\bblocked$/,
    ],
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
      /(?:unable|not (?:allowed|permitted|authori[sz]ed)|isn't allowed|cannot|can't|won't|don't|does ?n[o']t|do not|refus(?:ed|es|ing)) (?:to )?relay|\bno relay(?:ing)?\b|den(?:y|ies) relay/,
      /rcpthosts|relaying disallowed|non-accepted domain|\bnot an? (?:open )?relay|use me (?:\S{1,60} )?as a relay|(?:not|isn't) (?:a |an )?(?:local|hosted|relay) domain|not hosted here|(?:don't|do not|doesn't|does not) (?:handle|accept) (?:mail|e-?mail) for|open relay not allowed/,
    ],
  },
  {
    class: "RelayingIssues",
    source: "RFC 4954 section 6 (530 5.7.0, 535 5.7.8), Exchange 5.7.57, Sendmail, hosting panels",
    says: [
      /(?:smtp )?auth(?:entication|entification)? (?:is )?required|authenti?fication requise|autenticazione richiesta|authentifizierung erforderlich|autenticacion requerida|(?:must|need to|have to) (?:be )?(?:authenticate|log(?:ged)? ?in|sign(?:ed)? in)|authenticate first|smtp auth\b|log ?in first|(?:pop|imap) (?:before|first)/,
      /not authenticated to send|client (?:was |is )?not authenticated|requires authentication|authentication (?:credentials )?(?:invalid|unsuccessful|failed)|incorrect authentication/,
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
      "Rates: Gmail 4.2.1, Outlook, iCloud 421 4.7.1, Yandex 450 4.2.1, GMX, Sendmail, " +
      "Postfix anvil",
    says: RATE,
    kind: 4,
  },
  {
    class: "PolicyRelated",
    source: "Rates refused for good: QQ, Gmail ReceivingRatePerm, Exchange Online 5.7.508, cPanel",
    says: RATE,
    kind: 5,
  },
];

export const SPAM: readonly BounceRule[] = [
  {
    class: "SpamContent",
    source:
      "Gmail UnsolicitedMessageError, Yandex, Mail.ru, Cloudmark, SpamAssassin, Exim, " +
      "Barracuda, QQ, NetEase DT, Orange, Symantec",
    says: [
      /likely unsolicited|unsolicitedmessageerror|suspicion of spam|spam (?:message|content|score|detect|filter|points|threshold|pattern|scale|classif|verdict|probab)|spamtext|spamassassin/,
      /(?:as|like|is|be|considered|probability of|contains?|possible|probable|suspected|identified|detected|reject(?:ed)?) (?:an? )?(?:unsolicited|spam|ube\b|uce\b|junk|phish|bulk)/,
      /mail content denied|junk ?mail|phish|\[ph0\d\]|message filtered|anti-?spam|bulk mail|dt:[a-z]{3}\b/,
    ],
    stages: [...AFTER_CONTENT, null],
  },
  {
    class: "SpamContent",
    source: "After the content: what is called spam is the message",
    says: [/\bspam|unsolicited|\bjunk\b/],
    stages: AFTER_CONTENT,
  },
  {
    class: "SpamBlock",
    source: "Before the content: what is called spam is the source",
    says: [/\bspam|unsolicited|\bjunk\b|phish/],
    stages: BEFORE_CONTENT,
  },
  {
    class: "SpamRelated",
    source: "A report that says spam and nothing else",
    says: [/\bspam|unsolicited|\bjunk\b/],
    stages: [null],
  },
];

export const POLICY: readonly BounceRule[] = [
  {
    class: "InvalidRecipient",
    source:
      "Exim (verify = recipient/callout): worded as if about a sender, but about RCPT TO at " +
      "the next host",
    says: [
      /sent: rcpt to.{0,200}(?:user|recipient|mailbox|address).{0,100}recipient verify failed/,
    ],
    stages: ["rcpt", null],
  },
  {
    class: "InvalidSender",
    source: "Exim (verify = sender/callout), whatever the sender's server said",
    says: [
      /sender verify failed|callback setup failed|verification failed for|could not verify (?:the )?sender|no valid sender/,
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
      /\bpolic(?:y|ies)\b|administrative prohibition|administratively|recipient address rejected: access denied|client host rejected|helo command rejected|\bgcdp\b|impersonation|(?:white|allow) ?-?list|\bbatv\b|backscatter/,
      /(?:mail|messages|e-mail|email) from (?:your|this|that|the sending) (?:domain|ip|server|host|network|country|address|sender)|will not accept (?:delivery of )?(?:this|your|the|any) (?:message|mail|e-mail|email)|(?:external|outside|internet) (?:mail|e-mail|email|message|sender)/,
      /low priority|mass mailer|organi[sz]ational settings|captcha|user rejects?\b|use the smtp server of your|requires confirmation|confirm this mail server|no access from|due to extended inactivity/,
      /dynamic (?:ip|address|host)|dial-?up|\bdy-001\b|rtr:du\b|geographical|rejected by (?:header|sender)|excluded (?:country|region)|unacceptable (?:content|mail)/,
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
      /sender address (?:rejected: (?:domain|user|undeliverable|unverified|need|not|improper)|syntax|contains|has null)|(?:invalid|bad|unknown|malformed|illegal|null|blank) (?:envelope[- ])?(?:sender|return[- ]path|mail from|from address)/,
      /sender (?:address |domain )?(?:is )?(?:invalid|unknown|does ?n[o']t (?:exist|resolve)|does not (?:exist|resolve)|not exist|not valid|verif\w{1,10} (?:failed|error)|must|has no|could not|cannot|not found|resolve)/,
      /domain of (?:the )?sender|envelope (?:sender|from) (?:domain|address)|sender'?s (?:domain|address)|send(?:ing|er) domain (?:does|has no|could|can ?not)|mail from (?:domain )?(?:invalid|must|does)|from domain must|from:? domain (?:is |does )|sender (?:email |mail )?(?:is |was )?(?:denied|rejected): (?:mailbox|unknown|invalid|domain|user)|domain name required for sender/,
      /(?:return|mail from|your|your from) address (?:is |was )?(?:unknown|not found|invalid|does ?n[o']t|does not|has no|could not)|your (?:sending |sender )?domain (?:@ )?(?:is |was )?(?:unknown|not found|invalid|does ?n[o']t|does not|has no)/,
      /(?:bogus|empty|unroute?able) (?:mail ?from|sender|envelope sender)|sender domain is empty|mail from not owned|mail from$|third-party dsns|email address is not verified|returned mail not accepted|recursive cname|\bmx records? for\b/,
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
