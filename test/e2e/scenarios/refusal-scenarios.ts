// Scenarios of permanent refusals, with the stage and the reason of each.
import {
  type Scenario,
  alwaysReplying,
  BLOCKING,
  delayed,
  event,
  fate,
  oneServer,
  POLITE,
  refused,
  ruleFor,
  SENT,
  serverReply,
} from "./scenario-terms.ts";

export const REFUSAL_SCENARIOS: readonly Scenario[] = [
  alwaysReplying(
    "550 at RCPT: no such user",
    "unknown.test",
    "rcpt",
    "550 5.1.1 No such user",
    (what) =>
      fate([SENT, refused(1, "InvalidRecipient", what)], 0, "InvalidRecipient 550", [
        event("suppressed", null),
      ]),
  ),
  alwaysReplying(
    "550 after the final dot: no such user",
    "unknown-at-end.test",
    "end",
    "550 5.1.1 No such user",
    (what) =>
      fate([SENT, refused(1, "InvalidRecipient", what)], 0, "InvalidRecipient 550", [
        event("suppressed", null),
      ]),
  ),
  alwaysReplying(
    "550 at DATA: spam",
    "spam.test",
    "data",
    "550 5.7.1 Message rejected as spam",
    (what) =>
      fate([SENT, refused(1, "SpamContent", what)], 0, null, [
        SENT,
        refused(1, "SpamContent", what),
      ]),
  ),
  alwaysReplying(
    "550 after the final dot: DMARC",
    "dmarc.test",
    "end",
    "550 5.7.26 Unauthenticated email is not accepted",
    (what) => fate([SENT, refused(1, "AuthenticationFailed", what)]),
  ),
  {
    title: "451, then 550 at RCPT in several lines",
    dns: oneServer("then-refused.test", POLITE),
    rules: [
      ruleFor("then-refused.test", "rcpt", { reply: "451 4.3.0 Try again later", times: 1 }),
      ruleFor("then-refused.test", "rcpt", {
        reply: "550-5.1.1 The email account that you tried to reach\n550 5.1.1 does not exist.",
      }),
    ],
    fates: {
      "ann@then-refused.test": fate(
        [
          SENT,
          delayed(1, serverReply("451 4.3.0 Try again later", "mx.then-refused.test")),
          refused(
            2,
            "InvalidRecipient",
            serverReply(
              "550 5.1.1 The email account that you tried to reach does not exist.",
              "mx.then-refused.test",
            ),
          ),
        ],
        0,
        "InvalidRecipient 550",
      ),
    },
  },
  {
    title: "554 instead of a greeting: the sender's address is blocked",
    dns: oneServer("blocking.test", BLOCKING),
    rules: [
      {
        server: BLOCKING,
        stage: "connect",
        reply: "554 5.7.1 Client host blocked using zen.spamhaus.org",
      },
    ],
    fates: {
      "ann@blocking.test": fate([
        SENT,
        refused(
          1,
          "SpamBlock",
          serverReply(
            "554 5.7.1 Client host blocked using zen.spamhaus.org",
            "mx.blocking.test",
            false,
          ),
        ),
      ]),
    },
  },
];
