// Tests the console's message log (console/src/pages/messages): new events, groups by message, the
// steps of a timeline, and files for spreadsheets.
import { describe, expect, it } from "vitest";
import type { Email, Explanation } from "../../../packages/postern/src/generated/types.ts";
import { runCancel } from "../../../console/src/pages/messages/cancel-run.ts";
import { eventsCsv, messagesCsv } from "../../../console/src/pages/messages/events-csv.ts";
import {
  bounceReason,
  groupByMessage,
  rowsByRecipient,
} from "../../../console/src/pages/messages/message-groups.ts";
import {
  hasGap,
  type LogEvent,
  pollAfter,
  totalText,
  unseen,
  withNewest,
} from "../../../console/src/pages/messages/newest-events.ts";
import { pollInterval, worstFirst } from "../../../console/src/pages/message/recipient-facts.ts";
import { bounceName, className } from "../../../console/src/pages/message/bounce-sentence.ts";
import { typeset } from "../../../console/src/parts/typography.ts";
import { emailIdIn } from "../../../console/src/pages/why/email-id-in.ts";
import { stepsOf, stepsText } from "../../../console/src/pages/message/timeline-steps.ts";
import { suppressionWith } from "./suppression-answer.ts";

const NOW = Date.parse("2026-11-22T14:00:00.000Z");

const NO_LABELS = { campaign: null, template_id: null, topic: null, tags: [], ip_pool: null };
const NONE = { smtp_code: null, bounce_type: null, bounce_classification: null, tracking: null };
const ID = "email_01a2041e-811d-70f1-82a9-c3a33ebac526";

function event(second: number, own: Partial<LogEvent> = {}): LogEvent {
  return {
    id: `evt_${second}`,
    type: "email.delivered",
    occurred_at: new Date(NOW + 1_000 * second).toISOString(),
    email_id: ID,
    message_id: "<1@example.test>",
    from: "hello@example.test",
    from_domain: "example.test",
    recipient: "ada@example.org",
    subject: "Hello",
    attempt: 1,
    ...NO_LABELS,
    ...NONE,
    ...own,
  };
}

const page = (data: LogEvent[], more = false) => ({
  data,
  has_more: more,
  next_cursor: more ? "next" : null,
});

describe("Message-IDs", () => {
  it.each([
    ["<01a2041e-811d-70f1-82a9-c3a33ebac526@example.test>", ID],
    ["01A2041E811D70F182A9C3A33EBAC526@example.test", ID],
    ["<a@example.test>", null],
    ["<01a2041e-811d-40f1-82a9-c3a33ebac526@example.test>", null],
  ])("contain the email's id if the service generated them: %s", (messageId, id) => {
    expect(emailIdIn(messageId)).toBe(id);
  });
});

describe("new events", () => {
  it("are those that no loaded page has, and go before the loaded events", () => {
    const pages = [page([event(3), event(2)], true), page([event(1)])];
    const newest = page([event(5), event(4), event(3)], true);
    expect(unseen(pages, newest).map(({ id }) => id)).toEqual(["evt_5", "evt_4"]);
    const merged = withNewest(pages, newest);
    expect(merged.map(({ data }) => data.map(({ id }) => id))).toEqual([
      ["evt_5", "evt_4", "evt_3", "evt_2"],
      ["evt_1"],
    ]);
    expect(merged[0]?.next_cursor).toBe("next");
  });

  it("restart the list if events in between are not loaded", () => {
    const newest = page([event(9), event(8)], true);
    expect(hasGap([event(9), event(8)], newest)).toBe(true);
    expect(withNewest([page([event(1)])], newest)).toEqual([newest]);
  });

  it("are counted as far as the log is read", () => {
    expect(totalText(1, "event", false)).toBe("1 event");
    expect(totalText(1_000, "event", true)).toBe("Newest 1,000 events");
    expect(totalText(1, "message", true)).toBe("Newest 1 message");
  });

  it("are polled less often while no event comes", () => {
    expect(pollAfter(page([event(0)]), NOW)).toBe(4_000);
    expect(pollAfter(page([event(0)]), NOW + 100_000)).toBe(10_000);
    expect(pollAfter(page([event(0)]), NOW + 9_000_000)).toBe(15_000);
  });
});

describe("groups by message", () => {
  const bounced = { recipient: "jo@example.org", type: "email.bounced" as const };
  const events = [
    event(5, { type: "email.opened" }),
    event(4, { email_id: "email_2", subject: "=1+1" }),
    event(3, bounced),
    event(2),
    event(1, { ...bounced, type: "email.sent" }),
  ];

  it("have the worst recipient first, and the order of their newest events", () => {
    const groups = groupByMessage(events);
    expect(groups.map(({ emailId }) => emailId)).toEqual([events[0]?.email_id, "email_2"]);
    expect(groups[0]?.recipients.map(({ status }) => status)).toEqual(["bounced", "delivered"]);
  });

  it("give a row for each recipient, the newest first", () => {
    expect(rowsByRecipient(events).map(({ recipient, last }) => [recipient, last.id])).toEqual([
      ["ada@example.org", "evt_5"],
      ["ada@example.org", "evt_4"],
      ["jo@example.org", "evt_3"],
    ]);
  });

  it("say why mail bounced, in the service's words for its class", () => {
    const reasons = (own: Partial<LogEvent>) =>
      groupByMessage([event(1, { ...bounced, ...own })]).flatMap(({ recipients }) =>
        recipients.map(bounceReason),
      );
    expect(reasons({ bounce_classification: "InvalidRecipient" })).toEqual(["no such mailbox"]);
    expect(reasons({})).toEqual(["the reason is not clear from the reply"]);
    expect(reasons({ bounce_type: "expired" })).toEqual([
      "the recipient's servers could not deliver it in time",
    ]);
    expect(reasons({ type: "email.delivered" })).toEqual([""]);
  });
});

describe("the words of a bounce", () => {
  it("are short in a list, and name a class that the console does not know by itself", () => {
    const words = (type: string | null, name: string | null) =>
      bounceName({ bounce_type: type, bounce_classification: name });
    expect(words("permanent", "SpamBlock")).toBe("Sender blocked");
    expect(words("expired", null)).toBe("Retries expired");
    expect(words(null, null)).toBe("Unknown reason");
    expect(["none", "NewClass"].map(className)).toEqual(["Not classified", "NewClass"]);
  });

  it("have curly apostrophes in a sentence, and an address keeps its own", () => {
    expect(typeset("The recipient's server can't take o'brien@x.example, its servers' mail")).toBe(
      "The recipient’s server can’t take o'brien@x.example, its servers’ mail",
    );
  });
});

describe("files for spreadsheets", () => {
  it.each(["=1+1", "+1", "-1", "@SUM(A1)", " =1", "\t=1"])("never begin a formula: %j", (text) => {
    const [, line = ""] = eventsCsv([event(1, { subject: text })], "UTC").split("\r\n");
    expect(line).toContain(`,'${text}`);
  });

  it("have times in the zone that the heading names", () => {
    const [heading = "", line] = eventsCsv([event(1)], "Asia/Kolkata").split("\r\n");
    expect(heading.split(",")[1]).toBe("occurred_at (Asia/Kolkata)");
    expect(line).toContain(",2026-11-22T19:30:01.000+05:30,");
  });

  it("quote what needs it, and have a row for each recipient", () => {
    expect(eventsCsv([event(1, { subject: 'a "b", c', tags: ["x", "y"] })], "UTC")).toContain(
      ',"a ""b"", c",',
    );
    const jo = event(2, { recipient: "jo@example.org" });
    expect(messagesCsv(groupByMessage([jo, event(1)]), "UTC").split("\r\n")).toHaveLength(4);
  });
});

const EXPLANATION = {
  state: "delivered",
  summary: "example.org accepted the message.",
  cause: "accepted",
  evidence: null,
  next: "Nothing more is sent.",
  actions: [],
} as const satisfies Explanation;

type Recipient = Email["recipients"][number];

const recipientOf = (
  recipient: string,
  status: Recipient["status"],
  events: Recipient["events"] = [],
): Recipient => ({ recipient, status, next_attempt_at: null, events, explanation: EXPLANATION });

const ADA = recipientOf("ada@example.org", "delivered");
const JO = recipientOf("jo@example.org", "bounced", [
  {
    id: "evt_1",
    type: "email.bounced",
    occurred_at: "2026-11-22T14:01:02.000Z",
    attempt: 2,
    smtp_code: 550,
    smtp_response: "550 5.1.1 User unknown",
    stage: "rcpt",
    mx_host: "mx1.contoso.net",
    tls: "TLSv1.3",
    bounce_type: "permanent",
    bounce_classification: "InvalidRecipient",
    rule: "wording: user unknown",
    suppression: null,
    complaint: null,
    tracking: null,
  },
]);

const EMAIL: Email = {
  id: "email_1",
  created_at: "2026-11-22T14:00:00.000Z",
  from: "hello@example.test",
  from_name: null,
  to: ["ada@example.org", "jo@example.org"],
  cc: [],
  bcc: [],
  subject: "Hello",
  message_id: "<1@example.test>",
  ...NO_LABELS,
  metadata: null,
  feedback_id: null,
  recipients: [ADA, JO],
  events_truncated: false,
};

const CLOCK = { now: NOW, zone: "Europe/Berlin" };
const BOUNCED_AT = "2026-11-22T14:01:02.000Z";
const SUPPRESSION = suppressionWith({ reason: "permanent_bounce", suppressed_at: BOUNCED_AT });

describe("the timeline of a recipient", () => {
  it("begins with the worst recipient", () => {
    expect(worstFirst(EMAIL.recipients)[0]?.recipient).toBe("jo@example.org");
  });

  it("has each step with its time and the server's words, and the suppression that follows", () => {
    const older = { ...SUPPRESSION, topic: "orders", suppressed_at: "2026-11-01T00:00:00.000Z" };
    const steps = stepsOf(EMAIL, JO, { inForce: [SUPPRESSION, older], lifted: [] }, CLOCK);
    expect(steps.map(({ title, time }) => [title, time])).toEqual([
      ["Accepted", "15:00:00.000 CET"],
      ["Bounced", "+ 1 min 2 s"],
      ["Address suppressed", "+ 1 min 2 s"],
    ]);
    expect(steps[1]?.chips).toEqual([
      ["server", "mx1.contoso.net"],
      ["TLS", "1.3"],
      ["stage", "RCPT"],
    ]);
    expect(steps[1]?.text).toEqual([]);
    const classified = { name: "InvalidRecipient", rule: "wording: user unknown" };
    expect(steps[1]?.classified).toEqual(classified);
    const text = stepsText(steps, "Europe/Berlin");
    expect(text).toContain("2026-11-22T15:01:02.000+01:00  Bounced");
    expect(text).toContain("    RCPT TO → 550 5.1.1 User unknown");
  });

  it("keeps the suppression that was lifted, and says when", () => {
    const lifted = [{ suppression: SUPPRESSION, at: NOW + 300_000 }];
    const steps = stepsOf(EMAIL, JO, { inForce: [], lifted }, CLOCK);
    expect(steps.slice(2).map(({ title, time }) => [title, time])).toEqual([
      ["Address suppressed", "+ 1 min 2 s"],
      ["Suppression lifted", "+ 5 min"],
    ]);
  });

  it("is read again while a recipient has no final status", () => {
    expect(pollInterval(EMAIL, NOW)).toBe(false);
    const open = { ...EMAIL, recipients: [{ ...ADA, status: "delayed" as const }] };
    expect(pollInterval(open, NOW + 1_000)).toBe(2_000);
    expect(pollInterval(open, NOW + 1_000_000)).toBe(30_000);
  });
});

describe("cancelling a campaign", () => {
  const answers = (...sizes: readonly number[]) => {
    const left = [...sizes];
    return () => {
      const size = left.shift();
      if (size === undefined) return Promise.reject(new Error("no answer"));
      return Promise.resolve({ data: Array.from({ length: size }), has_more: left.length > 0 });
    };
  };
  const start = (cancelNext: ReturnType<typeof answers>, before = 0) => {
    const told: (number | "pause")[] = [];
    const stop = new AbortController();
    const end = runCancel({
      cancelNext,
      onProgress: (done) => void told.push(done),
      pause: () => Promise.resolve(void told.push("pause")),
      signal: stop.signal,
      before,
    });
    return { told, stop, end };
  };

  it("goes on until no message is left, shows its progress, and pauses between two calls", async () => {
    const { told, end } = start(answers(100, 100, 20), 300);
    expect(await end).toBe(520);
    expect(told).toEqual([400, "pause", 500, "pause", 520]);
  });

  it("stops when the user stops it, and passes a failure on", async () => {
    const { told, stop, end } = start(answers(100, 100));
    stop.abort();
    expect([await end, told]).toEqual([100, [100, "pause"]]);
    await expect(start(answers()).end).rejects.toThrow("no answer");
  });
});
