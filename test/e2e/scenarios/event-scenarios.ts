// Scenarios in which Cloudflare's Email Service publishes events late, twice or never, or with
// events of an unknown type between them. The expected results are those through that service.
import { patience } from "../../../tools/harness/slowness.ts";
import {
  delayed,
  delivered,
  event,
  fate,
  NO_RESPONSE,
  oneServer,
  ownReply,
  POLITE,
  QUEUED,
  refused,
  ruleFor,
  type Scenario,
} from "./scenario-terms.ts";

const SENT = event("sent", 1, { smtp_response: QUEUED });
const BUSY = "451 4.2.0 Mailbox busy";
/** Returns the members of an event that quote a mail server's reply. */
const quoting = (reply: string) => ({
  smtp_code: Number(reply.slice(0, 3)),
  smtp_response: reply,
  mx_host: null,
  tls: false,
});
const DELIVERED = { ...delivered(1, "", false), mx_host: null };
const DELAYED = delayed(1, quoting(BUSY));

export const EVENT_SCENARIOS: readonly Scenario[] = [
  {
    title: "events that come three seconds late",
    dns: oneServer("late-events.test", POLITE),
    eventRules: [{ rcpt: "@late-events", delay_ms: 3_000 }],
    fates: { "ann@late-events.test": fate([SENT, DELIVERED], 1) },
  },
  {
    title: "every event twice",
    dns: oneServer("double-events.test", POLITE),
    rules: [ruleFor("double-events.test", "rcpt", { reply: BUSY, times: 1 })],
    eventRules: [{ rcpt: "@double-events", double: true }],
    fates: { "ann@double-events.test": fate([SENT, DELAYED, DELIVERED], 1) },
  },
  {
    title: "a bounce that is published twice, late",
    dns: oneServer("double-bounce.test", POLITE),
    rules: [ruleFor("double-bounce.test", "rcpt", { reply: "550 5.1.1 No such user" })],
    eventRules: [{ rcpt: "@double-bounce", double: true, delay_ms: 2_000 }],
    fates: {
      "ann@double-bounce.test": fate(
        [SENT, refused(1, "InvalidRecipient", quoting("550 5.1.1 No such user"))],
        0,
        "InvalidRecipient 550",
      ),
    },
  },
  {
    title: "a delay that is published after the delivery",
    dns: oneServer("late-delay.test", POLITE),
    rules: [ruleFor("late-delay.test", "rcpt", { reply: BUSY, times: 1 })],
    eventRules: [{ rcpt: "@late-delay", type: "deferred", delay_ms: patience(6_000) }],
    fates: { "ann@late-delay.test": fate([SENT, DELIVERED], 1) },
  },
  {
    title: "a delivery that no event tells of",
    dns: oneServer("lost-events.test", POLITE),
    eventRules: [{ rcpt: "@lost-events", lose: true }],
    fates: {
      "ann@lost-events.test": fate(
        [SENT, event("bounced", 1, { bounce_type: "expired", ...ownReply(451, NO_RESPONSE) })],
        1,
      ),
    },
  },
  {
    title: "events of an unknown type among those that are known",
    dns: oneServer("unknown-events.test", POLITE),
    eventRules: [{ rcpt: "@unknown-events", unknown: true }],
    fates: { "ann@unknown-events.test": fate([SENT, DELIVERED], 1) },
  },
];
