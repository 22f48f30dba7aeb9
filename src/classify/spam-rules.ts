// Bounce rules as data (contract.md §Bounces) that blame the message or its source for spam,
// malware or files. docs/bounces.md describes the difference between these classes. Pure.
import { AFTER_CONTENT, BEFORE_CONTENT, type BounceRule } from "./bounce-class.ts";

export const HARMFUL: readonly BounceRule[] = [
  {
    class: "SpamContent",
    source: "T-Online, amavisd: one wording for both spam and viruses",
    says: [/spam(?: or |\/)virus|virus(?: or |\/)spam|- spam\b.{0,20}$|blocked:spam|\bgtube\b/],
  },
  {
    class: "VirusRelated",
    source: "amavisd (INFECTED), ClamAV milter, Mimecast, Barracuda, Outlook DY-002, AOL RTR:CH",
    says: [
      /(?<!anti[- ])\bvirus(?:es)?\b|malware|\binfected\b|\btrojan|ransomware|\beicar\b/,
      /\bdy-002\b|rtr:ch\b/,
    ],
  },
  {
    class: "ProhibitedAttachment",
    source: "Gmail 552 5.7.0, amavisd (BANNED), Mimecast attachment policies, Barracuda",
    says: [
      /(?:prohibited|blocked|banned|forbidden|illegal|unsafe|dangerous|disallowed|suspicious|restricted|invalid|executable|unacceptable) (?:file )?(?:attachment|file ?(?:name|type|extension))/,
      /attachment of a forbidden/,
      /(?:not accept|refus)\w{0,3} (?:any )?(?:mails?|messages?|e-?mails?) (?:with|containing) [^.;]{0,24}attachment/,
      /(?:attachments?|attached files?|file (?:names?|types?|extensions?))\b.{0,60}\b(?:not (?:be )?(?:allowed|permitted|accepted)|prohibit|block|bann|forbid|reject|remov|denied|danger|unsafe|illegal|disallow|restrict|unaccept|filter)/,
      /(?:files?|extensions?) (?:is |are )?(?:not (?:allowed|permitted|accepted)|blocked|prohibited|banned)/,
      /- banned\b|banned (?:contents|file)|executable files?\b|potential security issue/,
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
      /\buribl\b|\bsurbl\b|\bdbl\b/,
      /(?:spam|blocked|blocking|blacklisted|malicious|suspicious|bad) (?:url|uri|link)/,
      /(?:url|uri|link)s? (?:in|within) (?:this|the|your)/,
      /(?:url|uri|link)s? (?:is |are |was )?(?:black ?-?listed|blocked|listed)|hvu:b/,
      /(?:one of )?your url domains|may contain (?:the )?spam/,
      /\b(?:urls?|uris?|links?|web ?sites?)\b[^.;!?]{0,40}(?:black ?-?list|malicious)/,
      /(?:mail|messages) with (?:the|this) (?:url|link)|\burl in (?:the )?(?:message|mail|body)/,
    ],
  },
  {
    class: "PolicyRelated",
    source:
      "Exchange transport rules and delivery restrictions: 5.7.1, 5.7.124, 5.7.129, 5.7.133, " +
      "5.7.134",
    says: [
      /transport\Wrules|resolver\Wrst\W(?!recipsizelimit)|allowed[- ]senders/,
      /restrictedtorecipients|sendernotauthenticated/,
      /rejected by (?:your |the )?(?:organi[sz]ation|admin)/,
    ],
  },
  {
    class: "PolicyRelated",
    source: "A recipient's own block list, as Exchange, Mimecast, cPanel and Fastmail word it",
    says: [
      /black ?-?listed by (?:the )?recipient|blocked by (?:the )?(?:recipient|user)/,
      /(?:recipients?|user) (?:has |have )?(?:blocked|rejected) (?:you|your|this|mail|messages|the)/,
      /rejected by (?:the |this )?(?:recipients?|user)/,
      /(?:recipients?|user) (?:has |have |)(?:declined|refuse[sd]?|opted out)/,
      /only (?:for )?(?:members|internal|subscribers)|(?:members|subscribers) only|only members/,
      /only (?:accepts? )?(?:mail |messages |e-?mail )?from/,
      /(?:approved|allowed|authori[sz]ed) senders/,
      /we (?:reject|refuse|block) (?:all )?(?:mail|messages|e-?mail)/,
      /internal (?:mail|messages|senders|use)|not subscribed|non-?member/,
      /mailing list(?! expansion)|mail from you\b|(?<!too many )unwanted|senderfilterconfig/,
      /(?:does|do|is|are) ?n[o']t? (?:not )?(?:accept|want|receive|allow|take|like)(?:ing)? (?:any )?(?:mail|messages|e-mail|email) from/,
      /(?:not to receive|only (?:accepts?|receives?|allows?)) (?:mail|messages|e-mail|email) from/,
      /manually blocked senders|envelope blocked|recipient'?s block/,
      /(?:\bnot|n't|nt|'nt) want\b[^.;!?]{0,24}(?:mail|message)/,
      /(?:user|recipient)(?:'?s)? (?:rules?|preferences?|settings?|filters?)\b/,
      /\b(?:local|internal) users? only|(?:only|just) (?:for )?(?:local|internal) users/,
    ],
  },
  {
    class: "TransientFailure",
    source: "Greylisting: Postgrey, milter-greylist, Yahoo GL01, Mimecast 451",
    says: [
      /gr[ea]y-?list|\bgl01\b|first-time sender|temporarily rejected by (?:design|intention)/,
      /internal resources? (?:are |is )?temporarily unavailable/,
    ],
    kind: 4,
  },
  {
    class: "SpamBlock",
    source:
      "Postfix reject_rbl_client and postscreen, Exim dnslists, Spamhaus, SpamCop, " +
      "Barracuda, SORBS, UCEPROTECT, Cloudmark, Trend Micro, AT&T",
    says: [
      /spamhaus|spamcop|\bsorbs\b|barracudacentral|barracuda reputation/,
      /barracudanetworks\Wcom\/reputation|uceprotect|abuseat\Worg|\bpsbl\b|invaluement|ivmsip/,
      /hostkarma|spamrl\Wcom/,
      /mail-abuse\W(?:com|org)|csi\W(?:cloudmark\Wcom|mimecast\Worg)|dnsbl|\brhsbl\b/,
      /\b(?:rbl|pbl|xbl|sbl)\b|realtime block|black ?-?(?:list|hole)|block ?-?list|deny ?-?list/,
      /banlist/,
      /blocked using|(?<!not )\blisted (?:at|in|on|by|as)\b(?! the public)|listing in\b/,
      /abuse (?:list|report|complaint)|\babusive\b|\babus detect/,
      /\bip\b[^.;]{0,40}(?:\bblocked|\bbanned|\bis bad\b|block for spam)/,
      /\b(?:bad|blocked|banned) ip\b/,
    ],
  },
  {
    class: "SpamBlock",
    source:
      "Reputation: Cisco IronPort, Gmail, Exchange Online 4.7.650, Proofpoint PDR, Mimecast, " +
      "Outlook S3140 and S3150, Talos",
    says: [
      /(?:poor|bad|low|negative|suspicious) (?:ip |domain |sender |sending )?reputation/,
      /(?:ip|sender|domain) reputation|reputation of\b|reputation sender|senderbase|senderscore/,
      /talosintelligence/,
      /dnsbl-lookup|ipcheck\Wproofpoint|banned send|spam abuse detected|part of their network/,
      /\bs31[45]0\b|access to submit messages|access to this mail system has been rejected/,
      /unsolicited mail originating|unusual rate of unsolicited|unsolicitediperror/,
      /unsolicitedratelimit|blockedmessage\b/,
    ],
  },
  {
    class: "SpamBlock",
    source:
      "Yahoo TS, TSS and BL codes, AOL RTR, RLY and CON, Outlook SC and OU, T-Online, " +
      "NetEase, Mail.ru, Free, Postfix postscreen",
    says: [
      /\[(?:tss?\d\d|bl\d\d|ipts\d\d)\]|user complaints|(?:will be|been) permanently deferred/,
      /rtr:(?:bl|sc|bb|ge)\b|rly:[a-z]\d|con:b1|\b(?:sc|ou)-00\d\b|\bmi:spb\b/,
      /hl:(?:ip[a-z]|rep)\b/,
      /a problem occurred\. \(ask your postmaster|none\/bad reputation/,
      /exceedingly high amount of spam|access from ip address/,
      /(?:your|sending|the|client|remote|this) (?:ip|ip address|host|server|network) (?:\S{1,64} )?(?:is |has been |was |are )?(?:blocked|banned)/,
      /(?:too many|sending|source of|known) spams?\b|spammer|spam source/,
      /(?<!\bnot an )open (?:relay(?! not)|proxy)|too many unwanted|excessive unknown recipients|found on one or more/,
      /\bip (?:blocked|banned)|black ip\b|:blocked\b/,
    ],
  },
  {
    class: "SpamBlock",
    source: '"blocked" without a reason, in a reply before the content: the source is blocked',
    says: [/\bblocked$/],
    stages: BEFORE_CONTENT,
  },
];

export const SPAM: readonly BounceRule[] = [
  {
    class: "ContentRelated",
    source: "Gmail names the broken standard, and then spam as the reason for its strictness",
    says: [/\bnot rfc ?\d{3,4}[- ]compliant/],
    stages: [...AFTER_CONTENT, null],
  },
  {
    class: "SpamContent",
    source:
      "Gmail UnsolicitedMessageError, Yandex, Mail.ru, Cloudmark, SpamAssassin, Exim, " +
      "Barracuda, QQ, NetEase DT, Orange, Symantec",
    says: [
      /likely unsolicited|unsolicitedmessageerror|suspicion of spam/,
      /spam (?:message|content|score|detect|filter|points|threshold|pattern|scale|classif|verdict|probab)/,
      /spamtext|spamassassin/,
      /(?:as|like|is|be|considered|probability of|contains?|possible|probable|suspected|identified|detected|reject(?:ed)?) (?:an? )?(?:unsolicited|spam|ube\b|uce\b|junk|phish|bulk)/,
      /mail content denied|junk ?mail|phish|\[ph0\d\]|message filtered|ant[iy]-?spam|bulk mail/,
      /dt:[a-z]{3}\b/,
    ],
    stages: [...AFTER_CONTENT, null],
  },
  {
    class: "SpamContent",
    source: '"spam" in a reply after the content: the message is blamed',
    says: [/\bspam|unsolicited|\bjunk\b|\bu[bc]e\b|\b(?:url|uri|link)s?\b[^.;!?]{0,16}\bfilter/],
    stages: AFTER_CONTENT,
  },
  {
    class: "SpamBlock",
    source: '"spam" in a reply before the content: the source is blamed',
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

export const CONTENT: readonly BounceRule[] = [
  {
    class: "ContentRelated",
    source: "Filters that refuse what a message says without calling it spam: Barracuda, AOL, Exim",
    says: [
      /content (?:is |was )?(?:rejected|denied|refused|blocked|filter|restrict|violat|not (?:allowed|accepted|permitted))/,
      /(?:reject|block|refus)\w{0,3} (?:due to|because of|for|by) (?:\S{1,20} )?content/,
      /(?:invalid|corrupt|banned|forbidden|unacceptable|objectionable|inappropriate|prohibited|reject) (?:message |mail )?(?:content|subject|body)/,
      /\b(?:words?|phrases?|subject|body text)\b[^.;!?]{0,32}\b(?:detect|block|bann|forbid|not (?:allowed|permitted|accepted)|reject)/,
    ],
    stages: AFTER_CONTENT,
  },
];
