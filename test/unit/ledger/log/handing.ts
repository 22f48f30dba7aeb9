// Makes a ledger whose webhook outboxes and shard fail on command. Tests of event delivery and of
// chunks use it.
import { runDurableObjectAlarm, runInDurableObject } from "cloudflare:test";
import type { Env } from "../../../../src/env.ts";
import type { AppendRequest, LoggedEvent } from "../../../../src/rpc/ledger-calls.ts";
import type { TeamLedger } from "../../../../src/ledger/team-ledger.ts";
import { uuidv7 } from "../../../../src/lib/ids.ts";
import type { NewWebhookBatch } from "../../../../src/rpc/outbox-calls.ts";
import { bindings, makeTeamWithLedger, type TestTeam } from "../../../support/api.ts";
import { create } from "../../../support/test-webhooks.ts";
import { eventOf, type LedgerStub, messageOf, NOON, setClock } from "../ledger-harness.ts";

export const MINUTE = 60_000;
export const HOUR = 60 * MINUTE;
const EVENTS = ["email.bounced", "email.delivered", "email.complained", "email.opened"];

export class Handing {
  readonly team: TestTeam;
  readonly ledger: LedgerStub;
  /** Ids of the webhooks whose outboxes fail. */
  readonly deaf = new Set<string>();
  /** Maps a webhook to the batches that its outbox took. A batch is given as its events' ids. */
  readonly taken = new Map<string, string[][]>();
  /** Number of times that the ledger sent each batch to outboxes, by the batch's id. */
  readonly batches = new Map<string, number>();
  /**
   * Runs each query of the ledger to the shard. A test may replace this function, so that queries
   * fail or never end.
   */
  shard: (run: () => Promise<unknown>) => Promise<unknown> = (run) => run();

  private constructor(team: TestTeam) {
    this.team = team;
    this.ledger = bindings.TEAM_LEDGER.getByName(team.id);
  }

  static async make(): Promise<Handing> {
    const handing = new Handing(await makeTeamWithLedger());
    setClock(NOON);
    await handing.connect();
    return handing;
  }

  /**
   * Replaces the ledger's outboxes and its shard by the test's. A test calls this again after a
   * restart of the ledger.
   */
  async connect(settings: Partial<Env> = {}): Promise<void> {
    const WEBHOOK_OUTBOX = {
      getByName: (id: string) => ({
        enqueue: (_: string, batches: NewWebhookBatch[]) => this.#enqueue(id, batches),
      }),
    };
    const SHARD_0 = this.#database(bindings.SHARD_0);
    const DELIVER = { sendBatch: async () => undefined };
    await runInDurableObject(this.ledger, (instance) => {
      const holder = instance as unknown as { env: unknown };
      holder.env = { ...bindings, WEBHOOK_OUTBOX, SHARD_0, DELIVER, ...settings };
    });
  }

  async webhook(): Promise<string> {
    return (
      await create(this.team, { name: "Hook", url: "https://hooks.example.com/", events: EVENTS })
    ).id;
  }

  /**
   * Appends one event for each recipient to the ledger, each about another message. Returns the
   * events' ids.
   */
  async append(
    recipients: readonly string[],
    at: number,
    over: Partial<LoggedEvent> = {},
  ): Promise<string[]> {
    const appends = recipients.map((recipient): AppendRequest => {
      const emailId = `email_${uuidv7(at)}`;
      const message = messageOf(emailId, {
        teamId: this.team.id,
        recipients: [recipient],
        roles: "t",
      });
      const event = eventOf(emailId, at, {
        type: "email.opened",
        attempt: null,
        smtpCode: null,
        ...over,
        recipient,
      });
      return { message, recipientIndex: 0, event, once: null };
    });
    await this.ledger.append(appends, at);
    return appends.map(({ event }) => event.id);
  }

  async alarmAt(now: number): Promise<void> {
    setClock(now);
    await runDurableObjectAlarm(this.ledger);
  }

  usage() {
    return this.ledger.usage(NOON);
  }

  /** Runs a function inside the object, where it can change rows of the log. */
  inside<Result>(
    work: (instance: TeamLedger, sql: SqlStorage) => Result | Promise<Result>,
  ): Promise<Result> {
    return runInDurableObject(this.ledger, (instance: TeamLedger, { storage }) =>
      work(instance, storage.sql),
    );
  }

  async #enqueue(id: string, batches: readonly NewWebhookBatch[]): Promise<void> {
    for (const batch of batches) this.batches.set(batch.id, (this.batches.get(batch.id) ?? 0) + 1);
    if (this.deaf.has(id)) throw new Error("the outbox is out of reach");
    const events = batches.map(({ body }) =>
      (JSON.parse(body) as { events: { id: string }[] }).events.map((event) => event.id),
    );
    this.taken.set(id, [...(this.taken.get(id) ?? []), ...events]);
  }

  #database(database: D1Database): D1Database {
    const act = <Result>(run: () => Promise<Result>): Promise<Result> =>
      this.shard(run) as Promise<Result>;
    const statement = (inner: D1PreparedStatement): D1PreparedStatement =>
      new Proxy(inner, {
        get(target, property) {
          const method = Reflect.get(target, property, target) as (...given: unknown[]) => unknown;
          if (property === "bind")
            return (...values: unknown[]) => statement(target.bind(...values));
          if (property === INNER) return target;
          return typeof method === "function"
            ? (...given: unknown[]) => act(async () => method.apply(target, given))
            : method;
        },
      });
    const around = (real: D1Database | D1DatabaseSession): object => ({
      prepare: (sql: string) => statement(real.prepare(sql)),
      batch: (all: readonly D1PreparedStatement[]) =>
        act(() => real.batch(all.map((one) => (one as unknown as Inner)[INNER]))),
      withSession: (bookmark: string) => around((real as D1Database).withSession(bookmark)),
      getBookmark: () => (real as D1DatabaseSession).getBookmark(),
    });
    return around(database) as D1Database;
  }
}

const INNER = Symbol("the real statement");

interface Inner {
  readonly [INNER]: D1PreparedStatement;
}
