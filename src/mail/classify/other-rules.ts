// The bounce rules for refusals of the message's form, of the session or for now, and for those that
// give no better reason, as data (contract.md §Bounces). Pure.
import type { BounceRule } from "./bounce-class.ts";

const LATER =
  /try again|try later|retry later|come back later|temporar|service (?:is )?(?:currently )?(?:unavailable|not available)|(?:server|system) (?:is )?(?:too )?busy|local error in processing/;

export const MISCELLANEOUS: readonly BounceRule[] = [
  {
    class: "ChallengeResponse",
    source: "Challenge services: Spam Arrest, Boxbe, TMDA",
    says: [
      /challenge[- ]response|spamarrest|\bboxbe\b|confirm (?:that )?you are (?:a )?human|reply to (?:this|the) challenge/,
    ],
  },
  {
    class: "ContentRelated",
    source:
      "RFC 3463 X.6; Gmail (RFC 5322 compliance), amavisd (BAD-HEADER), Exim, Exchange 5.7.512",
    says: [
      /headers? (?:size|length|lines?|error)|headers? (?:is |are )?not accepted|multiple addresses|8-bit data|too many headers|\bmime (?:structure|format|part|complexity|header|error)|(?:invalid|bad|malformed) mime|bad[-_]header|badly formatted|(?:mail|message) (?:is )?malformed|rfc ?-?(?:2822|5322|822)|(?:missing|invalid|duplicate|multiple|malformed|bad|illegal|no valid)[- ](?:\S{1,20} )?headers?|missing (?:a valid )?(?:from|date|message-id|subject)\b|non-ascii|charset|character set/,
      /content (?:rejected|denied|refused|filter|restriction|examination|not (?:allowed|accepted))|rejected (?:due to|because of|for) (?:\S{1,20} )?content/,
    ],
  },
  {
    class: "ProtocolErrors",
    source: "RFC 5321 section 4.2.2 (500-504); Postfix, Exim, Gmail 4.5.0",
    says: [
      /syntax error|bad sequence|(?:command|parameter)s? (?:is |was )?(?:not |un)(?:recogni[sz]ed|implemented|supported|known)|unrecogni[sz]ed (?:command|parameter)|pipelin|bare (?:lf|cr|newline|line ?feed)/,
      /(?:command|verb) not allowed|must precede|not yet given|nested mail|unsupported option|invalid (?:command )?arguments?|line (?:is )?too long|line length|protocol (?:violation|error|synchroni[sz]ation)|synchroni[sz]ation error|out of sequence|smtputf8/,
    ],
  },
  {
    class: "BadConfiguration",
    source: "RFC 3463 X.3.5; Postfix, Sendmail, qmail",
    says: [
      /misconfigur|incorrectly configured|configuration (?:error|problem|issue|is invalid)|system config error/,
    ],
  },
  {
    class: "TransientFailure",
    source:
      "RFC 3463 X.3.0 and X.3.2; servers that report their own trouble with a 5xx: Sendmail, " +
      "Yandex, LDAP maps",
    says: [
      /internal (?:server |system )?error|\bldap\b|mailer error|in maintenance|can't create|could not load|encountered an error|deferred because|out of memory|database (?:error|failure|lookup)/,
    ],
  },
  {
    class: "TransientFailure",
    source: "RFC 5321 section 4.2.3 (421, 450, 451): the server says so itself",
    says: [LATER],
    kind: 4,
  },
  {
    class: "PolicyRelated",
    source: "RFC 3463 X.7.1: a refusal that gives no better reason",
    says: [
      /access denied|not (?:authori[sz]ed|permitted|allowed)|prohibited|forbidden|not welcome|go away|\brefused|\bdenied\b|blocked|\bbanned\b|restricted|administrat/,
    ],
    kind: 5,
  },
  {
    class: "TransientFailure",
    source: "The same words with a 5xx, if the reply says nothing else",
    says: [LATER],
  },
];
