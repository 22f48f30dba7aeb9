// Tests which attempt an event of the Email Service is about, and how long the event waits for it
// (src/mail/deliver/email-service/match-attempt.ts).
import { describe, expect, it } from "vitest";
import type { Grant } from "../../../../../src/rpc/ledger-calls.ts";
import type { CopyMatch } from "../../../../../src/rpc/provider-copy-calls.ts";
import { readEmailServiceEvent } from "../../../../../src/mail/deliver/email-service/email-service-event.ts";
import {
  chooseAttempt,
  mayMatchByAddress,
  retryUnmatched,
} from "../../../../../src/mail/deliver/email-service/match-attempt.ts";
import { DELIVERED, EVENT_AT } from "./documented-events.ts";

const EVENT = readEmailServiceEvent(DELIVERED, EVENT_AT)!;
const NONE: CopyMatch = { byId: null, byAddress: [], underWay: [] };
const FOUND = { open: null, logged: null };

const grant = (emailId: string, over: Partial<Grant> = {}): Grant => {
  return { emailId, recipientIndex: 0, attempt: 1, ...over };
};
const BY_ADDRESS = { teamId: "team_1", found: null, by: "address" };

const [SENDER, RECIPIENT] = ["noreply@example.com", "user@example.net"];

/** Makes a message whose copies are under way. */
const underWay = (emailId: string, from = SENDER, recipients: readonly string[] = [RECIPIENT]) => ({
  meta: JSON.stringify({ from: { email: from }, recipients }),
  grants: recipients.map((_, recipientIndex) => grant(emailId, { recipientIndex })),
});

/**
 * Chooses the attempt when the ledger of one team finds a match and the ledger of another team
 * finds nothing.
 */
const choose = (match: Partial<CopyMatch>) =>
  chooseAttempt(EVENT, [
    { teamId: "team_0", match: NONE },
    { teamId: "team_1", match: { ...NONE, ...match } },
  ]);

describe("an event's attempt", () => {
  it("is the attempt with its id, even if another attempt fits by address or belongs to another team", () => {
    const byId = { ...grant("email_1", { attempt: 2 }), found: FOUND };
    const others = { teamId: "team_2", match: { ...NONE, byAddress: [grant("email_2")] } };
    const expected = { ...byId, teamId: "team_1", by: "id", isUnsettled: false };
    const own = { teamId: "team_1", match: { ...NONE, byId } };
    expect(chooseAttempt(EVENT, [others, own])).toEqual(expected);
    expect(chooseAttempt(EVENT, [own, others])).toEqual(expected);
  });

  it("is the only open attempt with the event's addresses", () => {
    const one = grant("email_1");
    expect(choose({ byAddress: [one] })).toEqual({ ...one, ...BY_ADDRESS, isUnsettled: false });
  });

  it("is none if two attempts fit: of two messages, recipients or teams, or one is under way", () => {
    const one = grant("email_1");
    expect(choose({ byAddress: [one, grant("email_2")] })).toBeNull();
    expect(choose({ byAddress: [one, grant("email_1", { recipientIndex: 1 })] })).toBeNull();
    const teams = [one, grant("email_2")].map((found, index) => ({
      teamId: `team_${index}`,
      match: { ...NONE, byAddress: [found] },
    }));
    expect(chooseAttempt(EVENT, teams)).toBeNull();
    const busy = underWay("email_2");
    expect(choose({ byAddress: [one], underWay: [busy] })).toBeNull();
  });

  it("may be recorded twice, and counts as settled if any of its copies is recorded", () => {
    const one = grant("email_1");
    const settled = { ...one, isUnsettled: false };
    expect(choose({ byAddress: [one, one] })).toMatchObject(settled);
    const busy = underWay("email_1");
    expect(choose({ byAddress: [one], underWay: [busy] })).toMatchObject(settled);
  });

  it("is the only attempt under way with its sender and recipient, in any case of letters", () => {
    const busy = underWay("email_1", "NoReply@example.com", ["x@example.net", "USER@example.net"]);
    const second = grant("email_1", { recipientIndex: 1 });
    expect(choose({ underWay: [busy] })).toEqual({ ...second, ...BY_ADDRESS, isUnsettled: true });
  });

  it.each(["{", "null", "7", "{}", '{"from":{}}', '{"from":{"email":"noreply@example.com"}}'])(
    "is found beside a stored message that cannot be read: %s",
    (meta) => {
      const broken = { meta, grants: [grant("email_0")] };
      const busy = underWay("email_1");
      expect(choose({ underWay: [broken, busy] })).toMatchObject(grant("email_1"));
    },
  );

  it.each([
    ["nothing is known", []],
    ["the sender is another", [underWay("email_1", "a@example.com")]],
    [
      "the recipient stands only inside another address",
      [underWay("email_1", SENDER, ["the-user@example.net", "a@example.net"])],
    ],
    ["two recipients are the same address", [underWay("email_1", SENDER, [RECIPIENT, RECIPIENT])]],
  ])("is none if %s", (_, busy) => {
    expect(choose({ underWay: busy })).toBeNull();
  });
});

describe("an event without an attempt", () => {
  it("may be matched by its addresses after 75 seconds, which a speedup divides", () => {
    expect(mayMatchByAddress(EVENT, EVENT_AT + 74_999, 1)).toBe(false);
    expect(mayMatchByAddress(EVENT, EVENT_AT + 75_000, 1)).toBe(true);
    expect(mayMatchByAddress(EVENT, EVENT_AT + 249, 300)).toBe(false);
    expect(mayMatchByAddress(EVENT, EVENT_AT + 250, 300)).toBe(true);
    expect(mayMatchByAddress(EVENT, EVENT_AT - 60_000, 300)).toBe(false);
  });

  it("waits a quarter of an hour, with waits that double up to five minutes", () => {
    const waits = Array.from({ length: 9 }, (_, index) => retryUnmatched(0, index + 1, 1));
    expect(waits).toEqual([5, 10, 20, 40, 80, 160, 300, 300, 300]);
    expect(retryUnmatched(15 * 60_000 - 1, 1, 1)).toBe(5);
    expect(retryUnmatched(15 * 60_000, 1, 1)).toBeNull();
  });

  it("waits less with a speedup, but never less than a second", () => {
    expect(retryUnmatched(0, 7, 60)).toBe(5);
    expect(retryUnmatched(0, 1, 1_000)).toBe(1);
    expect(retryUnmatched(4_999, 1, 1_000)).toBe(1);
    expect(retryUnmatched(5_000, 1, 1_000)).toBeNull();
  });

  it("is matched by its addresses before an unsettled lease expires", () => {
    let [at, tries] = [0, 1];
    while (at < 75_000) {
      at += retryUnmatched(at, tries, 1)! * 1_000;
      tries += 1;
    }
    expect(at).toBeLessThan(120_000);
  });
});
