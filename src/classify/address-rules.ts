// The bounce rules that blame the recipient's address: a noun for a person or a mailbox, with a
// predicate such as "does not exist" or "no longer exists" (docs/bounces.md). subject.ts then
// decides whether the noun means the recipient. Pure.
import type { BounceRule } from "./bounce-class.ts";

/** Predicates that say that an address does not exist. */
const ABSENT = [
  String.raw`\b(?:unknown|invalid|unallocated|undeliverable|unrecogni[sz]ed|nonexistent|incorrect|wrong|malformed|bogus|missing home)\b(?! (?:client|host|sender|server|ip|error|reason|command|source|network|message|content|format)\b)`,
  String.raw`(?:\bnot|n't) (?:be |an? |one |yet |been )?(?:created|found|known|located|recogni[sz]ed|present|local|exists?|valid|here|listed|ok(?:ay)?|good|correct|real|existing|handled (?:by|here|on)|of ours|of our (?:users|customers|recipients))\b`,
  String.raw`(?:\bnot|n't) (?:an? )?(?:(?!authori|permit|allow|approv|register|trust|verif|confirm|active)\S{1,16} )?(?:user|address|mail ?box|account|customer)\b`,
  String.raw`(?:\bnot|n't) an? member of (?:this |the )?domain\b`,
  String.raw`\bno (?:good|longer exists)\b|\bnever existed\b`,
  String.raw`(?:can ?not|can't|could not|couldn't) be (?:found|located|identified)`,
  String.raw`\bdo(?:es|s)? ?n['o]?'?t exist|\bdo(?:es)? not exist`,
  String.raw`(?:\bnot|n't) (?:exist )?(?:in|on) (?:\S{1,16} )?(?:\S{1,16} )?(?<!\b(?:safe|access|allow|approved|trusted|permitted|senders?) )(?:lists?|directory|table|database|file|book|system)\b(?! of (?:allowed|approved|trusted|permitted))`,
];

/** Predicates that precede the noun. */
const ABSENT_BEFORE = String.raw`\b(?:${[
  "unknown|no such|invalid|nonexistent|unrecogni[sz]ed|undeliverable|wrong|incorrect|bogus",
  "illegal|bad|not an?|non?[- ](?:valid|local)|not (?:valid|local|our)|no|not found",
  "no record of(?: that| an?)?",
  "(?:can ?not|can't|could not|couldn't|did not|unable to|failed to) (?:find|locate)" +
    "(?: an?| the| any| that| this)?",
  "(?:not|do(?:es)?n't) exists?(?: an?| the| any| that| this| such)?",
  "(?<!\\b(?:you|i) )(?:do(?:es)? not|do(?:es)?n't) have (?:an?|the|any|that|this|such)(?: an?)?",
].join("|")}) (?:or \S{1,12} )?`;
/**
 * Words that must not be between a predicate and its noun. They end the predicate or change its
 * meaning.
 */
const TURNING = [
  "message|folder|file|queue|session|error|command|header|content|sender|from|host|server|client|domain|protocol|data",
  "request|character|valid recipients|such|longer|more|access|relay|for|to|by|in|on|with|and|your",
  "authori[sz]ed|permitted|allowed|approved|registered|trusted|verified|confirmed|active",
].join("|");
const WORD_BETWEEN = String.raw`(?:(?!(?:${TURNING})\b)\S{1,16} )?`;
const SINGULAR = String.raw`(?:user|recipient|addressee|mail ?box|inbox|account|alias|local[- ]?part|person|customer|subscriber|employee|student|user[-_ ]?(?:id|name)|id|mail drop|rcpt)\b|(?:mail)?address\b`;

export const UNMISTAKABLE: readonly BounceRule[] = [
  {
    class: "InvalidRecipient",
    source:
      "RFC 3463 X.1.1 with its usual wording: other words in the reply, such as words on relaying " +
      "or lists, are only advice",
    says: [
      /user (?:is )?unknown|unknown user|no such (?:user|mail ?box|recipient|person)/,
      /(?:user|mail ?box|recipient) (?:does ?n[o']t|does not) exist/,
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

export const ABSENT_ADDRESS: readonly BounceRule[] = [
  {
    class: "InvalidRecipient",
    source: "RFC 3463 X.1.1 and X.1.3: the predicate follows a noun for the address",
    says: [new RegExp(ABSENT.join("|"), "g")],
    saidOfAddress: "absence",
    kind: 5,
  },
  {
    class: "InvalidRecipient",
    source:
      "RFC 3463 X.1.1 and X.1.3; Postfix, Sendmail, Exim, qmail, Gmail NoSuchUser, Exchange " +
      "RESOLVER.ADR, Yahoo, iCloud, Yandex, Mail.ru, Mimecast, Domino, IronPort, Trend Micro",
    says: [
      new RegExp(`${ABSENT_BEFORE}${WORD_BETWEEN}${WORD_BETWEEN}(?:${SINGULAR})`),
      /(?:unknown|invalid|undeliverable|unrecogni[sz]ed) (?:\S{1,12} )?(?:recipients|users|addresses)\b/,
      /(?:does ?n[o']t|does not) have an? (?:\S{1,24} )?(?:\S{1,24} )?(?:account|mail ?box|address|e-?mail)/,
      /nosuchuser|recip(?:ient)?notfound|not our customer|bad destination mail ?box/,
      /mail ?box name not allowed|not listed in (?:the )?(?:domino|public|name)|\bhas no mail ?box/,
      /\bno (?:users?|recipients?) (?:here|by that name)|not known (?:at|here|on|to)\b/,
      /not an active address|does ?n[o']t handle mail for (?:this|that) (?:user|address|recipient)/,
      /no (?:mail-?box|mail box|account|one|user) (?:here|by that name|with that|available|exists)/,
      /\b(?:nobody|no ?one|none) (?:at (?:this|that) (?:address|name)|(?:is )?(?:by (?:that|this|such)|with (?:that|this)|named|called|known)\b)/,
      /\be-?mail (?:does ?n[o']t|does not) exist|(?:^|5\.1\.0 )address rejected|couldn't be found/,
      /i cannot deliver mail for|not in (?:my|our) (?:validrcptto|[^.;!?]{0,16}\brecipients\b)/,
      /bad(?:rcpt|recipient)to|\bthis \S{1,20} does not exist/,
    ],
    kind: 5,
  },
  {
    class: "InvalidRecipient",
    source: "Only the most direct wording, because the address may still exist after a 4xx reply",
    says: [
      /(?:unknown|no such|invalid) (?:user|recipient|address|mail ?box|account)/,
      /(?:user|recipient|address|mail ?box|account)(?: @| <@>)? (?:is |was )?(?:unknown|not found|does ?n[o']t exist|does not exist|invalid)/,
    ],
    kind: 4,
  },
  {
    class: "InvalidRecipient",
    source: "A recipient that the server could not verify: cPanel, Huawei",
    says: [
      /\b(?:recipients?|rcpt)\b[^.;!?]{0,40}\b(?:(?:can ?not|can't|could not|couldn't) be (?:verif|valid|confirm)|(?:verif\w{1,8}|validation)(?: \S{1,16})? fail)/,
      /\bfailed recipient (?:verif|valid)/,
    ],
    kind: 5,
  },
  {
    class: "InvalidRecipient",
    source:
      "RFC 5321 section 4.2.3 (550 mailbox unavailable). Servers say this for any reason, so a " +
      "more specific code outweighs it",
    says: [
      /(?:mail ?box|recipient|(?:user )?account|user) (?:is |are )?(?:currently )?(?:unavailable|not available|unavaiable)/,
      /unavailable (?:mail )?(?:mail ?box|recipient|user|account)/,
    ],
    kind: 5,
    weak: "any",
  },
  {
    class: "InvalidRecipient",
    source:
      "Exim's reply for an address that it cannot route, also when a server in front repeats it",
    says: [/unroute?able (?:mail )?(?:address|domain)/],
    kind: 5,
    weak: "policy",
  },
  {
    class: "InvalidRecipient",
    source: "RFC 5321 section 4.2.3 (501): the parameter of RCPT TO is the address",
    says: [/address syntax|malformed address|syntax of (?:the )?(?:\S{1,12} )?address/],
    kind: 5,
    weak: "any",
    stages: ["rcpt"],
  },
  {
    class: "InvalidRecipient",
    source: "Cox, Charter: the wording means the address only in an answer to RCPT TO",
    says: [
      /no such (?:\S{1,16} )?(?:e-?mail|name|entry|local|subscriber|member|employee|destination)\b/,
      /\bno (?:\S{1,16} )?(?:\S{1,16} )?(?:for|at|with) (?:this|that) (?:address|user|name)/,
      /recipient (?:<@>: |<@> )?(?:address )?(?:rejected|(?:is )?not accepted)\.?(?: @| <@>)?$/,
      /\b(?:can ?not|can't|n't|not) accept (?:this )?(?:user|recipient|address)\b|\brejected recipients$/,
      /restricted characters in address/,
    ],
    kind: 5,
    weak: "policy",
    stages: ["rcpt", null],
  },
];
