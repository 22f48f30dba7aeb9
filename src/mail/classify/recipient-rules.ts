// The bounce rules that blame the recipient's address or the way to it, as data (contract.md
// §Bounces). Pure.
import type { BounceRule } from "./bounce-class.ts";

export const UNMISTAKABLE: readonly BounceRule[] = [
  {
    class: "InvalidRecipient",
    source:
      "RFC 3463 X.1.1 with its own wording: anything else in the reply, such as relaying or " +
      "lists, is advice",
    says: [
      /user (?:is )?unknown|unknown user|no such (?:user|mail ?box|recipient|person)|(?:user|mail ?box|recipient) (?:does ?n[o']t|does not) exist/,
    ],
    kind: 5,
    statuses: ["1.1"],
  },
  {
    class: "InvalidRecipient",
    source: "cPanel",
    says: [/the account or domain may not exist/],
    kind: 5,
  },
];

export const STORAGE: readonly BounceRule[] = [
  {
    class: "TransientFailure",
    source: "RFC 3463 X.3.1; Exchange back pressure, Postfix queue_minfree",
    says: [/insufficient (?:system (?:storage|resources)|disk space;)|queue file write error/],
    kind: 4,
  },
  {
    class: "QuotaIssues",
    source:
      "RFC 3463 X.2.2, RFC 5321 (552); Gmail OverQuota, Exchange QuotaExceeded, Yahoo, GMX, " +
      "Yandex, Mail.ru, Dovecot, qmail, Orange",
    says: [
      /over ?-?quota|overquota|over (?:its |his |their |the )?(?:storage |size |quota )?limit|quota (?:is )?(?:exceed|violation|limit|full)|quotaexceeded|(?:exceed(?:s|ed|ing)?|above|reached) (?:its |his |the |their )?(?:maximum |max )?(?:allowed |permitted )?(?:disk |mailbox |mail ?box |storage |user )?(?:quota|storage|allocation)/,
      /(?:mail ?box|inbox|mailfolder|maildir|account|user|recipient|storage|disk|address) (?:@ )?(?:storage )?(?:is |are )?(?:almost )?full\b|(?:mail ?box|inbox) (?:size |storage )?limit|\bdisk full/,
      /out of (?:storage|disk|space)|(?:insufficient|not enough) (?:disk |mailbox |user |mail )?(?:storage|space|quota)|no space left|no (?:more )?space for|storage full|blocks limit|inode limit/,
      /too much mail data|too many messages (?:on|in|stored)|(?:storage|disk|mail ?box|user'?s) space|space (?:has been |is )?used up|capacity (?:is |was )?exceeded|storage limit|\bfull (?:mail ?box|inbox)|(?:not|n't) have enough space|mail ?box (?:has |have )?exceed|by quota:|exceeds the recipient'?s? (?:mail ?box )?quota|mail ?box for \S{1,64} is full/,
    ],
  },
  {
    class: "QuotaIssues",
    source:
      "RFC 3463 X.2.3 and X.3.4, RFC 1870 (552 for a message over the size limit), which " +
      "share 552 with a full mailbox",
    says: [
      /(?:message|mail|e-mail|email|body|data)(?: is| was| file)? (?:too (?:large|big|long)|larger than)|too (?:large|big)\b|databytes|sizelimit|size violation/,
      /(?:message|mail|e-mail|email) (?:size|length)|size (?:limit )?exceed|exceed(?:s|ed)? (?:the )?(?:maximum |max |fixed |allowed |permitted )?(?:message |mail )?size|maximum (?:message |mail |e-mail |email )?(?:size|length)/,
    ],
  },
];

export const MAILBOX: readonly BounceRule[] = [
  {
    class: "InactiveMailbox",
    source:
      "RFC 3463 X.2.1, RFC 5248 X.7.13; Gmail DisabledUser, Yahoo 554.30, Exchange " +
      "AccountDisabled, Mail.ru, Comcast, Hot.ee, Free",
    says: [
      /(?:account|mail ?box|user|recipient|address)(?: \S{1,64})? (?:that you tried to reach )?(?:is |has been |was |are )?(?:currently |temporarily |permanently )?(?:disabled|inactive|deactivated|suspended|closed|expired|terminated|frozen|discontinued|deleted|cancell?ed|dormant|not active)/,
      /(?:account|mail ?box|user) (?:@ )?(?:is |has been |was )?(?:locked|blocked)|(?:account|mail ?box|user|recipient|address) (?:\S{1,64} )?(?:is )?(?:no longer|not accepting|not receiving|cannot receive)/,
      /(?:disabled|inactive|deactivated|suspended|closed|expired|terminated|dormant|locked) (?:e-?mail )?(?:user|account|mail ?box|recipient|address)|disableduser|accountdisabled|mailboxdisabled|not an active (?:address|user|account|mail ?box)/,
      /due to inactivity|\bno longer (?!accept|support|allow|permit)|\bno longer accepts? (?:any )?(?:mail|e-?mail|messages)\b(?! (?:from|with|over))|\bleft (?:the |our |this )?(?:company|organi[sz]ation|firm|school|university)|\bretired\b|\bis currently (?:suspended|disabled|inactive)|\bsuspend(?:s|ed)? the service|\b(?:account|mail ?box|user|recipient)\b[^.;!?]{0,40}\b(?:disabled|inactive|deactivated|suspended|closed|terminated|frozen|discontinued|deleted|cancell?ed|dormant|archived|unused)\b|(?:mail ?box|user) (?:has |was )?moved|(?:is )?expired account/,
    ],
  },
];

export const ROUTE: readonly BounceRule[] = [
  {
    class: "DNSFailure",
    source:
      "Postfix (Name service error), Sendmail name server timeout, Exchange Online 5.4.310, " +
      "smart hosts in front of a domain",
    says: [
      /host not found, try again|name ?server: .{0,60}(?:timeout|failure)|dns (?:lookup |server |query |resolution )?(?:error|fail|time|problem)|dns domain \S{1,64} does not exist|infodomainnonexistent|temporary (?:dns|name server|resolution) |domain not found; dns lookup|(?:unable to|could not|cannot) resolve/,
    ],
  },
  {
    class: "BadDomain",
    source: "The recipient's domain, by name",
    says: [
      /(?:domain of (?:the )?recipient|recipient'?s? domain)[^.;!?]{0,32}(?:exist|found|unknown|invalid|resolve)/,
    ],
  },
  {
    class: "BadDomain",
    source:
      "RFC 3463 X.1.2, RFC 7504, RFC 7505 (556 5.1.10); Sendmail host unknown, Postfix, " +
      "Exchange Online tenants",
    says: [
      /(?:host|domain)(?: name)? (?:@ )?(?:is )?(?:unknown|not found|does ?n[o']t exist|does not exist|invalid)|unknown (?:host|domain|destination)|no such (?:host|domain)|invalid (?:host|domain)|tenant or domain not found/,
      /null ?mx|does not accept (?:any )?(?:mail|e-mail|email)(?: \(nullmx\))?\.?$|domain (?:\S{1,64} )?(?:is |has )?(?:been )?(?:suspended|expired|disabled)|bad destination system/,
    ],
    weak: true,
  },
  {
    class: "RoutingErrors",
    source:
      "RFC 3463 X.4.4 and X.4.6, RFC 5321 section 6.3; Postfix, Sendmail, qmail, Exchange " +
      "hop counts",
    says: [
      /too many (?:hops|received)|hop count|mail ?loop|(?:routing|message|mail|forwarding) loop|loops? back|is looping|looping message|loop detected|delivered-to line|(?:unable to|cannot|can't) route|no route/,
    ],
  },
  {
    class: "MessageExpired",
    source: "RFC 3463 X.4.7; Exchange 4.4.7, Sendmail, Exim, qmail-send",
    says: [
      /(?:message|delivery time|delivery|retry time(?:out)?) (?:has )?expired|retry timeout exceeded|too old|not delivered within|in the queue too long/,
    ],
  },
  {
    class: "NoAnswerFromHost",
    source: "RFC 3463 X.4.1",
    says: [
      /no answer from|host (?:is )?(?:down|unreachable)|connection (?:timed out(?! waiting)|refused)|network is unreachable/,
    ],
  },
  {
    class: "BadConnection",
    source: "RFC 3463 X.4.2; Postfix and Gmail timeouts",
    says: [
      /(?:lost connection|connection (?:was )?(?:dropped|lost|reset|closed|broken))|time ?out (?:exceeded|waiting)|\btimeout\b|timed out/,
    ],
  },
];

export const ADDRESS: readonly BounceRule[] = [
  {
    class: "InvalidRecipient",
    source:
      "RFC 3463 X.1.1 and X.1.3; Postfix, Sendmail, Exim, qmail, Gmail NoSuchUser, Exchange " +
      "RESOLVER.ADR, Yahoo, iCloud, Yandex, Mail.ru, Mimecast, Domino, IronPort",
    says: [
      /(?:unknown|no such|invalid|non-?exist(?:ent|ing)|unrecogni[sz]ed|undeliverable|wrong|incorrect|illegal) (?:or (?:unknown|illegal|invalid) )?(?:virtual |local |e-?mail |destination )?(?:user|recipient|address|mail ?box|account|alias|local ?part|person|id\b|customer|mail drop)/,
      /(?:user|recipient|address|addressee|mail ?box|account|alias|local part|@>?)(?: @| <@>| name)? (?:is |was |are )?(?:unknown|not found|not exist|not known|not recogni[sz]ed|unrecogni[sz]ed|undeliverable|invalid)|nosuchuser|user_unknown/,
      /(?:user|recipient|address|mail ?box|account|alias|@|<@>)(?: \S{1,64})? (?:that you tried to reach )?(?:does ?n['o]t exist|does not exist|do not exist|doesn't exist|doesn't have)|user doesn't have/,
      /not (?:a|an) (?:valid|known|existing|local) (?:user|recipient|mail ?box|address|account)|(?:isn't|is not|not) (?:a )?valid (?:user|recipient|mail ?box|address)|not our customer|recip(?:ient)?notfound|recipient not found/,
      /no (?:mail-?box|mail box|account|one|user) (?:here|by that name|with that|available|exists)|bad destination mailbox|mailbox name not allowed|not listed in (?:the )?(?:domino|public|name)|address[_ ]not[_ ]found/,
      /(?:^|5\.1\.0 )address rejected|(?:user|recipient) \S{1,64} (?:is )?unknown|user not local|has no mailbox|couldn't be found|i cannot deliver mail for|not in (?:my|our) validrcptto/,
    ],
  },
  {
    class: "InvalidRecipient",
    source: "The same words further apart, unless a policy code (X.7) outweighs them",
    says: [
      /\b(?:users?|recipients?|addressees?|mail ?box(?:es)?|account|alias|local[- ]?part|address(?:es)?|person)\b[^.;!?]{0,32}\b(?:unknown|not (?:be )?(?:found|known|located|recogni[sz]ed|present|local)|missing home|does ?n[o']t exist|does not exist|is not here|invalid|undeliverable)\b/,
      /\b(?:unknown|invalid|not an?|no(?! valid)|no record of(?: that)?|not find an?|not find (?:the|any|that)) (?:\S{1,24} )?(?:users?|recipients?|addressees?|mail ?box|account|alias|local[- ]?part|person)\b|\b(?:nobody|no ?one|none) (?:by that name|at this address)|bad(?:rcpt|recipient)to|\bthis \S{1,20} does not exist/,
    ],
    kind: 5,
    weak: true,
  },
  {
    class: "InvalidRecipient",
    source: "RFC 5321 section 4.2.3 (550 mailbox unavailable)",
    says: [/mail ?box (?:is )?(?:unavailable|not available|unavaiable)|invalid mail ?box/],
    kind: 5,
    weak: true,
  },
  {
    class: "InvalidRecipient",
    source: "Exim's router answer, Cox, Charter: about the address only when RCPT TO is answered",
    says: [
      /unroute?able (?:mail )?(?:address|domain)|no such|recipient (?:<@>: |<@> )?(?:address )?rejected\.?(?: @| <@>)?$|restricted characters in address/,
    ],
    kind: 5,
    weak: true,
    stages: ["rcpt", null],
  },
];
