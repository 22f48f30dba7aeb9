// Tests a ledger with random sends, releases, claims, retries, lost queue messages and restarts.
// Every accepted recipient must get exactly one final outcome, and the attempts must be numbered
// without a gap.
import { evictDurableObject, runDurableObjectAlarm, runInDurableObject } from "cloudflare:test";
import { fc } from "../../support/properties.ts";
import { describe, expect, it } from "vitest";
import { attemptKey, parseAttemptKey } from "../../../src/rpc/attempt-key.ts";
import type { Grant, JobRef } from "../../../src/rpc/ledger-calls.ts";
import { PRIORITIES, type Priority } from "../../../src/rpc/priority.ts";
import { uuidv7 } from "../../../src/lib/ids.ts";
import {
  newLedger,
  NOON,
  policy,
  recordQueue,
  sendOf,
  setClock,
  settle,
  type LedgerStub,
} from "./ledger-harness.ts";

const PACE = policy({ deliveryRatePerMinute: 12, daily: 100_000 });

interface Send {
  readonly kind: "send";
  readonly campaign: string | null;
  readonly priority: Priority;
  readonly recipients: readonly number[];
}

type Step =
  | Send
  | { readonly kind: "alarm"; readonly seconds: number }
  | {
      readonly kind: "consume";
      readonly jobs: number;
      readonly outcome: "delivered" | "delayed" | "left" | "crash";
    }
  | { readonly kind: "lose" | "restart" }
  /** A restart after everything that was released is delivered. */
  | { readonly kind: "calm restart"; readonly seconds: number };

const HOST = "https://egress.example.net";

const STEP = fc.oneof(
  fc.record({
    kind: fc.constant("send" as const),
    campaign: fc.constantFrom(null, "a", "b"),
    priority: fc.constantFrom(...PRIORITIES),
    recipients: fc.array(fc.constantFrom(1, 1, 2, 9), { minLength: 1, maxLength: 40 }),
  }),
  fc.record({ kind: fc.constant("alarm" as const), seconds: fc.constantFrom(1, 5, 20, 90) }),
  fc.record({
    kind: fc.constant("consume" as const),
    jobs: fc.constantFrom(1, 10, 1_000),
    outcome: fc.constantFrom(
      ...(["delivered", "delivered", "delivered", "delayed", "left", "crash"] as const),
    ),
  }),
  fc.record({ kind: fc.constantFrom("lose" as const, "restart" as const) }),
  fc.record({ kind: fc.constant("calm restart" as const), seconds: fc.constantFrom(10, 20, 30) }),
);

class Life {
  readonly accepted = new Set<string>();
  readonly attempts = new Map<string, number[]>();
  readonly ended = new Set<string>();
  readonly #ledger: LedgerStub = newLedger();
  /**
   * The attempts that the gateway knows, with the answer that it gives to the next question about
   * each.
   */
  readonly #gateway = new Map<string, "under_way" | "known">();
  #queue: Awaited<ReturnType<typeof recordQueue>> | undefined;
  #now = NOON;

  async step(step: Step): Promise<void> {
    setClock(this.#now);
    this.#queue ??= await recordQueue(this.#ledger);
    if (step.kind === "send") await this.#send(step);
    else if (step.kind === "alarm") await this.#alarm(step.seconds);
    else if (step.kind === "consume") await this.#consume(step.jobs, step.outcome);
    else if (step.kind === "lose") Object.assign(this.#queue, { jobs: [], asks: [] });
    else {
      if (step.kind === "calm restart") {
        await this.#alarm(step.seconds);
        await this.#consume(1_000, "delivered");
      }
      await evictDurableObject(this.#ledger);
      this.#queue = undefined;
    }
  }

  /**
   * Runs the ledger until every message has its final outcome. Returns the number of messages and
   * jobs that are still open.
   */
  async drain(): Promise<{ messages: number; jobs: number }> {
    for (let turn = 0; turn < 400; turn += 1) {
      const { messages, jobs } = await this.#ledger.usage(this.#now);
      if (messages === 0) return { messages, jobs };
      await this.step({ kind: "alarm", seconds: 60 });
      await this.step({ kind: "consume", jobs: 1_000, outcome: "delivered" });
    }
    return this.#ledger.usage(this.#now);
  }

  contentGroups(): Promise<number> {
    return runInDurableObject(
      this.#ledger,
      (_, { storage }) =>
        storage.sql.exec<{ groups: number }>("SELECT count(*) AS groups FROM content_groups").one()
          .groups,
    );
  }

  async #send({ campaign, priority, recipients }: Send): Promise<void> {
    const ids = recipients.map(() => `email_${uuidv7(this.#now)}`);
    const candidates = recipients.map((recipientCount, index) => ({
      id: ids[index]!,
      campaign,
      priority,
      recipientCount,
      content: contentOf(ids[index]!),
    }));
    await this.#ledger.admit(sendOf(candidates, { policy: PACE, now: this.#now }));
    for (const { id, recipientCount } of candidates)
      for (let index = 0; index < recipientCount; index += 1) this.accepted.add(`${id}/${index}`);
  }

  async #alarm(seconds: number): Promise<void> {
    this.#now += seconds * 1_000;
    setClock(this.#now);
    await runDurableObjectAlarm(this.#ledger);
  }

  /** Answers the ledger's questions about the outcomes of attempts, as a gateway does. */
  async #answer(): Promise<void> {
    const keys = this.#queue?.asks.splice(0).flatMap((one) => one.keys) ?? [];
    const grants = keys.map((key) => ({ ...parseAttemptKey(key)!, host: HOST, key }));
    const saying = (answer?: "under_way" | "known") =>
      grants.filter(({ key }) => this.#gateway.get(key) === answer);
    const [underWay, known, neverHeard] = [saying("under_way"), saying("known"), saying()];
    await this.#ledger.noteAnswers({ underWay, known, neverHeard }, this.#now);
    for (const { key } of underWay) this.#gateway.set(key, "known");
    await this.#settle(known, null);
  }

  async #consume(
    count: number,
    outcome: "delivered" | "delayed" | "left" | "crash",
  ): Promise<void> {
    await this.#answer();
    const jobs: JobRef[] = this.#queue?.jobs.splice(0, count) ?? [];
    const { messages, grants } = await this.#ledger.claim([...jobs, ...jobs], this.#now, true);
    const granted = new Set(grants.map(({ emailId }) => emailId));
    for (const { emailId, content } of messages)
      if (granted.has(emailId)) expect(content).toBe(contentOf(emailId));
    if (outcome === "left") {
      for (const grant of grants) this.#gateway.set(attemptKey(grant), "under_way");
      const handedOver = grants.map((grant) => ({ ...grant, host: HOST }));
      const left = { handedOver, postponed: [], courierRemembers: true };
      await this.#ledger.leave(left, this.#now);
    }
    if (outcome === "crash" || outcome === "left") return;
    await this.#settle(grants, outcome === "delayed" ? this.#now + 60_000 : null);
  }

  async #settle(grants: readonly Grant[], nextAttemptAt: number | null): Promise<void> {
    const { applied } = await settle(
      this.#ledger,
      [...grants, ...grants],
      this.#now,
      nextAttemptAt,
    );
    for (const place of applied) {
      const { emailId, recipientIndex, attempt } = grants[place]!;
      const job = `${emailId}/${recipientIndex}`;
      expect(this.ended.has(job)).toBe(false);
      if (nextAttemptAt === null) this.ended.add(job);
      this.attempts.set(job, [...(this.attempts.get(job) ?? []), attempt]);
    }
  }
}

function contentOf(emailId: string): string {
  return `${emailId} says nothing.`;
}

describe("a ledger with random calls, losses and restarts", () => {
  it("brings every accepted recipient to exactly one final outcome", async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(STEP, { minLength: 5, maxLength: 40 }), async (steps) => {
        const life = new Life();
        for (const step of steps) await life.step(step);
        expect(await life.drain()).toMatchObject({ messages: 0, jobs: 0 });
        expect(await life.contentGroups()).toBe(0);
        expect(life.ended).toEqual(life.accepted);
        for (const attempts of life.attempts.values())
          expect(attempts).toEqual(attempts.map((_, index) => index + 1));
      }),
      { numRuns: 5 },
    );
  });
});
