// The courier to a relay (docs/operating.md §Couriers): several messages over one connection, at
// most four connections at once in one invocation, whatever number of teams shares it. The relay
// remembers no keys: a final dot without an answer is an unknown fate, sent again later under the
// same Message-ID.
import { logError } from "../../../lib/log.ts";
import type { Outcome } from "../../message.ts";
import type { Courier, OutboundCopy } from "./courier.ts";
import type { SmtpConnection } from "./smtp-connection.ts";
import { openSession, type Timeouts } from "./smtp-session.ts";
import { transact, unmailable } from "./smtp-transaction.ts";
import type { SmtpRelay } from "../../../settings.ts";
import { Semaphore } from "../semaphore.ts";

/** An invocation may hold six. */
const CONNECTIONS = 4;
const MESSAGES_PER_CONNECTION = 100;
/**
 * No parcel is taken any more when the courier is this old: the last transactions have to end
 * within the consumer's 15 minutes.
 */
const WORKING_MS = 5 * 60_000;

const TIMEOUTS: Timeouts = {
  connect: 20_000,
  greeting: 30_000,
  command: 30_000,
  data: 60_000,
  block: 60_000,
  final: 180_000,
  quit: 2_000,
};

/** For one invocation. `name`: what EHLO gives. */
export function smtpCourier(
  relay: SmtpRelay,
  name: string,
  timeouts: Partial<Timeouts> = {},
): Courier {
  const session = new RelaySession(relay, name, { ...TIMEOUTS, ...timeouts });
  return async (parcels, onOutcome) => {
    const iterator = parcels[Symbol.asyncIterator]();
    const round = new Round(session, iterator, onOutcome);
    await Promise.all(
      Array.from({ length: CONNECTIONS }, () => session.turns.take(() => round.lane())),
    );
    await iterator.return?.();
  };
}

/** What all rounds of an invocation share. */
class RelaySession {
  readonly relay: SmtpRelay;
  readonly name: string;
  readonly timeouts: Timeouts;
  readonly endsAt = Date.now() + WORKING_MS;
  connections = 0;
  /** Why no connection comes about: nobody tries another. */
  down: Outcome | null = null;
  /** The right to hold a connection. */
  readonly turns = new Semaphore(CONNECTIONS);

  constructor(relay: SmtpRelay, name: string, timeouts: Timeouts) {
    this.relay = relay;
    this.name = name;
    this.timeouts = timeouts;
  }
}

/** One team's parcels. */
class Round {
  readonly #session: RelaySession;
  readonly #parcels: AsyncIterator<OutboundCopy>;
  readonly #onOutcome: (key: string, outcome: Outcome) => void;
  /** Parcels whose lane got no connection while another has one. */
  readonly #handedBack: OutboundCopy[] = [];
  #connections = 0;
  /**
   * The round's first attempt at a connection: a relay that takes but one is asked for no second
   * before.
   */
  #pioneering: Promise<void> | null = null;

  constructor(
    session: RelaySession,
    parcels: AsyncIterator<OutboundCopy>,
    onOutcome: (key: string, outcome: Outcome) => void,
  ) {
    this.#session = session;
    this.#parcels = parcels;
    this.#onOutcome = onOutcome;
  }

  /**
   * Carries parcels over one connection after the other, until there is no parcel left. Never
   * throws: what it leaves has no outcome.
   */
  async lane(): Promise<void> {
    let connection: SmtpConnection | null = null;
    try {
      for (;;) {
        const parcel = (await this.#next()) ?? this.#handedBack.shift();
        if (!parcel) break;
        const carried = await this.#carry(connection, parcel);
        if (carried === "no_connection") break;
        connection = carried;
      }
    } catch (error) {
      logError("relay_fault", error);
    }
    if (connection) await this.#hangUp(connection);
  }

  async #next(): Promise<OutboundCopy | undefined> {
    if (this.#handedBack.length > 0 || Date.now() >= this.#session.endsAt) return undefined;
    const { done, value } = await this.#parcels.next();
    return done ? undefined : value;
  }

  /** Returns the connection that is left for the next parcel. */
  async #carry(
    connection: SmtpConnection | null,
    parcel: OutboundCopy,
  ): Promise<SmtpConnection | null | "no_connection"> {
    const { relay, timeouts } = this.#session;
    const reason = unmailable(parcel, relay.host);
    if (reason) {
      this.#onOutcome(parcel.key, reason);
      return connection;
    }
    const ready = connection ?? (await this.#connect(parcel));
    if (ready === null || ready === "no_connection") return ready;
    const result = await this.#transact(ready, parcel, timeouts);
    if (result.kind === "stale") {
      await this.#hangUp(ready);
      return this.#carry(null, parcel);
    }
    this.#onOutcome(parcel.key, result.outcome);
    if (result.reusable && !ready.lost && ready.transactions < MESSAGES_PER_CONNECTION)
      return ready;
    await this.#hangUp(ready);
    return null;
  }

  /** A fault in a transaction must not leave its connection behind. */
  async #transact(
    connection: SmtpConnection,
    parcel: OutboundCopy,
    timeouts: Timeouts,
  ): ReturnType<typeof transact> {
    try {
      return await transact(connection, parcel, timeouts);
    } catch (error) {
      this.#count(-1);
      connection.close();
      throw error;
    }
  }

  /** null: there is none, and the parcel has its outcome. */
  async #connect(parcel: OutboundCopy): Promise<SmtpConnection | null | "no_connection"> {
    while (this.#connections === 0 && this.#pioneering) await this.#pioneering;
    if (this.#connections > 0) return this.#dial(parcel);
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#pioneering = promise;
    try {
      return await this.#dial(parcel);
    } finally {
      this.#pioneering = null;
      resolve();
    }
  }

  async #dial(parcel: OutboundCopy): Promise<SmtpConnection | null | "no_connection"> {
    const session = this.#session;
    if (!session.down) {
      const opening = await openSession(session.relay, session.name, session.timeouts);
      if ("connection" in opening) {
        this.#count(1);
        return opening.connection;
      }
      if (this.#connections > 0) this.#handedBack.push(parcel);
      // Where another team has a connection, the relay is not down: these are offered again soon.
      if (session.connections > 0) return "no_connection";
      session.down = opening.refused;
    }
    this.#onOutcome(parcel.key, session.down);
    return null;
  }

  async #hangUp(connection: SmtpConnection): Promise<void> {
    this.#count(-1);
    await connection.quit(this.#session.timeouts.quit);
  }

  #count(change: number): void {
    this.#connections += change;
    this.#session.connections += change;
  }
}
