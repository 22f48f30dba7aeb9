// Tests events that may happen only once (docs/decisions/0008): only the first append counts, also
// if several come at the same time or after a restart.
import { evictDurableObject, runInDurableObject } from "cloudflare:test";
import { describe, expect, it } from "vitest";
import type { AppendRequest, Grant } from "../../../../src/rpc/ledger-calls.ts";
import type { TeamLedger } from "../../../../src/ledger/team-ledger.ts";
import { uuidv7 } from "../../../../src/lib/ids.ts";
import {
  claimAll,
  eventOf,
  type LedgerStub,
  messageOf,
  NOON,
  noonLedger,
  refs,
  sendOf,
  setClock,
  settle,
} from "../ledger-harness.ts";

const DAY = 24 * 60 * 60_000;
const EVERYTHING = {
  start: 0,
  before: { at: Number.MAX_SAFE_INTEGER, id: "" },
  filters: {},
  limit: 99,
};

function report(
  emailId: string,
  type: "email.bounced" | "email.complained",
  at: number,
  recipientIndex = 0,
): AppendRequest {
  const recipient = `${recipientIndex}@example.com`;
  const event = eventOf(emailId, at, { type, attempt: null, recipient });
  return { message: messageOf(emailId), recipientIndex, event, once: null };
}

async function typesIn(ledger: LedgerStub): Promise<string> {
  const { events } = await ledger.readTail(EVERYTHING);
  const types = events.map(({ type, attempt }) => `${type.slice("email.".length)} ${attempt}`);
  return types.toReversed().join(", ");
}

async function tablesOf(ledger: LedgerStub): Promise<string[]> {
  return runInDurableObject(ledger, (_, { storage }) =>
    storage.sql
      .exec<{ name: string }>("SELECT name FROM sqlite_master WHERE name GLOB 'once_[0-9]*'")
      .toArray()
      .map(({ name }) => name),
  );
}

/** Makes a ledger with one message to two recipients, and claims the first attempts at both. */
async function granted() {
  const { ledger } = await noonLedger();
  const emailId = `email_${uuidv7(NOON)}`;
  await ledger.admit(sendOf([{ id: emailId, recipientCount: 2 }]));
  const grants = await claimAll(ledger, refs(emailId, 0, 1), NOON);
  return { ledger, emailId, grants: grants as readonly [Grant, Grant] };
}

describe("several reports about a recipient", () => {
  it("append only the first bounce and the first complaint, also if they come together or after a restart", async () => {
    const { ledger, emailId } = await granted();
    const bounce = report(emailId, "email.bounced", NOON + 1);
    const both = await Promise.all([
      ledger.append([bounce], NOON + 1),
      ledger.append([bounce, bounce], NOON + 1),
    ]);
    expect(both.flat().filter(Boolean)).toHaveLength(1);
    await evictDurableObject(ledger);
    const later = [0, 1].map((index) => report(emailId, "email.bounced", NOON + 2, index));
    expect(await ledger.append(later, NOON + 2)).toEqual([false, true]);
    const complaints = [3, 4].map((at) => report(emailId, "email.complained", NOON + at));
    expect(await ledger.append(complaints, NOON + 4)).toEqual([true, false]);
    expect(await typesIn(ledger)).toBe("bounced null, bounced null, complained null");
  });

  it("append no event older than the retention, and lose their keys after 35 days", async () => {
    const { ledger, emailId } = await granted();
    expect(await ledger.append([report(emailId, "email.bounced", NOON)], NOON)).toEqual([true]);
    const late = NOON + 36 * DAY;
    expect(await ledger.append([report(emailId, "email.complained", NOON)], late)).toEqual([false]);
    expect(await tablesOf(ledger)).toEqual([`once_${Math.floor(NOON / DAY)}`]);
    setClock(late);
    await runInDurableObject(ledger, (instance: TeamLedger) => instance.alarm());
    expect(await tablesOf(ledger)).toEqual([]);
  });
});

describe("a reaction with a key", () => {
  it("is appended once for each key", async () => {
    const { ledger, emailId } = await granted();
    const left = (name: string, at: number): AppendRequest => ({
      message: messageOf(emailId),
      recipientIndex: 0,
      event: eventOf(emailId, at, { type: "email.unsubscribed", attempt: null }),
      once: name,
    });
    const reactions = [left("first", NOON + 1), left("first", NOON + 2), left("second", NOON + 3)];
    expect(await ledger.append(reactions, NOON + 3)).toEqual([true, false, true]);
  });
});

describe("a bounce report for a recipient with open attempts", () => {
  it("lets the running attempt get its outcome, without a second bounce or another attempt", async () => {
    const { ledger, emailId, grants } = await granted();
    await ledger.append([report(emailId, "email.bounced", NOON + 1)], NOON + 1);
    const events = [eventOf(emailId, NOON + 2, { type: "email.bounced" })];
    const bounced = [{ ...grants[0], events, nextAttemptAt: null }];
    const message = messageOf(emailId);
    const { applied, refused } = await ledger.settle(bounced, { [emailId]: message }, NOON + 2);
    expect([applied, refused]).toEqual([[0], [bounced[0]?.events[0]?.id]]);
    await ledger.append([report(emailId, "email.bounced", NOON + 3, 1)], NOON + 3);
    expect((await settle(ledger, [grants[1]], NOON + 4, NOON + 60_000)).applied).toEqual([0]);
    expect(await typesIn(ledger)).toBe("bounced null, bounced null, delayed 1");
    expect(await ledger.usage(NOON)).toMatchObject({ messages: 0, jobs: 0 });
  });

  it("ends a recipient that waits for its next attempt at once", async () => {
    const { ledger, emailId, grants } = await granted();
    await settle(ledger, [grants[0]], NOON, NOON + 60_000);
    await settle(ledger, [grants[1]], NOON);
    expect(await ledger.usage(NOON)).toMatchObject({ messages: 1, jobs: 1 });
    await ledger.append([report(emailId, "email.bounced", NOON + 1)], NOON + 1);
    expect(await ledger.usage(NOON)).toMatchObject({ messages: 0, jobs: 0 });
    expect(await claimAll(ledger, refs(emailId), NOON + 60_000)).toEqual([]);
  });

  it("ends an attempt that is never settled when its lease expires", async () => {
    const { ledger, emailId, grants } = await granted();
    await settle(ledger, [grants[1]], NOON);
    await ledger.append([report(emailId, "email.bounced", NOON + 1)], NOON + 1);
    expect(await ledger.usage(NOON)).toMatchObject({ messages: 1, jobs: 1 });
    setClock(NOON + 10 * 60_000);
    await runInDurableObject(ledger, (instance: TeamLedger) => instance.alarm());
    expect(await ledger.usage(NOON)).toMatchObject({ messages: 0, jobs: 0 });
    expect(await typesIn(ledger)).toBe("delivered 1, bounced null");
  });
});
