// Tests how a ledger finds the attempt that a provider's event is about
// (src/ledger/settle/provider-copies.ts, open/open-lookups.ts), and that it applies each event
// once.
import { evictDurableObject, runInDurableObject } from "cloudflare:test";
import { beforeEach, describe, expect, it } from "vitest";
import type {
  Candidate,
  Grant,
  ProviderCopy,
  SettleResult,
  Settlement,
} from "../../../../src/rpc/ledger-calls.ts";
import type { CopyMatch, CopyQuery } from "../../../../src/rpc/provider-copy-calls.ts";
import { LEASE_MS } from "../../../../src/ledger/open/job-waits.ts";
import { DAY_MS, EXPIRY_AFTER_MS, HOUR_MS } from "../../../../src/limits.ts";
import {
  alarmAt,
  candidate,
  claimAll,
  eventOf,
  type LedgerStub,
  messageOf,
  newLedger,
  NOON,
  recordQueue,
  send,
  setClock,
  postpone,
} from "../ledger-harness.ts";

const MINUTE_MS = 60_000;
const [SENDER, RECIPIENT] = ["hello@shop.example", "ann@example.com"];

class Scene {
  readonly ledger: LedgerStub = newLedger();

  /** Accepts a message at `now`, and claims the job of its first recipient. */
  async claimed(now = NOON, over: Partial<Candidate> = {}): Promise<Grant> {
    const one = candidate({ meta: JSON.stringify({ to: RECIPIENT }), ...over });
    const items = [{ kind: "candidate" as const, candidate: one }];
    await this.ledger.admit(send({ verdict: { kind: "items", items }, now }));
    const [grant] = await claimAll(this.ledger, [{ emailId: one.id, recipientIndex: 0 }], now);
    return grant!;
  }

  /** Makes a message that the courier's provider (such as the Email Service) took at `now`. */
  async taken(
    providerId: string | null,
    now = NOON,
    over: Partial<ProviderCopy> = {},
  ): Promise<Grant> {
    const grant = await this.claimed(now);
    expect(await this.take(grant, providerId, now, over)).toBe(1);
    return grant;
  }

  /**
   * Records that the provider took the copy. Returns how many of the recorded outcomes the ledger
   * applied.
   */
  async take(
    ...args: [grant: Grant, providerId: string | null, now?: number, over?: Partial<ProviderCopy>]
  ): Promise<number> {
    return (await this.tell(...args)).applied.length;
  }

  /** Tells the ledger that the provider took the copy. */
  tell(
    grant: Grant,
    providerId: string | null,
    now = NOON,
    over: Partial<ProviderCopy> = {},
  ): Promise<SettleResult> {
    return this.#settle(grant, now, {
      ...(providerId === null
        ? { nextAttemptAt: now + 10 * MINUTE_MS }
        : { awaits: { until: now + EXPIRY_AFTER_MS, lastReply: null } }),
      copyTaken: { providerId, sender: SENDER, recipient: RECIPIENT, at: now, ...over },
      events: [eventOf(grant.emailId, now, { type: "email.sent" })],
    });
  }

  /** Records an outcome for the grant. Returns how many outcomes the ledger applied. */
  async settle(grant: Grant, now: number, over: Partial<Settlement>): Promise<number> {
    return (await this.#settle(grant, now, over)).applied.length;
  }

  #settle(grant: Grant, now: number, over: Partial<Settlement>): Promise<SettleResult> {
    const settlement = { ...grant, nextAttemptAt: null, events: [], ...over };
    return this.ledger.settle([settlement], { [grant.emailId]: messageOf(grant.emailId) }, now);
  }

  async match(over: Partial<CopyQuery>): Promise<CopyMatch> {
    const copy = { providerId: "unknown", sender: SENDER, recipient: RECIPIENT };
    const query = { ...copy, at: NOON + MINUTE_MS, byAddress: true, ...over };
    return (await this.ledger.matchProviderCopies([query]))[0]!;
  }

  async byId(providerId: string): Promise<Grant | null> {
    const { byId } = await this.match({ providerId, byAddress: false });
    if (!byId) return null;
    const { found: _, ...grant } = byId;
    return grant;
  }

  async byAddress(over: Partial<CopyQuery> = {}): Promise<readonly Grant[]> {
    return (await this.match(over)).byAddress;
  }

  /** Returns the days for which the ledger has a table, as numbers of days after NOON. */
  async days(): Promise<number[]> {
    return runInDurableObject(this.ledger, (_, { storage }) =>
      storage.sql
        .exec<{ name: string }>(
          "SELECT name FROM sqlite_master WHERE type = 'table' AND name GLOB 'provider_copies_[0-9]*'",
        )
        .toArray()
        .map(
          ({ name }) => Number(name.slice("provider_copies_".length)) - Math.floor(NOON / DAY_MS),
        )
        .toSorted((left, right) => left - right),
    );
  }
}

let scene: Scene;

beforeEach(async () => {
  setClock(NOON);
  scene = new Scene();
  await recordQueue(scene.ledger);
});

describe("an attempt that is looked up by the provider's id", () => {
  it("is found if the stored id or the event's id has angle brackets", async () => {
    const [bare, bracketed] = [await scene.taken("m1@x"), await scene.taken("<m2@x>")];
    for (const id of ["m1@x", "<m1@x>"]) expect(await scene.byId(id)).toEqual(bare);
    for (const id of ["m2@x", "<m2@x>"]) expect(await scene.byId(id)).toEqual(bracketed);
    for (const id of ["m3@x", "m1", "", "<>", "%", "M1@X"]) expect(await scene.byId(id)).toBeNull();
  });

  it("is found across days, with its message, also after the ledger restarted", async () => {
    const first = await scene.taken("m1");
    const second = await scene.taken("m2", NOON + 2 * DAY_MS);
    expect(await scene.days()).toEqual([0, 2]);
    await evictDurableObject(scene.ledger);
    expect(await scene.byId("m1")).toEqual(first);
    expect(await scene.byId("m2")).toEqual(second);
    const { byId } = await scene.match({ providerId: "m1" });
    expect(byId?.found.open).toMatchObject({ nextAttempts: [null], holds: ["provider"] });
    expect(byId?.found.logged).toEqual(messageOf(first.emailId));
  });

  it("is found for 35 days, even after its recipient's final outcome", async () => {
    const grant = await scene.taken("m1");
    await scene.settle(grant, NOON, { verdict: { eventId: "e1" } });
    await scene.taken("m2", NOON + 30 * DAY_MS);
    await alarmAt(scene.ledger, NOON + 35 * DAY_MS);
    expect(await scene.byId("m1")).toEqual(grant);
    await alarmAt(scene.ledger, NOON + 36 * DAY_MS);
    expect(await scene.byId("m1")).toBeNull();
    expect(await scene.byId("m2")).not.toBeNull();
    expect(await scene.days()).toEqual([30]);
  });

  it("is not recorded for a settlement that does not count", async () => {
    const grant = await scene.claimed();
    await scene.settle(grant, NOON, {});
    expect(await scene.take(grant, "m1")).toBe(0);
    expect(await scene.byId("m1")).toBeNull();
  });
});

describe("an attempt by its addresses", () => {
  it("fits by sender and recipient in any case of letters, and by nothing else", async () => {
    const grant = await scene.taken("m1");
    expect(await scene.byAddress({ sender: "HELLO@Shop.example" })).toEqual([grant]);
    expect(await scene.byAddress({ recipient: "Ann@EXAMPLE.com" })).toEqual([grant]);
    expect(await scene.byAddress({ sender: "other@shop.example" })).toEqual([]);
    expect(await scene.byAddress({ recipient: "bob@example.com" })).toEqual([]);
    expect(await scene.byAddress({ byAddress: false })).toEqual([]);
  });

  it("fits events from a minute before the copy was taken until a minute before 72 hours have passed", async () => {
    const grant = await scene.taken("m1");
    const latest = NOON + EXPIRY_AFTER_MS - MINUTE_MS;
    expect(await scene.byAddress({ at: NOON - MINUTE_MS - 1 })).toEqual([]);
    expect(await scene.byAddress({ at: NOON - MINUTE_MS })).toEqual([grant]);
    expect(await scene.byAddress({ at: latest })).toEqual([grant]);
    expect(await scene.byAddress({ at: latest + 1 })).toEqual([]);
  });

  it("fits if it was recorded on the day after the provider took the copy", async () => {
    const midnight = NOON + DAY_MS / 2;
    const grant = await scene.taken("m1", midnight + 5, { at: midnight - 5 });
    expect(await scene.days()).toEqual([1]);
    expect(await scene.byAddress({ at: midnight - 3 })).toEqual([grant]);
    expect(await scene.byAddress({ at: midnight - 2 * MINUTE_MS })).toEqual([]);
  });

  it("does not fit once the recipient has its final outcome or its next attempt is running", async () => {
    const [ended, retried] = [await scene.taken("m1"), await scene.taken("m2")];
    expect(await scene.byAddress()).toHaveLength(2);
    await scene.settle(ended, NOON, { verdict: { eventId: "e1" } });
    expect(await scene.byAddress()).toEqual([retried]);
    const due = NOON + MINUTE_MS;
    await scene.settle(retried, NOON, { verdict: { eventId: "e2" }, nextAttemptAt: due });
    expect(await scene.byAddress()).toEqual([retried]);
    await claimAll(scene.ledger, [retried], due);
    expect(await scene.byAddress()).toEqual([]);
  });

  it("does not fit if its id is known and an event has shown that the provider's ids match", async () => {
    const known = await scene.taken("m1");
    const unknown = await scene.taken(null);
    expect(new Set(await scene.byAddress())).toEqual(new Set([known, unknown]));
    await scene.byId("m1");
    expect(await scene.byAddress()).toEqual([unknown]);
    await evictDurableObject(scene.ledger);
    expect(await scene.byAddress()).toEqual([unknown]);
  });

  it("still fits after an event was found by an id that only another event contained", async () => {
    const [first, second] = [
      await scene.taken("m1"),
      await scene.taken("m2", NOON, { sender: "b@shop.example" }),
    ];
    const copyTaken = { providerId: "other-1", sender: SENDER, recipient: RECIPIENT, at: NOON + 1 };
    const awaits = { until: NOON + EXPIRY_AFTER_MS, lastReply: null };
    await scene.settle(first, NOON, { verdict: { eventId: "e1" }, awaits, copyTaken });
    expect(await scene.byId("other-1")).toEqual(first);
    expect(await scene.byAddress({ sender: "b@shop.example" })).toEqual([second]);
    await evictDurableObject(scene.ledger);
    expect(await scene.byAddress({ sender: "b@shop.example" })).toEqual([second]);
  });
});

describe("a running attempt", () => {
  const grantsUnderWay = async (over: Partial<CopyQuery> = {}) =>
    (await scene.match({ at: NOON, ...over })).underWay.flatMap(({ grants }) => grants);

  it("is returned with its message if the message's JSON has the recipient, also after a restart", async () => {
    const grant = await scene.claimed();
    await scene.claimed(NOON, { meta: JSON.stringify({ to: "bob@example.com" }) });
    const expected = { meta: JSON.stringify({ to: RECIPIENT }), grants: [grant] };
    expect((await scene.match({ recipient: "ANN@example.com" })).underWay).toEqual([expected]);
    expect((await scene.match({ byAddress: false })).underWay).toEqual([]);
    await evictDurableObject(scene.ledger);
    expect((await scene.match({})).underWay).toEqual([expected]);
  });

  it("is one that a consumer had begun by the time of the event, also after a second claim", async () => {
    const grant = await scene.claimed();
    expect(await grantsUnderWay({ at: NOON - MINUTE_MS - 1 })).toEqual([]);
    expect(await grantsUnderWay({ at: NOON - MINUTE_MS })).toEqual([grant]);
    await claimAll(scene.ledger, [grant], NOON + LEASE_MS);
    expect(await grantsUnderWay()).toEqual([grant]);
  });

  it("is not one that is settled, that no courier took, or whose wait for an event is over", async () => {
    const settled = await scene.taken("m1");
    const postponed = await scene.claimed();
    await postpone(scene.ledger, [postponed], NOON, NOON + HOUR_MS);
    expect(await grantsUnderWay()).toEqual([]);
    const later = NOON + EXPIRY_AFTER_MS;
    const [unheard] = await claimAll(scene.ledger, [settled], later);
    expect(unheard).toEqual({ ...settled, unheard: { lastReply: null } });
    expect(await grantsUnderWay({ at: later })).toEqual([]);
  });
});

describe("an event", () => {
  it("counts once by its id, also after a restart, and never reopens a recipient", async () => {
    const grant = await scene.taken("m1");
    const awaits = { until: NOON + EXPIRY_AFTER_MS, lastReply: null };
    const deferred = { verdict: { eventId: "e1" }, awaits };
    expect(await scene.settle(grant, NOON, deferred)).toBe(1);
    expect(await scene.settle(grant, NOON, deferred)).toBe(0);
    await evictDurableObject(scene.ledger);
    expect(await scene.settle(grant, NOON, deferred)).toBe(0);
    expect(await scene.settle(grant, NOON, { verdict: { eventId: "e2" } })).toBe(1);
    expect(await scene.settle(grant, NOON, { ...deferred, verdict: { eventId: "e3" } })).toBe(0);
    expect(await scene.ledger.usage(NOON)).toMatchObject({ messages: 0, jobs: 0 });
  });

  it("that was not applied may be applied later", async () => {
    const grant = await scene.claimed();
    const final = { verdict: { eventId: "e1" } };
    expect(await scene.settle({ ...grant, attempt: 2 }, NOON, final)).toBe(0);
    await scene.take(grant, "m1");
    expect(await scene.settle(grant, NOON, final)).toBe(1);
  });
});

it("an attempt that was made twice has one `email.sent` event, and is found by both ids", async () => {
  const slow = await scene.claimed();
  const [quick] = await claimAll(scene.ledger, [slow], NOON + LEASE_MS);
  expect(quick).toEqual(slow);
  const sent = { applied: [0], refused: [] };
  expect(await scene.tell(slow, "m1", NOON + LEASE_MS + 1)).toEqual(sent);
  const again = await scene.tell(quick!, "m2", NOON + LEASE_MS + 2);
  expect(again).toEqual({ applied: [0], refused: [expect.any(String)] });
  expect(await scene.byId("m1")).toEqual(slow);
  expect(await scene.byId("m2")).toEqual(slow);
});
