// Tests what a ledger does with the mail of a held domain or account (docs/architecture.md §Hold),
// from the refusal of a copy to the end of the hold or of the mail.
import { describe, expect, it, vi } from "vitest";
import type { Grant, JobRef, Settlement } from "../../../../src/rpc/ledger-calls.ts";
import type { Env } from "../../../../src/env.ts";
import { permitProbe, FREE } from "../../../../src/resources/metrics/account-hold.ts";
import type { ProbeRequest, HoldCode } from "../../../../src/rpc/holds.ts";
import {
  alarmAt,
  candidate,
  emailIds,
  eventOf,
  type LedgerStub,
  messageOf,
  newLedger,
  NOON,
  noonLedger,
  policy,
  type Queued,
  recordQueue,
  restart,
  sendOf,
  setClock,
} from "../ledger-harness.ts";

const SECOND = 1_000;
const DAY = 86_400 * SECOND;
const SHOP = "shop.example";
const PACE = policy({ deliveryRatePerMinute: 6_000 });

interface Scene {
  readonly ledger: LedgerStub;
  queue: Queued;
  now: number;
}

async function scene(): Promise<Scene> {
  return { ...(await noonLedger()), now: NOON };
}

/** Sends messages from a domain. Their ids are `email_<name>_<place>`. */
async function send(one: Scene, name: string, count: number, domain = SHOP): Promise<void> {
  const candidates = Array.from({ length: count }, (_, place) => {
    const id = `email_${name}_${place}`;
    return candidate({ id, domain, meta: JSON.stringify({ id, fromDomain: domain }) });
  });
  await one.ledger.admit(sendOf(candidates, { policy: PACE, now: one.now }));
  await new Promise((resolve) => setTimeout(resolve, 0));
}

async function alarmAfter(one: Scene, seconds: number): Promise<void> {
  one.now += seconds * SECOND;
  await alarmAt(one.ledger, one.now);
  await new Promise((resolve) => setTimeout(resolve, 0));
}

/** Claims all jobs in the queue for a courier that does not remember attempts. */
async function claimAll({ ledger, queue, now }: Scene) {
  const jobs: JobRef[] = queue.jobs.splice(0);
  return ledger.claim(jobs, now, false);
}

/** Reports that the provider refused the copies, because of a hold. */
async function refuse(
  { ledger, now }: Scene,
  grants: readonly Grant[],
  scope: "domain" | "account" = "domain",
  code: HoldCode = "not_onboarded",
): Promise<void> {
  const hold = { scope, code, message: "not authorised", refusedAt: now };
  const postponed = grants.map((grant) => ({ ...grant, notBefore: 0, hold }));
  await ledger.leave({ handedOver: [], postponed, courierRemembers: false }, now);
}

/** Reports that the provider took the copies and will report their outcomes. */
async function take(
  { ledger, now }: Scene,
  grants: readonly Grant[],
  fromDomain = SHOP,
): Promise<void> {
  const settlements = grants.map((grant): Settlement => ({
    ...grant,
    events: [eventOf(grant.emailId, now, { type: "email.sent" })],
    nextAttemptAt: null,
    awaits: { until: now + 3 * DAY, lastReply: null },
    isCarried: true,
  }));
  const messages = Object.fromEntries(
    grants.map(({ emailId }) => [emailId, messageOf(emailId, { fromDomain })]),
  );
  await ledger.settle(settlements, messages, now);
}

/** Makes a ledger whose domain is held: `email_first_0` came back, 20 further messages wait. */
async function heldScene(): Promise<Scene> {
  const one = await scene();
  await send(one, "first", 1);
  await refuse(one, (await claimAll(one)).grants);
  await send(one, "later", 20);
  return one;
}

describe("a held domain", () => {
  it("gets one probe every 45 seconds, and mail of other domains passes", async () => {
    const one = await heldScene();
    await send(one, "other", 5, "other.example");
    const others = (await claimAll(one)).grants;
    expect(others).toHaveLength(5);
    await take(one, others, "other.example");
    let probes = 0;
    for (let second = 0; second < 180; second += 5) {
      await alarmAfter(one, 5);
      const { grants } = await claimAll(one);
      expect(grants.every(({ isProbe, attempt }) => isProbe && attempt === 1)).toBe(true);
      probes += grants.length;
      await refuse(one, grants);
    }
    expect(probes).toBe(4);
    const found = await one.ledger.find("email_later_3");
    expect(found.open).toMatchObject({ holds: ["courier"], hold: { code: "not_onboarded" } });
    expect(await one.ledger.usage(one.now)).toMatchObject({ delivery: { deferred: 0 } });
  });

  it("keeps back copies that were released before the hold was known, also after a restart", async () => {
    const one = await scene();
    await send(one, "early", 10);
    const { grants } = await one.ledger.claim(one.queue.jobs.splice(0, 1), one.now, false);
    await refuse(one, grants);
    expect((await claimAll(one)).grants).toEqual([]);
    one.queue = await restart(one.ledger);
    await alarmAfter(one, 2);
    expect((await claimAll(one)).grants).toMatchObject([
      { emailId: "email_early_0", isProbe: true },
    ]);
  });

  it("gets all its mail, the oldest first, once the provider took a probe", async () => {
    const one = await heldScene();
    await alarmAfter(one, 46);
    await take(one, (await claimAll(one)).grants);
    await alarmAfter(one, 2);
    const { grants, messages } = await claimAll(one);
    expect(emailIds(grants)).toHaveLength(20);
    expect(messages[0]).toMatchObject({ emailId: "email_later_0", heldMs: 48 * SECOND - 2_000 });
    expect((await one.ledger.find("email_later_0")).open?.hold).toBeUndefined();
  });

  it("gets all its mail once the team's new courier, a gateway, has a copy", async () => {
    const one = await heldScene();
    await alarmAfter(one, 46);
    const handedOver = (await claimAll(one)).grants.map((grant) => ({
      ...grant,
      host: "https://g",
    }));
    await one.ledger.leave({ handedOver, postponed: [], courierRemembers: true }, one.now);
    await alarmAfter(one, 2);
    expect((await claimAll(one)).grants).toHaveLength(20);
  });

  it("gets no probe while it has no mail, and another probe if the last was never offered", async () => {
    const one = await scene();
    await send(one, "first", 1);
    await refuse(one, (await claimAll(one)).grants);
    await alarmAfter(one, 46);
    const { grants } = await claimAll(one);
    // The recipient of the probe was suppressed meanwhile, so no courier was asked.
    await one.ledger.settle(
      grants.map((grant) => ({ ...grant, events: [], nextAttemptAt: null })),
      { email_first_0: messageOf("email_first_0") },
      one.now,
    );
    await send(one, "later", 3);
    await alarmAfter(one, 1);
    expect((await claimAll(one)).grants).toMatchObject([{ emailId: "email_later_0" }]);
  });

  it("lets its mail expire after seven days, which do not count in the 72 hours", async () => {
    vi.spyOn(console, "warn").mockImplementation(() => undefined);
    const one = await heldScene();
    one.now += 7 * DAY + SECOND;
    setClock(one.now);
    await alarmAfter(one, 60);
    await alarmAfter(one, 2);
    const { grants, messages } = await claimAll(one);
    expect(new Set(grants.map(({ heldOut }) => heldOut?.code))).toEqual(new Set(["not_onboarded"]));
    expect(new Set(emailIds(grants)).size).toBe(21);
    expect(messages.every(({ heldMs = 0 }) => heldMs >= 7 * DAY)).toBe(true);
  });

  it("lets an event about the previous attempt settle a held message", async () => {
    const one = await scene();
    await send(one, "first", 1);
    const [grant] = (await claimAll(one)).grants;
    const at = one.now;
    const copyTaken = { providerId: null, sender: "a@b", recipient: "ann@example.com", at };
    const fate = { ...grant!, events: [], copyTaken, nextAttemptAt: at + 60 * SECOND };
    const messages = { email_first_0: messageOf("email_first_0") };
    await one.ledger.settle([fate], messages, one.now);
    await alarmAfter(one, 61);
    await refuse(one, (await claimAll(one)).grants);
    const event = { ...grant!, events: [], nextAttemptAt: null, verdict: { eventId: "event" } };
    expect((await one.ledger.settle([event], messages, one.now)).applied).toEqual([0]);
    expect((await one.ledger.find("email_first_0")).open).toBeNull();
  });
});

/** Makes ledgers that share the object that knows the hold of the account. */
async function scenesWithAccount(count: number): Promise<Scene[]> {
  setClock(NOON);
  let state = FREE;
  const object = {
    askAccount: async (question: ProbeRequest) => {
      const [after, answer] = permitProbe(state, question, Date.now(), 1);
      state = after;
      return answer;
    },
    noteAccountFree: async (freedAt: number) => {
      state = { ...FREE, freedAt };
    },
    report: async () => undefined,
  };
  const METRICS = { getByName: () => object } as unknown as Env["METRICS"];
  return Promise.all(
    Array.from({ length: count }, async () => {
      const ledger = newLedger();
      return { ledger, queue: await recordQueue(ledger, { METRICS }), now: NOON };
    }),
  );
}

describe("a held account", () => {
  it("stops all domains of all teams, with one probe in five minutes for a quota", async () => {
    const teams = await scenesWithAccount(3);
    for (const one of teams) {
      await send(one, "first", 1);
      await refuse(one, (await claimAll(one)).grants, "account", "quota_used_up");
      await send(one, "other", 3, "other.example");
      expect(one.queue.jobs).toEqual([]);
    }
    const open = (await teams[0]!.ledger.find("email_other_0")).open;
    expect(open?.hold).toMatchObject({ scope: "account", code: "quota_used_up" });
    let probes = 0;
    for (let second = 0; second < 660; second += 30)
      for (const one of teams) {
        await alarmAfter(one, 30);
        const { grants } = await claimAll(one);
        probes += grants.length;
        await refuse(one, grants, "account", "quota_used_up");
      }
    expect(probes).toBe(2);
  });

  it("is over for all teams within a minute after one of them sent a copy", async () => {
    const [one, other] = (await scenesWithAccount(2)) as [Scene, Scene];
    for (const team of [one, other]) {
      await send(team, "first", 1);
      await refuse(team, (await claimAll(team)).grants, "account", "not_entitled");
      await send(team, "later", 5);
    }
    await alarmAfter(one, 25);
    await take(one, (await claimAll(one)).grants);
    await alarmAfter(one, 1);
    other.now = one.now + 59 * SECOND;
    await alarmAfter(other, 0);
    await alarmAfter(other, 1);
    expect((await claimAll(one)).grants).toHaveLength(5);
    expect((await claimAll(other)).grants).toHaveLength(6);
  });
});
