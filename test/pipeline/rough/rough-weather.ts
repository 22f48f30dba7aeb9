// Runs days of a pipeline with faults: the real ledgers, consumer, history and sweep, driven by a
// clock that the test moves. Alarms are lost, queue messages are lost, doubled or late, workers die
// between any two steps, databases fail and ledgers restart. A seed decides when.
import { evictDurableObject, runDurableObjectAlarm, runInDurableObject } from "cloudflare:test";
import { vi } from "vitest";
import type { Env } from "../../../src/env.ts";
import { HOUR_MS } from "../../../src/limits.ts";
import { GATHER_MS } from "../../../src/mail/deliver/settlement-queue.ts";
import { consumeDeliverJobs } from "../../../src/mail/deliver/consumer.ts";
import { restoreLedgerAlarms, sweep } from "../../../src/sweep.ts";
import { bindings } from "../../support/api.ts";
import type { RoughChance } from "./rough-chance.ts";
import type { DeliverBody } from "../../../src/rpc/queue-jobs.ts";
import type { RoughGateway } from "./rough-gateway.ts";

const SECOND_MS = 1_000;
const MINUTE_MS = 60 * SECOND_MS;

const ODDS = {
  lostAlarm: 0.2,
  lostTick: 0.2,
  lostMessage: 0.2,
  doubledMessage: 0.1,
  lateMessage: 0.15,
  queueDown: 0.03,
  deadWorker: 0.03,
  /** The rate is high, because a test writes few chunks and a fault should still hit some. */
  databaseFault: 0.4,
  restart: 0.03,
} as const;

/**
 * Step of the clock. Work that is due within a step is late by up to this much. Lost alarms are
 * restored at every step, not every 15 minutes.
 */
export const STEP_MS = 60 * MINUTE_MS;
const LATEST_MESSAGE_MS = 80 * MINUTE_MS;
const REDELIVERIES = 3;
const BATCH = 100;
const CRASH_URL = "http://crash.test";

interface Waiting {
  readonly at: number;
  readonly body: DeliverBody;
  readonly tries: number;
}

/** Counts how often each kind of fault happened. */
export type RoughTally = Record<keyof typeof ODDS, number>;

export class RoughWeather {
  readonly tally: RoughTally = Object.fromEntries(
    Object.keys(ODDS).map((name) => [name, 0]),
  ) as RoughTally;
  readonly #chance: RoughChance;
  readonly #teamIds: readonly string[];
  readonly #env: Env;
  #waiting: Waiting[] = [];
  #now = Date.now();

  private constructor(chance: RoughChance, gateway: RoughGateway, teamIds: readonly string[]) {
    this.#chance = chance;
    this.#teamIds = teamIds;
    this.#env = { ...bindings, CRASH_POINT_URL: CRASH_URL };
    const real = globalThis.fetch;
    // A spy would keep every call of the simulated days in memory, so the test uses a stub.
    vi.stubGlobal("fetch", async (input: string, init?: RequestInit) => {
      if (input.startsWith(CRASH_URL)) return this.#passPoint(input);
      if (input === "http://egress.test/ask") return gateway.ask(new Request(input, init));
      return input === "http://egress.test/deliver"
        ? gateway.deliver(new Request(input, init))
        : real(input, init);
    });
    const wait = scheduler.wait.bind(scheduler);
    // The deliver stage settles outcomes once it has all of them, or after a short wait. The wait
    // never ends here, so the machine's speed does not decide which outcomes are settled together.
    // All other waits stay, because the ledger depends on them.
    vi.spyOn(scheduler, "wait").mockImplementation((ms, options) =>
      ms === GATHER_MS ? new Promise(() => {}) : wait(ms, options),
    );
    vi.spyOn(Math, "random").mockImplementation(() => chance.draw("jitter"));
  }

  static async over(
    teamIds: readonly string[],
    chance: RoughChance,
    gateway: RoughGateway,
  ): Promise<RoughWeather> {
    const weather = new RoughWeather(chance, gateway, teamIds);
    for (const teamId of teamIds) await weather.#connect(teamId);
    return weather;
  }

  /** Lets time pass until `until` (Unix milliseconds), or until no ledger has an open message. */
  async pass(until: number): Promise<void> {
    while (this.#now < until) {
      const alarms = await Promise.all(this.#teamIds.map(alarmOf));
      this.#now += STEP_MS;
      setClock(this.#now);
      for (const [team, at] of alarms.entries()) if (at <= this.#now) await this.#alarm(team);
      for (const team of this.#teamIds.keys()) await this.#consume(team);
      await this.#tick();
      if (this.#now % HOUR_MS === 0 && (await this.#isEmpty())) return;
    }
  }

  async #isEmpty(): Promise<boolean> {
    const usages = await Promise.all(
      this.#teamIds.map((teamId) => ledgerOf(teamId).usage(this.#now)),
    );
    return usages.every(({ messages }) => messages === 0);
  }

  async #alarm(team: number): Promise<void> {
    this.#chance.on(`alarm ${team} at ${this.#now}`);
    const teamId = this.#teamIds[team] ?? "";
    if (this.#happens("restart")) {
      await evictDurableObject(ledgerOf(teamId));
      await this.#connect(teamId);
    }
    if (this.#happens("lostAlarm"))
      await runInDurableObject(ledgerOf(teamId), (_, { storage }) => storage.deleteAlarm());
    else await runDurableObjectAlarm(ledgerOf(teamId));
  }

  async #tick(): Promise<void> {
    this.#chance.on(`tick at ${this.#now}`);
    const work = this.#now % HOUR_MS === 0 ? sweep : restoreLedgerAlarms;
    if (!this.#happens("lostTick")) await work(bindings, this.#now);
  }

  /** Consumes one team's messages at a time, so that one team's speed does not affect another. */
  async #consume(team: number): Promise<void> {
    const isDue = ({ at, body }: Waiting): boolean =>
      at <= this.#now && body.teamId === this.#teamIds[team];
    const due = this.#waiting.filter(isDue);
    this.#waiting = this.#waiting.filter((one) => !isDue(one));
    for (let from = 0; from < due.length; from += BATCH) {
      this.#chance.on(`batch ${from} of ${team} at ${this.#now}`);
      await this.#batch(due.slice(from, from + BATCH));
    }
  }

  async #batch(due: readonly Waiting[]): Promise<void> {
    const retry = ({ body, tries }: Waiting): void => {
      if (tries < REDELIVERIES)
        this.#waiting.push({ at: this.#now + 5 * SECOND_MS, body, tries: tries + 1 });
    };
    const messages = due.map((one) => ({ body: one.body, ack: () => {}, retry: () => retry(one) }));
    const rest: Promise<void>[] = [];
    await consumeDeliverJobs(
      { queue: "postern-deliver", messages } as unknown as MessageBatch<DeliverBody>,
      this.#env,
      (work) => void rest.push(work),
    );
    await Promise.all(rest);
  }

  /** Gives a ledger its queue and database. The object loses them when it restarts. */
  async #connect(teamId: string): Promise<void> {
    const sendBatch = async (batch: Iterable<MessageSendRequest<DeliverBody>>) => {
      if (this.#happens("queueDown")) throw new Error("the queue is down");
      for (const { body } of batch) this.#enqueue(body);
    };
    await runInDurableObject(ledgerOf(teamId), (instance) => {
      (instance as unknown as { env: unknown }).env = {
        ...bindings,
        DELIVER: { sendBatch },
        SHARD_0: this.#faulty(bindings.SHARD_0),
      };
    });
  }

  #enqueue(body: DeliverBody): void {
    if (this.#happens("lostMessage")) return;
    const copies = this.#happens("doubledMessage") ? 2 : 1;
    for (let copy = 0; copy < copies; copy += 1) {
      const delay = this.#happens("lateMessage")
        ? this.#chance.below("delay", LATEST_MESSAGE_MS)
        : 0;
      this.#waiting.push({ at: this.#now + delay, body, tries: 0 });
    }
  }

  /** Kills the worker at a crash point, or lets it pass, by chance. */
  #passPoint(url: string): Response {
    if (this.#happens("deadWorker", url)) throw new Error("the worker died");
    return new Response();
  }

  #faulty<Database extends D1Database | D1DatabaseSession>(db: Database): Database {
    return {
      ...("withSession" in db
        ? { withSession: (bookmark: string) => this.#faulty(db.withSession(bookmark)) }
        : { getBookmark: () => db.getBookmark() }),
      prepare: (sql: string) => db.prepare(sql),
      batch: (statements: D1PreparedStatement[]) => {
        if (this.#happens("databaseFault"))
          return Promise.reject(new Error("D1_ERROR: the database is not there"));
        return db.batch(statements);
      },
    } as unknown as Database;
  }

  #happens(what: keyof typeof ODDS, where = ""): boolean {
    const happens = this.#chance.happens(what + where, ODDS[what]);
    if (happens) this.tally[what] += 1;
    return happens;
  }
}

export function setClock(now: number): void {
  vi.setSystemTime(now);
}

function ledgerOf(teamId: string) {
  return bindings.TEAM_LEDGER.getByName(teamId);
}

/** Returns the time of a ledger's alarm, or Infinity if no alarm is set. */
function alarmOf(teamId: string): Promise<number> {
  return runInDurableObject(
    ledgerOf(teamId),
    async (_, { storage }) => (await storage.getAlarm()) ?? Number.POSITIVE_INFINITY,
  );
}
