// Tests src/ledger/log/recent-events.ts: the facts that a recent event has from its message and its
// attempt, and the filters that ask for them.
import { expect, it } from "vitest";
import type { LoggedMessage } from "../../../../src/rpc/ledger-calls.ts";
import type { EventFilters } from "../../../../src/rpc/history-query.ts";
import { readRecentEvents } from "../../../../src/ledger/log/recent-events.ts";
import { newEmailId } from "../../../../src/lib/ids.ts";
import { aMessage, NOON, ofMessage } from "../../resources/events/sample-events.ts";

const exchange = { stage: "end", response: "250 ok", mxHost: "mx.a", tls: null, rule: null };

function recentEventsOf(messages: readonly LoggedMessage[], filters: EventFilters = {}) {
  const rows = [{ seq: 7, oldest: NOON, newest: NOON + 10 }];
  return readRecentEvents(
    { rows, read: () => messages, bookmarks: {} },
    { start: NOON, before: { at: NOON + 100, id: "" }, filters, limit: 10 },
  );
}

const scheduled = aMessage("team_1", { scheduledAt: NOON - 60_000 });
const accepted = aMessage("team_1", {
  emailId: newEmailId(NOON - 5_000),
  recipients: ["b@gmail.com"],
});
const messages: LoggedMessage[] = [
  {
    message: scheduled,
    events: [
      ofMessage(scheduled, { type: "email.sent", occurredAt: NOON, attempt: 1 }),
      ofMessage(scheduled, { occurredAt: NOON + 1, attempt: 1, exchange }),
    ],
  },
  {
    message: accepted,
    events: [ofMessage(accepted, { occurredAt: NOON + 2, type: "email.opened" })],
  },
];

it("each event has its message's start, and the mail server of its attempt", () => {
  const { events, seqs, origins } = recentEventsOf(messages);
  expect(events.map(({ type }) => type)).toEqual(["email.opened", "email.delivered", "email.sent"]);
  expect(seqs).toEqual([7, 7, 7]);
  expect(origins).toEqual([
    { startedAt: NOON - 5_000, mxHost: null },
    { startedAt: NOON - 60_000, mxHost: "mx.a" },
    { startedAt: NOON - 60_000, mxHost: "mx.a" },
  ]);
});

it.each([
  ["other", ["email.delivered", "email.sent"]],
  ["google", ["email.opened"]],
  ["none", []],
  ["microsoft", []],
])("a filter by the provider %s finds its events", (name, types) => {
  const { events } = recentEventsOf(messages, { provider: { name, simulated: "simulator.test" } });
  expect(events.map(({ type }) => type)).toEqual(types);
});

it.each([
  [{ refusal: "550 Not from … (S3150)" }, [0, 1]],
  [{ refusal: "550 Not from … (S3150)", bounce_classification: ["SpamBlock", "none"] }, [0]],
  [{ bounce_classification: ["none"] }, [2]],
] satisfies [EventFilters, number[]][])(
  "the filter %j finds the bounces with this refusal and classification",
  (filters, found) => {
    const bounces = [
      ["SpamBlock", "550 Not from 192.0.2.1 (S3150)"],
      ["PolicyRelated", "550 Not from 192.0.2.2 (S3150)"],
      [null, "550 Not from anywhere"],
    ] as const;
    const events = bounces.map(([classification, smtpResponse], index) =>
      ofMessage(accepted, {
        type: "email.bounced",
        occurredAt: NOON + index,
        bounce: { type: "permanent", classification, smtpCode: 550, smtpResponse },
      }),
    );
    const recent = recentEventsOf([...messages, { message: accepted, events }], filters).events;
    const ids = new Set(recent.map(({ id }) => id));
    expect([...events.keys()].filter((index) => ids.has(events[index]!.id))).toEqual(found);
  },
);
