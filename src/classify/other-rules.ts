// Bounce rules as data (contract.md §Bounces): refusals of the message's form, refusals of the
// session, temporary refusals, and refusals without a more specific reason. Pure.
import type { BounceRule } from "./bounce-class.ts";
import { FOR_NOW } from "./subject.ts";

const LATER =
  /try again|try later|retry later|come back later|temporar|service (?:is )?(?:currently )?(?:unavailable|not available)|(?:server|system) (?:is )?(?:too )?busy|local error in processing/;

export const MISCELLANEOUS: readonly BounceRule[] = [
  {
    class: "ChallengeResponse",
    source: "Challenge services: Spam Arrest, Boxbe, TMDA",
    says: [
      /challenge[- ]response|spamarrest|\bboxbe\b|confirm (?:that )?you are (?:a )?human/,
      /reply to (?:this|the) challenge|human verification/,
    ],
  },
  {
    class: "ProtocolErrors",
    source: "RFC 5321 sections 2.3.8 and 4.5.3.1.6: the length and the end of a message's lines",
    says: [
      /\b(?:bare|lone|stray) ?(?:lf|cr|newline|line ?feed|carriage)/,
      /body lines? (?:is |are )?too long|(?<!header )\blines? (?:is |are )?too long/,
      /(?<!header )line length/,
    ],
  },
  {
    class: "ContentRelated",
    source:
      "RFC 3463 X.6; Gmail (RFC 5322 compliance), amavisd (BAD-HEADER), Exim, Exchange 5.7.512",
    says: [
      /headers? (?:size|length|lines?|error)|headers? (?:is |are )?not accepted/,
      /multiple addresses|8-bit data|too many headers/,
      /\bmime (?:structure|format|part|complexity|header|error)|(?:invalid|bad|malformed) mime/,
      /bad[- _]header|badly formatted|(?:mail|message) (?:is )?malformed|rfc ?-?(?:2822|5322|822)/,
      /(?:missing|invalid|duplicate|multiple|malformed|bad|illegal|no valid)[- ](?:\S{1,20} )?headers?/,
      /missing (?:a valid )?(?:from|date|message[- ]id|subject)\b|non[- ]ascii|charset/,
      /character set/,
      /\bheaders?\b[^.;!?]{0,40}\b(?:not|no|missing|invalid|malformed|too)\b/,
      /(?:\bnot|n't) (?:\S{1,8} )?compl(?:y|iant)|multi ?-?part|(?<![./])\bhtml\b|\bconversion\b/,
      /\bencoding\b/,
    ],
  },
  {
    class: "ProtocolErrors",
    source: "RFC 5321 section 4.2.2 (500-504); Postfix, Exim, Gmail 4.5.0",
    says: [
      /syntax error|\bpars(?:e|ing) error|bad sequence/,
      /(?:command|parameter)s? (?:is |was )?(?:not |un)(?:recogni[sz]ed|implemented|supported|known)/,
      /(?:unrecogni[sz]ed|unknown|invalid) (?:command|parameter)|pipelin/,
      /(?:command|verb) not allowed|must precede|not yet given|nested mail|unsupported option/,
      /invalid (?:command )?arg(?:ument)?s?\b|\bno (?:valid )?recipients\b(?! by)/,
      /protocol (?:violation|error|synchroni[sz]ation)|synchroni[sz]ation error/,
      /out of (?:sequence|turn)|smtputf8/,
    ],
  },
  {
    class: "TransientFailure",
    source:
      "RFC 3463 X.3.0 and X.3.2; servers that report a fault of their own, even with a 5xx: " +
      "Sendmail, Yandex, LDAP maps",
    says: [
      /internal (?:server |system )?error|\bldap\b|mailer error|in maintenance|could not load/,
      /encountered an error|deferred because|out of memory|database (?:error|failure|lookup)/,
      /technical (?:difficult|problem|error|reason|issue)|interrupted|\bi\/o error|timed? ?out/,
      /look ?-?up (?:has )?fail|(?:maildir|local|mail|spool) delivery (?:has )?(?:fail|error)/,
      /(?:can't|can ?not|could not|couldn't|unable to|failed to) (?:create|open|write|access|connect|contact|lock|store|save|process|read|allocate|fork|exec)/,
    ],
  },
  {
    class: "BadConfiguration",
    source: "RFC 3463 X.3.5; Postfix, Sendmail, qmail",
    says: [
      /misconfigur|incorrectly configured|configuration (?:error|problem|issue|is invalid)/,
      /system config error/,
    ],
  },
  {
    class: "TransientFailure",
    source: "RFC 5321 section 4.2.3 (421, 450, 451): the server asks to try again later",
    says: [LATER, /\bin progress\b/],
    kind: 4,
  },
];

/**
 * Rules for refusals without a more specific reason. They are tried after the rules on single words
 * that name a topic.
 */
export const NO_REASON: readonly BounceRule[] = [
  {
    class: "PolicyRelated",
    source: "RFC 3463 X.7.1: a refusal that gives no better reason",
    says: [
      /access denied|no access/,
      /not (?:authori[sz]ed|permitted|allowed|registered|subscribed|welcome)|prohibited|forbidden/,
      /go away|\brefus|\bden(?:y|ied)\b|blocked|\bbanned\b|restricted|administrat|\brules?\b/,
      /violat/,
    ],
    kind: 5,
  },
  {
    class: "PolicyRelated",
    source: "A refusal that gives a reason neither in words nor by a code",
    says: [
      /\b(?:mails?|messages?|e-?mails?|deliver(?:y|ies)|connections?)\b[^.;!?]{0,32}\b(?:rejected|not (?:be )?accepted|not taken)\b/,
      /(?:\bnot|n't|\bnever|\bno longer) (?:be )?accept(?:ing|ed)?\b/,
      /\bwe (?:do not|don't|never|cannot) (?:accept|take|want)/,
    ],
    kind: 5,
    weak: "any",
  },
  {
    class: "TransientFailure",
    source: "Words that ask to try again later, with a 5xx, if the reply gives no other reason",
    says: [LATER, FOR_NOW],
  },
];
