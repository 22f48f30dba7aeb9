// Tests the check of a round's replies (tools/chaos/replies/reply-check.ts) and their plan.
import { describe, expect, it } from "vitest";
import {
  digestOf,
  findWrongReplies,
  type RoundReplies,
  type StoredReplyFact,
} from "../../../tools/chaos/replies/reply-check.ts";
import { planReplies } from "../../../tools/chaos/replies/plan-replies.ts";
import { type SentReply, newSentReply } from "../../../tools/chaos/replies/sent-replies.ts";
import { DELIVERED, MESSAGE } from "./round-facts.ts";

const TO = DELIVERED.recipient;
const message = { ...MESSAGE, isTracked: true } as const;
const copy = { seed: 1, token: "a", recipient: TO, isServices: false };
const replyTo = `r+${"a".repeat(61)}@bounces.bench.example`;
const sent: SentReply = {
  ...newSentReply({ ...copy, address: replyTo, answered: "<1@x>" }, planReplies(copy)[0]!),
  isAuto: false,
  accepted: 1,
};
const stored: StoredReplyFact = {
  id: "reply_1",
  email_id: "email_1",
  recipient: TO,
  from_recipient: true,
  message_id: sent.messageId,
  subject: `Re: ${sent.name}`,
  auto: false,
  received_at: DELIVERED.occurred_at,
  text: `This is the answer ${sent.name}.`,
  digest: digestOf(sent.raw),
};
const told = (events: readonly string[], batches = events) =>
  new Map([["reply_1", { events: new Set(events), batches: new Set(batches) }]]);
const hook = { name: "all", wantsAuto: true, replies: told(["evt_r"]) };

/** Returns the details of the faults in a round with one reply and these changes. */
function wrongWith(changes: Partial<RoundReplies>, { address = replyTo, of = "email_1" } = {}) {
  const mail = [
    { at: 1, what: "taken" as const, to: TO, subject: "a", messageId: "<1@x>", replyTo: address },
  ];
  const round = {
    sent: [message],
    events: [{ ...DELIVERED, message_id: "<1@x>", email_id: of }],
    mail,
  };
  const facts = { sent: [sent], stored: [stored], hooks: [hook], ...changes };
  return findWrongReplies(round, facts).map(({ detail }) => detail);
}

describe("the check of replies", () => {
  it("finds nothing wrong in a reply that is stored and was reported once", () => {
    expect(wrongWith({})).toEqual([]);
    const note = { ...stored, auto: true };
    const unasked = { ...hook, wantsAuto: false, replies: new Map() };
    expect(
      wrongWith({ sent: [{ ...sent, isAuto: true }], stored: [note], hooks: [hook, unasked] }),
    ).toEqual([]);
  });

  it.each<[string, Partial<RoundReplies>, RegExp]>([
    ["is lost", { stored: [] }, /accepted 1 times, and 0 times among the replies/],
    ["is stored twice", { stored: [stored, { ...stored, id: "reply_2" }] }, /and 2 times among/],
    ["is refused", { sent: [{ ...sent, refused: "550 5.1.1 x" }] }, /refused: 550/],
    ["has another's bytes", { stored: [{ ...stored, digest: "" }] }, /not the one that was sent/],
    ["has another's text", { stored: [{ ...stored, text: "hi" }] }, /its text is hi/],
    ["is another recipient's", { stored: [{ ...stored, recipient: "b@x" }] }, /recipient b@x/],
    ["counts as automatic", { stored: [{ ...stored, auto: true }] }, /auto is true/],
    ["has no sender", { sent: [] }, /reply_1 .* is stored, but no reader sent it/],
    ["is not reported", { hooks: [{ ...hook, replies: new Map() }] }, /all never got it/],
    ["comes twice", { hooks: [{ ...hook, replies: told(["e1", "e2"]) }] }, /in 2 events of 2/],
    [
      "is reported to a webhook without automatic replies",
      {
        sent: [{ ...sent, isAuto: true }],
        stored: [{ ...stored, auto: true }],
        hooks: [{ ...hook, wantsAuto: false }],
      },
      /all did not ask/,
    ],
  ])("finds a reply that %s", (_, changes, says) => {
    expect(wrongWith(changes)).toContainEqual(expect.stringMatching(says));
  });

  it("finds a reply that belongs to another message, and a copy without a reply address", () => {
    expect(wrongWith({}, { of: "email_2" })).toEqual([expect.stringMatching(/belongs to email_1/)]);
    expect(wrongWith({}, { address: "own@x" })).toEqual([
      expect.stringMatching(/Reply-To "own@x"/),
    ]);
  });
});
