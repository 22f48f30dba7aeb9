// The courier to a relay (docs/operating.md §Couriers): sends several messages over one connection,
// over at most four connections at once in one invocation, however many teams share it. A relay
// does not deduplicate by key: after a final dot without a reply the fate of a message is unknown,
// and it is sent again later under the same Message-ID.
import type {
  SmtpConnection,
  SmtpTimeouts,
} from "../../../../smtp-gateway/src/smtp/smtp-connection.ts";
import type { SmtpRelay } from "../../../env.ts";
import { logError } from "../../../lib/log.ts";
import type { Outcome } from "../../message.ts";
import type { Courier, OutboundCopy } from "./courier.ts";
import { openRelay, refuseCopy, type RelayResult, sendCopy } from "./relay-session.ts";
import { Semaphore } from "../semaphore.ts";

/** A Worker may hold six connections in one invocation. */
const CONNECTIONS = 4;
const MESSAGES_PER_CONNECTION = 100;
/**
 * After this time the courier takes no more copies, because the last transactions have to end
 * within the consumer's 15 minutes.
 */
const WORKING_MS = 5 * 60_000;

const TIMEOUTS: SmtpTimeouts = {
  connect: 20_000,
  greeting: 30_000,
  command: 30_000,
  data: 60_000,
  block: 60_000,
  final: 180_000,
  quit: 2_000,
};

/** Makes the courier of one invocation. `name` is the name that EHLO gives. */
export function smtpCourier(
  relay: SmtpRelay,
  name: string,
  timeouts: Partial<SmtpTimeouts> = {},
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

/** State that all rounds of an invocation share. */
class RelaySession {
  readonly relay: SmtpRelay;
  readonly name: string;
  readonly timeouts: SmtpTimeouts;
  readonly endsAt = Date.now() + WORKING_MS;
  connections = 0;
  /** The outcome that refused a connection: no lane tries another. */
  down: Outcome | null = null;
  /** Lanes that may hold a connection at once. */
  readonly turns = new Semaphore(CONNECTIONS);

  constructor(relay: SmtpRelay, name: string, timeouts: SmtpTimeouts) {
    this.relay = relay;
    this.name = name;
    this.timeouts = timeouts;
  }
}

/** One team's copies. */
class Round {
  readonly #session: RelaySession;
  readonly #parcels: AsyncIterator<OutboundCopy>;
  readonly #onOutcome: (key: string, outcome: Outcome) => void;
  /** Copies whose lane got no connection while another has one. */
  readonly #handedBack: OutboundCopy[] = [];
  #connections = 0;
  /**
   * The round's first attempt at a connection. Other lanes wait for it, since a relay may take only
   * one connection.
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
   * Sends copies over one connection after the other, until none is left. Never throws: after a
   * fault the remaining copies have no outcome.
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

  /** Sends one copy. Returns the connection that the next copy may use. */
  async #carry(
    connection: SmtpConnection | null,
    parcel: OutboundCopy,
  ): Promise<SmtpConnection | null | "no_connection"> {
    const { relay, timeouts } = this.#session;
    const reason = refuseCopy(parcel, relay.host);
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

  /** Runs a transaction. A fault in it closes the connection. */
  async #transact(
    connection: SmtpConnection,
    parcel: OutboundCopy,
    timeouts: SmtpTimeouts,
  ): Promise<RelayResult> {
    try {
      return await sendCopy(connection, parcel, timeouts);
    } catch (error) {
      this.#count(-1);
      connection.close();
      throw error;
    }
  }

  /** Returns null when no connection came about and the copy has its outcome. */
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
      const opening = await openRelay(session.relay, session.name, session.timeouts);
      if ("connection" in opening) {
        this.#count(1);
        return opening.connection;
      }
      if (this.#connections > 0) this.#handedBack.push(parcel);
      // The relay is not down while another team has a connection: copies are offered again soon.
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
