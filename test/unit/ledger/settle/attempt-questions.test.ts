// Tests how a ledger asks for the outcomes of copies that gateways have
// (src/ledger/settle/attempt-questions.ts, src/ledger/open/asked-job.ts).
import { evictDurableObject, runInDurableObject } from "cloudflare:test";
import { describe, expect, it, vi } from "vitest";
import { MINUTE_MS } from "../../../../src/limits.ts";
import { attemptKey } from "../../../../src/rpc/attempt-key.ts";
import type { Grant } from "../../../../src/rpc/ledger-calls.ts";
import { INHERITED_MS, LEASE_MS, RELEASE_WAIT_MS } from "../../../../src/ledger/open/job-waits.ts";
import {
  alarmAt,
  alarmOf,
  eventOf,
  type LedgerStub,
  messageOf,
  newLedger,
  NOON,
  noonLedger,
  type Queued,
  recordQueue,
  send,
  sendOf,
  setClock,
  settle,
} from "../ledger-harness.ts";

const SECOND = 1_000;
const HOST = "https://egress.example.net";

interface Scene {
  readonly ledger: LedgerStub;
  queue: Queued;
  readonly grants: readonly Grant[];
}

/** Makes a message to this number of recipients, and claims all its jobs. */
async function claimed(recipients = 1): Promise<Scene> {
  const { ledger, queue } = await noonLedger();
  await ledger.admit(sendOf([{ recipientCount: recipients }]));
  await vi.waitFor(() => expect(queue.jobs).toHaveLength(recipients));
  setClock(NOON);
  const { grants } = await ledger.claim(queue.jobs, NOON, true);
  queue.jobs.length = 0;
  return { ledger, queue, grants };
}

/** Makes a message whose copies a consumer has claimed and handed over to a gateway. */
async function handedOver(recipients = 1): Promise<Scene> {
  const scene = await claimed(recipients);
  const copies = scene.grants.map((grant) => ({ ...grant, host: HOST }));
  await scene.ledger.leave({ handedOver: copies, postponed: [], courierRemembers: true }, NOON);
  return scene;
}

/**
 * Runs the ledger's alarm at `at`, and returns the questions about attempts that the ledger then
 * asks.
 */
async function asksAt({ ledger, queue }: Scene, at: number) {
  queue.asks = [];
  await alarmAt(ledger, at);
  await new Promise((resolve) => setTimeout(resolve, 0));
  return queue.asks;
}

async function answer(
  { ledger }: Scene,
  answers: { underWay?: Grant[]; neverHeard?: Grant[]; known?: Grant[] },
  now: number,
) {
  const { underWay = [], neverHeard = [], known = [] } = answers;
  const copies = underWay.map((grant) => ({ ...grant, host: HOST }));
  return ledger.noteAnswers({ underWay: copies, neverHeard, known }, now);
}

function rowsWritten(ledger: LedgerStub): Promise<number> {
  return runInDurableObject(
    ledger,
    (_, { storage }) => storage.sql.exec<{ n: number }>("SELECT total_changes() AS n").one().n,
  );
}

describe("a copy that was left with a gateway", () => {
  it("is asked for soon at first and then less often, for as long as its attempt is running", async () => {
    const scene = await handedOver();
    const keys = scene.grants.map(attemptKey);
    let at = NOON;
    for (const seconds of [2, 4, 8, 16, 32, 60, 60]) {
      at += seconds * SECOND;
      expect(await asksAt(scene, at - 1)).toEqual([]);
      expect(await asksAt(scene, at)).toEqual([{ host: HOST, keys }]);
      await answer(scene, { underWay: [...scene.grants] }, at);
    }
    expect(scene.queue.jobs).toEqual([]);
  });

  it("is asked for again after a minute if no answer came", async () => {
    const scene = await handedOver();
    expect(await asksAt(scene, NOON + 2 * SECOND)).toHaveLength(1);
    expect(await asksAt(scene, NOON + 61 * SECOND)).toEqual([]);
    expect(await asksAt(scene, NOON + 62 * SECOND)).toHaveLength(1);
  });

  it("shares one question with the other copies at its gateway, and writes no row", async () => {
    const rowsOf = async (recipients: number): Promise<number> => {
      const scene = await handedOver(recipients);
      const grants = [...scene.grants];
      await asksAt(scene, NOON + 2 * SECOND);
      const before = await rowsWritten(scene.ledger);
      await answer(scene, { underWay: grants }, NOON + 2 * SECOND);
      const asks = await asksAt(scene, NOON + 6 * SECOND);
      expect(asks).toEqual([{ host: HOST, keys: grants.map(attemptKey) }]);
      return (await rowsWritten(scene.ledger)) - before;
    };
    // The ledger writes as many rows for fifty copies as for one.
    expect(await rowsOf(50)).toBe(await rowsOf(1));
  });

  it("is granted to no other consumer until its gateway answers that it never got the copy", async () => {
    const scene = await handedOver();
    const { ledger, grants } = scene;
    expect((await ledger.claim(grants, NOON + LEASE_MS, true)).grants).toEqual([]);
    await answer(scene, { neverHeard: [...grants] }, NOON + LEASE_MS);
    const again = NOON + LEASE_MS + RELEASE_WAIT_MS;
    await asksAt(scene, again - 1);
    expect(scene.queue.jobs).toEqual([]);
    await asksAt(scene, again);
    await vi.waitFor(() => expect(scene.queue.jobs).toHaveLength(1));
    expect(scene.queue.asks).toEqual([]);
    expect((await ledger.claim(scene.queue.jobs, again, true)).grants).toEqual(grants);
  });

  it("is granted after a wait that doubles each time that its gateway never got the copy", async () => {
    const scene = await handedOver();
    const { ledger } = scene;
    const grants = [...scene.grants];
    let now = NOON;
    for (const [times, factor] of [1, 2, 4, 8, 16, 32, 32].entries()) {
      const { unheardAgain } = await answer(scene, { neverHeard: grants }, now);
      expect(unheardAgain).toEqual(times === 0 ? [] : grants);
      now += factor * RELEASE_WAIT_MS;
      expect((await ledger.claim(grants, now - 1, true)).grants).toEqual([]);
      expect((await ledger.claim(grants, now, true)).grants).toEqual(grants);
    }
  });

  it("waits for a connection, is released when one is free, and keeps its age and its attempt", async () => {
    const scene = await handedOver();
    const { ledger, queue } = scene;
    const [grant] = scene.grants as [Grant];
    const waitsForRoom = async () =>
      (await ledger.find(grant.emailId)).open?.waitForRoom ?? [false];
    let now = NOON;
    for (const times of [1, 2, 3]) {
      expect(await waitsForRoom()).toEqual([times > 1]);
      now += 65 * SECOND;
      await answer(scene, { underWay: [{ ...grant, waitsSince: NOON }] }, now);
      expect(await waitsForRoom()).toEqual([true]);
      const room = { isForRoom: true, notBefore: now + 7 * SECOND, waitsSince: NOON } as const;
      const left = { handedOver: [], postponed: [{ ...grant, ...room }], courierRemembers: true };
      await ledger.leave(left, now);
      expect(await waitsForRoom()).toEqual([true]);
      expect(await asksAt(scene, now + 7 * SECOND - 1)).toEqual([]);
      expect(queue.jobs).toEqual([]);
      now += 7 * SECOND;
      await alarmAt(ledger, now);
      await vi.waitFor(() => expect(queue.jobs).toHaveLength(1));
      const { grants } = await ledger.claim(queue.jobs.splice(0), now, true);
      expect(grants).toEqual([{ ...grant, waitsSince: NOON }]);
      const copies = grants.map((one) => ({ ...one, host: HOST }));
      await ledger.leave({ handedOver: copies, postponed: [], courierRemembers: true }, now);
    }
    await answer(scene, { underWay: [grant] }, now);
    expect(await waitsForRoom()).toEqual([false]);
    expect((await settle(ledger, [grant], now)).applied).toEqual([0]);
  });

  it("is asked for if a slow consumer hands it over after the gateway answered that it never got it", async () => {
    const scene = await claimed();
    const { ledger, grants } = scene;
    await answer(scene, { neverHeard: [...grants] }, NOON);
    const copies = grants.map((grant) => ({ ...grant, host: HOST }));
    const left = { handedOver: copies, postponed: [], courierRemembers: true };
    await ledger.leave(left, NOON + SECOND);
    expect((await ledger.claim(grants, NOON + RELEASE_WAIT_MS, true)).grants).toEqual([]);
    expect(await asksAt(scene, NOON + RELEASE_WAIT_MS)).toEqual([
      { host: HOST, keys: grants.map(attemptKey) },
    ]);
  });

  it("is settled once, with its message, when its outcome is known", async () => {
    const scene = await handedOver();
    const { ledger, grants } = scene;
    const [grant] = grants as [Grant];
    const { messages } = await answer(scene, { known: [grant] }, NOON + SECOND);
    expect(messages).toMatchObject([{ emailId: grant.emailId, startsAt: NOON }]);
    expect((await settle(ledger, grants, NOON + SECOND)).applied).toEqual([0]);
    expect((await answer(scene, { known: [grant] }, NOON + SECOND)).messages).toEqual([]);
    expect(await asksAt(scene, NOON + 2 * SECOND)).toEqual([]);
  });

  it("is not asked for while its consumer renews the lease, which writes no row", async () => {
    const scene = await claimed();
    const { ledger, grants } = scene;
    const before = await rowsWritten(ledger);
    await ledger.hold(grants, NOON + LEASE_MS - SECOND, true);
    expect(await rowsWritten(ledger)).toBe(before);
    expect(await asksAt(scene, NOON + LEASE_MS)).toEqual([]);
    expect(await asksAt(scene, NOON + 2 * LEASE_MS - SECOND)).toHaveLength(1);
  });

  it("is asked for, but not released again, when its consumer died after the claim", async () => {
    const scene = await claimed();
    expect(await asksAt(scene, NOON + LEASE_MS)).toEqual([
      { host: null, keys: scene.grants.map(attemptKey) },
    ]);
    expect(scene.queue.jobs).toEqual([]);
  });
});

describe("a restart", () => {
  it("forgets a lease, which its consumer can renew, and the ledger asks when the renewed lease ends", async () => {
    const scene = await claimed();
    await evictDurableObject(scene.ledger);
    scene.queue = await recordQueue(scene.ledger);
    await scene.ledger.hold(scene.grants, NOON + SECOND, true);
    expect(await asksAt(scene, NOON + LEASE_MS)).toEqual([]);
    expect(await asksAt(scene, NOON + LEASE_MS + SECOND)).toEqual([
      { host: null, keys: scene.grants.map(attemptKey) },
    ]);
    expect(scene.queue.jobs).toEqual([]);
  });

  it("asks for every attempt that may have been handed over before, at any gateway", async () => {
    const ledger = newLedger();
    setClock(NOON);
    let queue = await recordQueue(ledger);
    await ledger.admit(send());
    await ledger.admit(send());
    await vi.waitFor(() => expect(queue.jobs).toHaveLength(2));
    const jobs = [...queue.jobs];
    await ledger.claim(jobs.slice(0, 1), NOON, true);
    await evictDurableObject(ledger);
    queue = await recordQueue(ledger);
    expect((await ledger.claim(jobs, NOON + SECOND, true)).grants).toEqual([]);
    // The clock goes on while the ledger restarts, so the alarm's time is known only within limits.
    const again = (await alarmOf(ledger)) ?? 0;
    expect(again - NOON).toBeGreaterThanOrEqual(INHERITED_MS);
    expect(again - NOON).toBeLessThan(2 * INHERITED_MS);
    const scene = { ledger, queue, grants: jobs.map((job) => ({ ...job, attempt: 1 })) };
    expect(await asksAt(scene, again)).toEqual([
      { host: null, keys: scene.grants.map(attemptKey) },
    ]);
    await answer(scene, { neverHeard: scene.grants }, again);
    await asksAt(scene, again + RELEASE_WAIT_MS);
    await vi.waitFor(() => expect(queue.jobs).toHaveLength(2));
  });

  it("asks for a copy that was claimed again, although the disk only knows that it was postponed", async () => {
    const scene = await claimed(2);
    const { ledger, grants } = scene;
    const [first, second] = grants as [Grant, Grant];
    const postponed = [{ ...second, notBefore: 0 }];
    await ledger.leave({ handedOver: [], postponed, courierRemembers: true }, NOON);
    await settle(ledger, [first], NOON);
    const again = NOON + 15 * SECOND;
    expect((await ledger.claim([second], again, true)).grants).toEqual([second]);
    const copies = [{ ...second, host: HOST }];
    await ledger.leave({ handedOver: copies, postponed: [], courierRemembers: true }, again);
    setClock(again + SECOND);
    await evictDurableObject(ledger);
    scene.queue = await recordQueue(ledger);
    const later = again + INHERITED_MS + 2 * SECOND;
    expect((await ledger.claim([second], later, true)).grants).toEqual([]);
    expect(await asksAt(scene, later)).toEqual([{ host: null, keys: [attemptKey(second)] }]);
    expect(scene.queue.jobs).toEqual([]);
  });

  it("before each alarm does not stop the release of a copy that no gateway knows", async () => {
    const scene = await claimed();
    const { ledger, grants } = scene;
    let now = NOON;
    const restartAfter = async (wait: number): Promise<void> => {
      now += wait;
      setClock(now);
      await evictDurableObject(ledger);
      scene.queue = await recordQueue(ledger);
    };
    for (const wait of [RELEASE_WAIT_MS, 2 * RELEASE_WAIT_MS]) {
      await restartAfter(MINUTE_MS);
      now += 2 * INHERITED_MS;
      expect(await asksAt(scene, now)).toEqual([{ host: null, keys: grants.map(attemptKey) }]);
      await answer(scene, { neverHeard: [...grants] }, now);
      await restartAfter(wait);
      expect(await asksAt(scene, now)).toEqual([]);
      await vi.waitFor(() => expect(scene.queue.jobs).toHaveLength(1));
      expect((await ledger.claim(scene.queue.jobs, now, true)).grants).toEqual(grants);
    }
  });

  it("asks no question about a retry that is due after the restart, and releases the retry", async () => {
    const scene = await claimed();
    await settle(scene.ledger, scene.grants, NOON, NOON + 60 * SECOND);
    await evictDurableObject(scene.ledger);
    scene.queue = await recordQueue(scene.ledger);
    expect(await asksAt(scene, NOON + 60 * SECOND)).toEqual([]);
    await vi.waitFor(() => expect(scene.queue.jobs).toHaveLength(1));
    const { grants } = await scene.ledger.claim(scene.queue.jobs, NOON + 60 * SECOND, true);
    expect(grants).toMatchObject([{ attempt: 2 }]);
  });
});

describe("a recipient whose bounce was reported while a gateway has the copy", () => {
  it("is asked for until the gateway knows the outcome, or answers that it never got the copy", async () => {
    const scene = await handedOver(2);
    const [first, second] = scene.grants as [Grant, Grant];
    const report = (recipientIndex: number) => ({
      message: messageOf(first.emailId),
      recipientIndex,
      event: eventOf(first.emailId, NOON, {
        type: "email.bounced",
        recipient: `${recipientIndex}@b.example`,
      }),
      once: null,
    });
    await scene.ledger.append([report(0), report(1)], NOON + SECOND);
    expect(await asksAt(scene, NOON + 2 * SECOND)).toHaveLength(1);
    await answer(scene, { underWay: [first], neverHeard: [second] }, NOON + 2 * SECOND);
    expect(await scene.ledger.usage(NOON)).toMatchObject({ jobs: 1 });
    expect(await asksAt(scene, NOON + LEASE_MS)).toEqual([
      { host: HOST, keys: [attemptKey(first)] },
    ]);
    expect((await settle(scene.ledger, [first], NOON + LEASE_MS)).applied).toEqual([0]);
    expect(await scene.ledger.usage(NOON)).toMatchObject({ jobs: 0 });
  });
});
