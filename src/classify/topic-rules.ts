// The last bounce rules on wording, for replies that match no other rule: a single word that names
// the topic (docs/bounces.md). Rules that blame the address still need a noun and a predicate. An
// enhanced code more specific than X.7.1 outweighs these rules. Pure.
import { AFTER_CONTENT, BEFORE_CONTENT, type BounceRule } from "./bounce-class.ts";

const SOURCE = "docs/bounces.md §What separates neighbours";

const TOPICS_OF_MESSAGE: readonly BounceRule[] = [
  { class: "VirusRelated", source: SOURCE, says: [/\bworms?\b|\bviral\b|infect|clamav|malicious/] },
  {
    class: "ProhibitedAttachment",
    source: SOURCE,
    says: [/attachment|attached|executable|\bmacros?\b|password[- ]protected|encrypted archive/],
    stages: AFTER_CONTENT,
  },
  {
    class: "AuthenticationFailed",
    source: SOURCE,
    says: [
      /\b(?:sender|message|mail|domain|from)\b[^.;!?]{0,32}authenti/,
      /authenti[^.;!?]{0,32}\b(?:sender|message|domain|fail)|\bspoof|\bforge/,
      /host ?names?\b[^.;!?]{0,32}\b(?:match|resolve)/,
    ],
  },
  {
    class: "RelayingIssues",
    source: SOURCE,
    says: [/authenti|\blog ?(?:in|on)\b|\bpop3?\b|check (?:for )?(?:your |new )?mail\b/],
    stages: BEFORE_CONTENT,
  },
  { class: "RoutingErrors", source: SOURCE, says: [/\bloop|\bhops?\b/] },
  {
    class: "RelayDenied",
    source: SOURCE,
    says: [
      /\brelay(?!=)/,
      /\bdomain\b[^.;!?]{0,40}(?:\bnot|n't)\b[^.;!?]{0,12}\b(?:local|hosted|served|handled|ours)\b/,
      /(?:\bnot|n't) (?:accept|handl|host|serv)\w{0,3} (?:e-?)?(?:mails?|messages?) (?:for|to) (?!this|that|me\b|user|recipient)/,
    ],
    stages: ["rcpt", null],
  },
  {
    class: "SpamContent",
    source: SOURCE,
    says: [
      /\bscored?\b|\bpoints\b|threshold|suspici|\bfraud|\bscam|bayes|fingerprint|\burls?\b/,
      /\blinks?\b|\bbulk\b/,
    ],
    stages: AFTER_CONTENT,
  },
  {
    class: "SpamBlock",
    source: SOURCE,
    says: [/reputation|complain|\babus|compromised|suspici|\bbotnet|(?<!not )\blisted\b|\bbulk\b/],
    stages: BEFORE_CONTENT,
  },
  {
    class: "TooManyRecipients",
    source: SOURCE,
    says: [
      /\brecipients?\b[^.;!?]{0,24}(?:exceed|limit|maximum)/,
      /(?:exceed|limit|maximum|more than)[^.;!?]{0,24}\brecipients\b/,
    ],
  },
  {
    class: "QuotaIssues",
    source: SOURCE,
    says: [
      /\bquota\b|\b(?:is|are|was|now|almost) full\b|\bstorage\b/,
      /(?:no|more|free|allotted|disk) space|larger than|\bsize\b|too (?:big|large)|\boversize/,
    ],
  },
  {
    class: "ContentRelated",
    source: SOURCE,
    says: [
      /\bheaders?\b|message[- ]id\b|\bsubject\b|\bmime\b|\bformat\b|\brfc ?\d|\bencod/,
      /\bcontents?\b|\bbody\b/,
    ],
    stages: AFTER_CONTENT,
  },
];

const OF_ADDRESS: readonly BounceRule[] = [
  {
    class: "BadDomain",
    source: SOURCE,
    says: [/\bdomain (?:that )?you (?:are|were)\b[^.;!?]{0,32}(?:\bnot|n't) (?:exist|found|known)/],
    kind: 5,
    weak: "policy",
    stages: ["rcpt", null],
  },
  {
    class: "InvalidRecipient",
    source: SOURCE,
    says: [
      /(?:\bnot|n't|\bnever|\bno) (?:\S{1,12} )?(?:exist|found|known|here|recogni[sz]ed|database|directory)\b/g,
    ],
    saidOfAddress: "absence",
    kind: 5,
  },
];

const OF_POLICY: readonly BounceRule[] = [
  {
    class: "InvalidSender",
    source: "RFC 5321 section 4.1.1.2: the address or domain in the answer to MAIL FROM",
    says: [/\b(?:address|domain|mx)\b/],
    kind: 5,
    stages: ["mail"],
  },
  {
    class: "PolicyRelated",
    source: "Replies that name a condition for sending, but no more specific reason",
    says: [
      /\bonly\b|permission|\ballow|authori[sz]|\bmust\b|\brequire|\bunwanted|\bmembers?\b/,
      /\bsuspend|\bregistered\b|\bcountr|\byour?\b|\blimits?\b|\bexceed/,
      /\breject|\bdenies\b|\bpermit/,
    ],
    kind: 5,
  },
  {
    class: "PolicyRelated",
    source: "docs/bounces.md §Of what a state is said: the state is not the address's",
    says: [
      /\b(?:disabled|deactivated|inactive|closed|expired|terminated|frozen|discontinued)\b/,
      /\b(?:deleted|cancell?ed|removed|retired|abandoned|gone|obsolete|archived|locked)\b/,
      /\b(?:not (?:active|activated|enabled|in use)|no longer|on hold|moved|unused)\b/,
    ],
    kind: 5,
  },
];

function yieldingToDetails(rules: readonly BounceRule[]): readonly BounceRule[] {
  return rules.map((rule) => ({ weak: "details", ...rule }));
}

/** Rules on words that name a topic: the message, the message's source, or the session. */
export const TOPICS = yieldingToDetails(TOPICS_OF_MESSAGE);

/**
 * Rules on words that only hint at a reason, for replies that give no other reason. Hints at the
 * address come before hints at a policy.
 */
export const TOPIC_HINTS = yieldingToDetails([...OF_ADDRESS, ...OF_POLICY]);
