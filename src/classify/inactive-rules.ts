// The bounce rules for a mailbox that existed before. They are tried before the rules for an
// unknown mailbox. state-subject.ts decides whether a state such as "disabled" is the state of the
// address. Pure.
import type { BounceRule } from "./bounce-class.ts";

/** States of a mailbox. The words in `(?!...)` would give a state another meaning. */
const STATES = [
  "disabled|inactive|deactivated|suspended|closed(?! to| for)|expired|terminated|frozen|locked",
  "discontinued|deleted|cancell?ed|dormant|archived|unused|removed|decommissioned|retired",
  "abandoned|departed|gone|obsolete|defunct|on hold|purged|deceased|unattended|moved|replaced by",
  "not (?:yet |been )?(?:active|activated|enabled|used|in use|monitored)|never logged",
  "to be (?:re-?)?activated|(?:b?locked) (?:due to|because of|for) (?:[a-z-]{1,16} )?inactivity",
  "no longer(?=$|[^a-z ]| (?:an?|the|our|part|in|on|at|with|here|active|activated|available|valid|exist|exists|existing|used|usable|works?|working|employed|monitored|enabled|maintained|current|registered|known|functional|operational|reachable|deliverable|accessible|assigned|associated|belongs?|owned|open|live|checked|read|being)\\b)",
].join("|");
const MAIL = "(?:any )?(?:incoming |inbound |new )?(?:e-?)?(?:mails?|messages?)";

/**
 * Words that limit a refusal to some mail. A mailbox that refuses only some mail is not inactive.
 */
const ONLY_SOME = String.raw`(?! (?:any )?(?:e-?)?(?:mails?|messages?) (?:from|with|over|that|larger|containing|unless|without))(?! (?:from|with|over|that|unless|external|outside|internet))`;

export const INACTIVE: readonly BounceRule[] = [
  {
    class: "InactiveMailbox",
    source:
      "RFC 3463 X.2.1, RFC 5248 X.7.13; Gmail DisabledUser, Yahoo 554.30, Exchange " +
      "AccountDisabled, Mail.ru, Comcast, Hot.ee, Free",
    says: [
      new RegExp(String.raw`\b(?:${STATES})\b`, "g"),
      new RegExp(
        String.raw`\b(?:not (?:accepting|receiving)|not (?:allowed|permitted|configured|enabled|set up) to (?:receive|accept)|cannot receive|(?:does(?: not|n't)|no longer) (?:accepts?|receives?)(?= ${MAIL}))\b${ONLY_SOME}(?: ${MAIL}\b)?`,
        "g",
      ),
    ],
    saidOfAddress: "state",
  },
  {
    class: "InactiveMailbox",
    source: "Phrases with their noun: the same servers, vdelivermail, QQ, NetEase",
    says: [
      /(?:account|mail ?box|user) (?:@ )?(?:is |has been |has |was )?blocked\b/,
      /disableduser|accountdisabled|mailboxdisabled|not an active (?:user|account|mail ?box)/,
      /(?:(?:not|n't|no longer) accept(?:ing)? (?:any )?(?:e-?)?(?:mails?|messages?)|\bno (?:e-?)?mail (?:is )?accepted) (?:for|to|at) (?:this|that|the) (?:user|recipient|address|mail ?box|account|person)\b(?! (?:from|with|over|via|that|unless))/,
      /\b(?:mail delivery|incoming (?:e-?)?mail) (?:to|for) (?:@|<@|\S{1,16} (?:user|recipient|address|mail ?box|account))[^.;!?]{0,24} (?:disabled|suspended|turned off)/,
      /(?:mail )?(?:receiving|reception) (?:is |was |has been )?disabled/,
      /\b(?:has|have) departed\b|\bsend[- ]only (?:mail ?box|account|address)/,
      /\b(?:recipient|user|mail ?box|account|login) (?:in)?activity\b|^no ?activity\b/,
      /\binactivity\b[^.;!?]{0,64}\b(?:for|to) this (?:user|recipient|address|mail ?box|account)\b/,
      /\blog(?:s|ged)? ?(?:in|on) to (?:re-?)?(?:activate|enable)|(?:\bnot|n't) (?:entered|logged (?:in |on )?(?:for|since|within)\b)/,
      /(?:user|mail ?box|account|recipient|address)\b[^.;!?]{0,32}(?:\bnot|n't) (?!accept)\S{1,12} (?:\S{1,12} )?any ?(?:more|longer)\b/,
      /\bno longer (?:with|at|employed|works?|working|here|an? (?:customer|user|subscriber|member|student|employee))\b/,
      /\bnot working (?:with|for) us\b|\bleft (?:the |our |this )?(?:company|organi[sz]ation|firm|school|university)/,
      /\bhave (?:now )?left\b|e-?mail (?:address )?has (?:been )?changed/,
      /(?:user|recipient|customer|subscriber) (?:has )?suspend(?:s|ed)? the service/,
    ],
  },
];
