// Bounce rules as data (contract.md §Bounces): the size of mailboxes and messages, and routing to
// the recipient. Pure.
import type { BounceRule } from "./bounce-class.ts";

export const DNS_LOOKUP: readonly BounceRule[] = [
  {
    class: "DNSFailure",
    source: "A DNS look-up that failed temporarily, except a reverse look-up of the client",
    says: [/(?<!reverse )\bdns (?:lookup |server |query |resolution )?(?:error|fail|time|problem)/],
    kind: 4,
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
      /\bquota\b[^.;!?]{0,16}\b(?:over|exceed|full|reach|violat|used up)|over ?-?quot[ae]|out of quota|overquota|over (?:its |his |their |the )?(?:storage |size |quota )?limit|quota (?:is )?(?:exceed|violation|limit|full)|quotaexceeded|(?:exceed(?:s|ed|ing)?|above|reached) (?:its |his |the |their )?(?:maximum |max )?(?:allowed |permitted )?(?:disk |mailbox |mail ?box |storage |user )?(?:quota|storage|allocation)/,
      /(?:mail ?box|inbox|mailfolder|maildir|account|user|recipient|storage|disk|address) (?:@ )?(?:storage )?(?:is |are )?(?:almost )?full\b|(?:mail ?box|inbox) (?:size |storage )?limit|\bdisk full/,
      /out of (?:storage|disk|space)|(?:insufficient|not enough) (?:disk |mailbox |user |mail )?(?:storage|space|quota)|no space left|no (?:more )?space for|storage full|blocks limit|inode limit/,
      /too much mail data|too many messages (?:on|in|stored)|(?:storage|disk|mail ?box|user'?s) space|space (?:has been |is )?used up|capacity (?:is |was )?exceeded|storage limit|\bfull (?:mail ?box|inbox)|(?:not|n't) have enough space|mail ?box (?:has |have )?exceed|\bmessage count\b|attachment (?:count|limit)|number of attachments|by quota:|exceeds the recipient'?s? (?:mail ?box )?quota|mail ?box for \S{1,64} is full|(?:mail )?system (?:is )?full\b/,
    ],
  },
  {
    class: "QuotaIssues",
    source:
      "RFC 3463 X.2.3 and X.3.4, RFC 1870 (552 for a message over the size limit). Servers " +
      "also use 552 for a full mailbox",
    says: [
      /(?:message|mail|e-mail|email|body|data)(?: is| was| file)? (?:too (?:large|big|long)|larger than)|(?<!headers? )too (?:large|big)\b|databytes|sizelimit|size violation/,
      /(?:message|mail|e-mail|email) (?:size|length)|(?<!header )size (?:limit )?exceed|exceed(?:s|ed)? (?:the )?(?:maximum |max |fixed |allowed |permitted )?(?:message |mail )?size|maximum (?:message |mail |mail ?box |e-mail |email )?(?:size|length)/,
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
    source: "Wording about the domain of the recipient",
    says: [
      /(?:domain of (?:the )?(?:recipient|destination)|(?:recipient|rcpt|addressee|destination)(?:'s)?(?: (?:e-?mail )?address)? domain)\b[^.;!?]{0,32}(?:exist|found|unknown|invalid|resolve|\bnot known|\bno (?:valid )?(?:mx|mail)\b)/,
      /\b(?:recipient|rcpt|destination)\b[^.;!?]{0,24} (?:nonexistent|unknown|invalid|bad) (?:mail )?domain/,
      /\bdomain(?: name| part)? (?:\S{1,16} )?(?:in|of) (?:the )?(?:e-?mail |recipient |mail )?address\b[^.;!?]{0,24}(?:exist|found|unknown|invalid|resolve)/,
      /\b(?:recipient|rcpt|destination)\b[^.;!?]{0,24} no (?:valid )?(?:mx|mail (?:server|exchanger))\b/,
    ],
  },
  {
    class: "BadDomain",
    source:
      "RFC 3463 X.1.2, RFC 7504, RFC 7505 (556 5.1.10); Sendmail host unknown, Postfix, " +
      "Exchange Online tenants",
    says: [
      /(?:host|domain)(?: name)? (?:@ )?(?:is )?(?:unknown|not found|does ?n[o']t exist|does not exist|invalid)|\b(?:couldn't|could not|can ?not|can't|unable to) find (?:any |an? |the )?(?:mail )?(?:host|domain)|(?:bad|illegal) (?:destination )?(?:host|domain)|unknown (?:host|domain|destination(?! (?:address|mail ?box|user)))|no (?:mail )?(?:hosts?|servers?|exchangers?) (?:for|found for) |no such (?:host|domain)|(?:invalid|nonexistent) (?:host|domain)|tenant or domain not found/,
      /null ?mx|does not accept (?:any )?(?:mail|e-mail|email)(?: \(nullmx\))?\.?$|domain (?:\S{1,64} )?(?:is |has )?(?:been )?(?:suspended|expired|disabled)|bad destination system/,
    ],
    weak: "policy",
  },
  {
    class: "BadDomain",
    source: "RFC 3463 X.1.2 and X.4.4 are about the destination, so its MX record is meant",
    says: [/\bno (?:valid )?(?:mx|mail exchangers?)\b/],
    kind: 5,
    statuses: ["1.2", "4.4"],
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
      /(?:message|envelope|delivery time|delivery|retry time(?:out)?) (?:has )?expired|retry timeout exceeded|too old|not delivered within|in the queue too long/,
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
