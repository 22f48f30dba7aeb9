// Tests that a ledger that keeps hardly any message in memory acts like a simple model, through
// random restarts and rollbacks (src/ledger/open/open-messages.ts): each message is found by its id,
// each recipient gets one outcome, and no attempt that a gateway knows is granted again.
import { runInDurableObject } from "cloudflare:test";
import { fc } from "../../../support/properties.ts";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { CoreFacts } from "../../../../src/ledger/core-facts.ts";
import { findOpen, hasOpen, openIdsBelow } from "../../../../src/ledger/open/open-lookups.ts";
import { recordAskedAttempts } from "../../../../src/ledger/settle/attempt-questions.ts";
import { claimJobs, leaveJobs } from "../../../../src/ledger/settle/claims.ts";
import { settleAttempts } from "../../../../src/ledger/settle/settlements.ts";
import { boundsFor, Subjects } from "../../../../src/ledger/ledger-state.ts";
import { TeamLog } from "../../../../src/ledger/log/team-log.ts";
import { uuidv7 } from "../../../../src/lib/ids.ts";
import { attemptKey } from "../../../../src/rpc/attempt-key.ts";
import type { Grant, JobRef, Settlement } from "../../../../src/rpc/ledger-calls.ts";
import type { AttemptQuestion, LeftJobs } from "../../../../src/rpc/question-calls.ts";
import { candidate, eventOf, messageOf, newLedger, NOON, setClock } from "../ledger-harness.ts";

const HOST = "https://egress.example.net";
const PER_MINUTE = 600;
const RETRY_MS = 60_000;
const IN_MEMORY = [0, 3, 20_000];

const OUTCOMES = [
  "delivered",
  "delayed",
  "left",
  "crash",
  "postponed",
  "down",
  "awaiting",
  "held domain",
  "held account",
] as const;
type Outcome = (typeof OUTCOMES)[number];

/** The outcomes of couriers that do not remember attempts. */
const WITHOUT_MEMORY: ReadonlySet<Outcome> = new Set(["awaiting", "held domain", "held account"]);
/** The domain of messageOf(). */
const DOMAIN = "shop.example";

type Step =
  | { readonly kind: "send"; readonly campaign: string | null; readonly recipients: number[] }
  | { readonly kind: "alarm"; readonly seconds: number }
  | { readonly kind: "consume"; readonly jobs: number; readonly outcome: Outcome }
  | { readonly kind: "answer" | "report" | "lose" | "restart" | "rollback" };

const STEP: fc.Arbitrary<Step> = fc.oneof(
  fc.record({
    kind: fc.constant("send" as const),
    campaign: fc.constantFrom(null, "a", "b"),
    recipients: fc.array(fc.constantFrom(1, 1, 1, 3, 9), { minLength: 1, maxLength: 12 }),
  }),
  fc.record({ kind: fc.constant("alarm" as const), seconds: fc.constantFrom(1, 5, 30, 70, 300) }),
  fc.record({
    kind: fc.constant("consume" as const),
    jobs: fc.constantFrom(1, 5, 1_000),
    outcome: fc.constantFrom(...OUTCOMES, "delayed", "left"),
  }),
  fc.record({
    kind: fc.constantFrom("answer", "report", "lose", "restart", "rollback"),
  }),
);

/** A ledger's state, a queue, its consumers, and a gateway that forgets no attempt. */
class World {
  readonly accepted = new Map<string, number>();
  readonly ended = new Set<string>();
  readonly #storage: DurableObjectStorage;
  readonly #log: TeamLog;
  readonly #inMemory: number;
  /** The attempts that the gateway knows, with its answer to the next question. */
  readonly #gateway = new Map<string, "under_way" | "known">();
  readonly #awaiting: Grant[] = [];
  #subjects!: Subjects;
  #queue: JobRef[] = [];
  #asks: AttemptQuestion[] = [];
  #now = NOON;

  constructor(storage: DurableObjectStorage, inMemory: number) {
    this.#storage = storage;
    this.#inMemory = inMemory;
    const unused = (): never => {
      throw new Error("the test hands no events over");
    };
    this.#log = new TeamLog({
      teamId: "team_1",
      env: unused,
      facts: new CoreFacts("team_1", unused),
      speedup: 1,
      write: unused,
      scheduleWake: unused,
      noteAppended: () => undefined,
    });
    this.#restart();
  }

  step(step: Step): void {
    setClock(this.#now);
    if (step.kind === "send") this.#send(step.campaign, step.recipients);
    else if (step.kind === "alarm") this.#alarm(step.seconds);
    else if (step.kind === "consume") this.#consume(step.jobs, step.outcome);
    else if (step.kind === "answer") this.#answer();
    else if (step.kind === "report") this.#report();
    else if (step.kind === "lose") [this.#queue, this.#asks] = [[], []];
    else if (step.kind === "restart") this.#restart();
    else this.#rollBack();
    this.check();
  }

  /** Runs the ledger until every recipient has its outcome. */
  drain(): void {
    this.step({ kind: "alarm", seconds: 1 });
    for (let turn = 0; turn < 200 && this.ended.size < this.#recipients; turn += 1) {
      this.step({ kind: "alarm", seconds: turn % 10 === 9 ? 900 : 20 });
      this.step({ kind: "answer" });
      this.step({ kind: "report" });
      this.step({ kind: "consume", jobs: 1_000, outcome: "delivered" });
    }
    expect(this.ended.size).toBe(this.#recipients);
    expect(this.#subjects.open.size).toEqual({ messages: 0, jobs: 0 });
    expect(this.#subjects.open.memory.nextWake()).toBe(Number.POSITIVE_INFINITY);
    const { leased, waiting, awaiting } = this.#subjects.open.memory.counts;
    expect([leased, waiting, awaiting, this.#subjects.open.memory.inFlight.unsent]).toEqual([
      0, 0, 0, 0,
    ]);
  }

  /** Compares what the ledger shows with the model. */
  check(): void {
    const { open, releases } = this.#subjects;
    for (const [id, count] of this.accepted) {
      const isOpen = this.#openOf(id, count) > 0;
      expect([id, hasOpen(open, id)]).toEqual([id, isOpen]);
      const left = findOpen(open, id)?.holds?.filter((hold) => hold !== null).length ?? 0;
      expect([id, left]).toEqual([id, this.#openOf(id, count)]);
    }
    const openIds = [...this.accepted].filter(([id, count]) => this.#openOf(id, count) > 0);
    expect(open.size).toEqual({
      messages: openIds.length,
      jobs: this.#recipients - this.ended.size,
    });
    const listed = new Set(openIdsBelow(open, "email_~", 10_000));
    for (const [id, count] of this.accepted)
      expect([id, listed.has(id)]).toEqual([id, this.#openOf(id, count) > 0]);
    const { leased, waiting, awaiting } = open.memory.counts;
    const counts = [leased, waiting, awaiting, releases.queued, releases.backlog.waiting];
    expect(Math.min(...counts)).toBeGreaterThanOrEqual(0);
  }

  get #recipients(): number {
    return [...this.accepted.values()].reduce((sum, count) => sum + count, 0);
  }

  #openOf(emailId: string, count: number): number {
    const indexes = [...Array(count).keys()];
    return indexes.filter((index) => !this.ended.has(`${emailId}/${index}`)).length;
  }

  #write<Result>(work: () => Result): Result {
    return this.#storage.transactionSync(() => {
      const result = work();
      this.#subjects.beforeCommit();
      return result;
    });
  }

  #restart(): void {
    const bounds = boundsFor({ retrySpeedup: 1, leaseSpeedup: 1 } as never);
    this.#subjects = new Subjects(this.#storage.sql, "team_1", this.#log, {
      ...bounds,
      messagesInMemory: this.#inMemory,
    });
  }

  /** Makes many changes in a transaction that fails at its end. */
  #rollBack(): void {
    expect(() =>
      this.#write(() => {
        const { grants } = claimJobs(this.#subjects.open, this.#queue, this.#now, false, 0);
        const half = grants.filter((_, index) => index % 2 === 0);
        const settled = this.#outcomes(half, "delayed");
        settleAttempts(this.#subjects, settled, messagesOf(half), this.#now);
        this.#subjects.round(this.#now);
        throw new Error("the disk fails");
      }),
    ).toThrow("the disk fails");
    this.#restart();
  }

  #send(campaign: string | null, recipients: readonly number[]): void {
    const candidates = recipients.map((recipientCount) =>
      domainCandidate(`email_${uuidv7(this.#now)}`, campaign, recipientCount),
    );
    for (const { id, recipientCount } of candidates) this.accepted.set(id, recipientCount);
    const { releases } = this.#subjects;
    const uses = new Map();
    const accept = () => releases.accept(candidates, uses, PER_MINUTE, this.#now);
    this.#queue.push(...this.#write(accept));
  }

  #alarm(seconds: number): void {
    this.#now += seconds * 1_000;
    setClock(this.#now);
    this.#subjects.open.holds.takePermit({ kind: "probe" }, this.#now);
    const { released = [], asks = [] } = this.#write(() => this.#subjects.round(this.#now));
    this.#queue.push(...released);
    this.#asks.push(...asks);
  }

  #consume(count: number, outcome: Outcome): void {
    const jobs = this.#queue.splice(0, count);
    const { open } = this.#subjects;
    const { grants } = this.#write(() =>
      claimJobs(open, [...jobs, ...jobs], this.#now, WITHOUT_MEMORY.has(outcome), 0),
    );
    for (const grant of grants) expect([...this.#gateway.keys()]).not.toContain(attemptKey(grant));
    const handedOver = grants.map((grant) => ({ ...grant, host: HOST }));
    const postponed = grants.map((grant) => ({ ...grant, notBefore: 0 }));
    if (outcome === "left") {
      for (const grant of grants) this.#gateway.set(attemptKey(grant), "under_way");
      this.#leave({ handedOver, postponed: [], courierRemembers: true });
    } else if (outcome === "postponed" || outcome === "down") {
      const courierIsDown = outcome === "down";
      this.#leave({ handedOver: [], postponed, courierRemembers: true, courierIsDown });
    } else if (outcome === "held domain" || outcome === "held account") {
      const scope = outcome === "held domain" ? "domain" : "account";
      const hold = { scope, code: "not_onboarded", message: "no", refusedAt: this.#now } as const;
      const refused = postponed.map((grant) => ({ ...grant, hold }));
      this.#leave({ handedOver: [], postponed: refused, courierRemembers: false });
    } else if (outcome !== "crash") this.#settle(grants, outcome);
  }

  #leave(left: LeftJobs): void {
    this.#write(() => leaveJobs(this.#subjects.open, left, this.#now));
  }

  /** Answers the ledger's questions, as a gateway does. */
  #answer(): void {
    const asked = this.#asks.splice(0).map((ask) => ({ ...ask, host: HOST }));
    const saying = (answer?: "under_way" | "known") =>
      asked.filter((ask) => this.#gateway.get(attemptKey(ask)) === answer);
    const [underWay, known, neverHeard] = [saying("under_way"), saying("known"), saying()];
    this.#write(() =>
      recordAskedAttempts(this.#subjects.open, { underWay, neverHeard, known: [] }, this.#now),
    );
    for (const ask of underWay) this.#gateway.set(attemptKey(ask), "known");
    this.#settle(known, known.length % 2 === 0 ? "delivered" : "delayed");
  }

  /** Reports the deliveries of the copies that a provider took. */
  #report(): void {
    const grants = this.#awaiting.splice(0);
    this.#apply(
      this.#outcomes(grants, "delivered").map((one) => ({ ...one, verdict: { eventId: null } })),
    );
  }

  #settle(grants: readonly Grant[], outcome: Outcome): void {
    if (outcome === "awaiting") this.#awaiting.push(...grants);
    this.#apply(this.#outcomes(grants, outcome));
  }

  #apply(settlements: readonly Settlement[]): void {
    const { result } = this.#write(() =>
      settleAttempts(
        this.#subjects,
        [...settlements, ...settlements],
        messagesOf(settlements),
        this.#now,
      ),
    );
    for (const place of result.applied) {
      const { emailId, recipientIndex, nextAttemptAt, awaits } =
        settlements[place % settlements.length]!;
      const recipient = `${emailId}/${recipientIndex}`;
      if (awaits) continue;
      expect(this.ended.has(recipient)).toBe(false);
      if (nextAttemptAt === null) this.ended.add(recipient);
    }
  }

  #outcomes(grants: readonly Grant[], outcome: Outcome): Settlement[] {
    return grants.map(({ emailId, recipientIndex, attempt }) => ({
      emailId,
      recipientIndex,
      attempt,
      events: [eventOf(emailId, this.#now, { attempt })],
      isCarried: true,
      nextAttemptAt: outcome === "delayed" ? this.#now + RETRY_MS * attempt : null,
      ...(outcome === "awaiting" && {
        awaits: { until: this.#now + 72 * 3_600_000, lastReply: null },
      }),
    }));
  }
}

function domainCandidate(id: string, campaign: string | null, recipientCount: number) {
  const meta = JSON.stringify({ id, fromDomain: DOMAIN });
  return candidate({ id, campaign, recipientCount, meta, domain: DOMAIN });
}

function messagesOf(grants: readonly JobRef[]) {
  return Object.fromEntries(grants.map(({ emailId }) => [emailId, messageOf(emailId)]));
}

beforeEach(() => void vi.spyOn(console, "warn").mockImplementation(() => undefined));
afterEach(() => vi.restoreAllMocks());

describe("a ledger's open messages", () => {
  it.each(IN_MEMORY)(
    "are those of the model through random steps, with %i messages in memory",
    async (inMemory) => {
      await fc.assert(
        fc.asyncProperty(fc.array(STEP, { minLength: 5, maxLength: 40 }), async (steps) => {
          setClock(NOON);
          const ledger = newLedger();
          await runInDurableObject(ledger, (_, { storage }) => {
            const world = new World(storage, inMemory);
            for (const step of steps) world.step(step);
            world.drain();
          });
        }),
        { numRuns: 4 },
      );
    },
  );
});
