// Scenarios with trouble in an SMTP transaction: temporary replies, lost connections, full
// mailboxes.
import {
  type Scenario,
  alwaysReplying,
  delayed,
  delivered,
  expired,
  fate,
  NO_RESPONSE,
  oneServer,
  ownReply,
  POLITE,
  refused,
  replyingAtFirst,
  ruleFor,
  SENT,
  serverReply,
} from "./scenario-terms.ts";

export const TRANSACTION_SCENARIOS: readonly Scenario[] = [
  replyingAtFirst(
    "421 to RCPT, in the middle of a transaction",
    "closing-at-rcpt.test",
    "rcpt",
    "421 4.3.2 Service shutting down",
    1,
  ),
  replyingAtFirst(
    "421 to the message, after the final dot",
    "closing-at-end.test",
    "end",
    "421 4.3.2 Service shutting down",
    1,
  ),
  {
    title:
      "the connection lost after the final dot, though the message was taken: its fate is " +
      "unknown, so it is sent again under its Message-ID",
    dns: oneServer("lost-at-end.test", POLITE),
    rules: [ruleFor("lost-at-end.test", "end", { drop: true, keep: true, times: 1 })],
    fates: {
      "ann@lost-at-end.test": fate(
        [
          SENT,
          delayed(1, ownReply(451, NO_RESPONSE, "mx.lost-at-end.test")),
          delivered(2, "mx.lost-at-end.test"),
        ],
        2,
      ),
    },
  },
  {
    title: "the connection lost before the message, every time",
    dns: oneServer("lost-at-data.test", POLITE),
    rules: [ruleFor("lost-at-data.test", "data", { drop: true })],
    fates: {
      "ann@lost-at-data.test": fate(expired(ownReply(451, NO_RESPONSE, "mx.lost-at-data.test"))),
    },
  },
  {
    title: "4xx for one recipient of three",
    dns: oneServer("several.test", POLITE),
    rules: [{ rcpt: "^second@several", stage: "rcpt", reply: "450 4.2.1 Mailbox busy", times: 1 }],
    fates: {
      "first@several.test": fate([SENT, delivered(1, "mx.several.test")], 1),
      "second@several.test": fate(
        [
          SENT,
          delayed(1, serverReply("450 4.2.1 Mailbox busy", "mx.several.test")),
          delivered(2, "mx.several.test"),
        ],
        1,
      ),
      "third@several.test": fate([SENT, delivered(1, "mx.several.test")], 1),
    },
  },
  replyingAtFirst(
    "greylisting: 451 twice",
    "greylisting.test",
    "rcpt",
    "451 4.7.1 Greylisted, please try again later",
    2,
  ),
  alwaysReplying(
    "451 for 72 hours",
    "greylisting-for-ever.test",
    "rcpt",
    "451 4.7.1 Greylisted, please try again later",
    (what) => fate(expired(what)),
  ),
  replyingAtFirst(
    "452 at DATA",
    "full-for-now.test",
    "data",
    "452 4.3.1 Insufficient system storage",
    1,
  ),
  alwaysReplying(
    "552 at RCPT: the mailbox is full",
    "full.test",
    "rcpt",
    "552 5.2.2 Mailbox is over quota",
    (what) => fate([SENT, refused(1, "QuotaIssues", what)]),
  ),
];
