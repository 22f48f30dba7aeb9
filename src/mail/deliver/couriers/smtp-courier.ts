// The courier to a relay (docs/couriers.md): sends several messages over one connection. All teams
// of one invocation share at most four connections. A relay does not remember keys. If it gives no
// reply after the final dot, it may have taken the message. Then the message is sent again after a
// wait, under the same Message-ID.
import type {
  SmtpConnection,
  SmtpTimeouts,
} from "../../../../smtp-gateway/src/smtp/smtp-connection.ts";
import { OneByOneServers } from "../../../../smtp-gateway/src/smtp/one-by-one-servers.ts";
import { type RefusedReuse, ReuseLimits } from "../../../../smtp-gateway/src/smtp/reuse-limits.ts";
import type { SmtpRelay } from "../../../settings.ts";
import { logError } from "../../../lib/log.ts";
import type { Outcome } from "../../message.ts";
import type { Courier, OutboundCopy } from "../courier.ts";
import { openRelay, refuseCopy, type RelayResult, sendCopy } from "./relay-session.ts";
import { Semaphore } from "../semaphore.ts";

/**
 * Maximum number of connections to the relay. A Worker may have six connections in one invocation.
 */
const CONNECTIONS_PER_INVOCATION = 4;
const MESSAGES_PER_CONNECTION = 100;
/**
 * Time from the courier's start during which it takes copies. The last transactions must end within
 * 15 minutes, the time that a queue consumer has.
 */
const TAKES_COPIES_MS = 5 * 60_000;

/**
 * The limits of relays that take fewer than MESSAGES_PER_CONNECTION messages on a connection. The
 * isolate learned them from the relays' refusals.
 */
const reuseLimits = new ReuseLimits(MESSAGES_PER_CONNECTION);
const oneByOne = new OneByOneServers();

const TIMEOUTS: SmtpTimeouts = {
  connect: 20_000,
  greeting: 30_000,
  command: 30_000,
  data: 60_000,
  block: 60_000,
  final: 180_000,
  quit: 2_000,
};

/** Makes the courier of one invocation. `name` is the name for EHLO. */
export function smtpCourier(
  relay: SmtpRelay,
  name: string,
  timeouts: Partial<SmtpTimeouts> = {},
): Courier {
  const invocation = new Invocation(relay, name, { ...TIMEOUTS, ...timeouts });
  return async (copies, onOutcome) => {
    const iterator = copies[Symbol.asyncIterator]();
    const round = new Round(invocation, iterator, onOutcome);
    await Promise.all(
      Array.from({ length: CONNECTIONS_PER_INVOCATION }, () =>
        invocation.slots.take(() => round.runLane()),
      ),
    );
    await iterator.return?.();
  };
}

/** State that all teams of an invocation share. */
class Invocation {
  readonly relay: SmtpRelay;
  readonly name: string;
  readonly timeouts: SmtpTimeouts;
  readonly endsAt = Date.now() + TAKES_COPIES_MS;
  connections = 0;
  /** The outcome of a refused connection. If it is set, the courier tries no other connection. */
  refusal: Outcome | null = null;
  /** Limits the number of connections at one time. */
  readonly slots = new Semaphore(CONNECTIONS_PER_INVOCATION);

  constructor(relay: SmtpRelay, name: string, timeouts: SmtpTimeouts) {
    this.relay = relay;
    this.name = name;
    this.timeouts = timeouts;
  }
}

/** One team's copies. */
class Round {
  readonly #invocation: Invocation;
  readonly #copies: AsyncIterator<OutboundCopy>;
  readonly #onOutcome: (key: string, outcome: Outcome) => void;
  /**
   * Copies for which no further connection could be opened. They are sent over another open
   * connection of the team.
   */
  readonly #returned: OutboundCopy[] = [];
  #connections = 0;
  /**
   * The team's first attempt to open a connection. The team's other attempts wait for it, because a
   * relay may allow only one connection.
   */
  #firstAttempt: Promise<void> | null = null;

  constructor(
    invocation: Invocation,
    copies: AsyncIterator<OutboundCopy>,
    onOutcome: (key: string, outcome: Outcome) => void,
  ) {
    this.#invocation = invocation;
    this.#copies = copies;
    this.#onOutcome = onOutcome;
  }

  /**
   * Sends copies one after another, over one connection at a time, until no copy is left. Never
   * throws: after a fault, the remaining copies have no outcome.
   */
  async runLane(): Promise<void> {
    let connection: SmtpConnection | null = null;
    try {
      for (;;) {
        const copy = (await this.#next()) ?? this.#returned.shift();
        if (!copy) break;
        // A transaction with a fault closes its connection, so the connection must not be closed
        // again.
        const current = connection;
        connection = null;
        const next = await this.#send(current, copy);
        if (next === "no_connection") break;
        connection = next;
      }
    } catch (error) {
      logError("relay_fault", error);
    }
    if (connection) await this.#hangUp(connection);
  }

  async #next(): Promise<OutboundCopy | undefined> {
    if (this.#returned.length > 0 || Date.now() >= this.#invocation.endsAt) return undefined;
    const { done, value } = await this.#copies.next();
    return done ? undefined : value;
  }

  /**
   * Sends one copy. Returns the connection that the next copy may use. `refused` is a refusal on a
   * reused connection, which a new connection has to confirm.
   */
  async #send(
    connection: SmtpConnection | null,
    copy: OutboundCopy,
    refused: RefusedReuse | null = null,
  ): Promise<SmtpConnection | null | "no_connection"> {
    const { relay, timeouts } = this.#invocation;
    const reason = refuseCopy(copy, relay.host);
    if (reason) {
      this.#onOutcome(copy.key, reason);
      return connection;
    }
    const ready = connection ?? (await this.#connect(copy));
    if (ready === null || ready === "no_connection") return ready;
    const result = await this.#transact(ready, copy, timeouts);
    if (result.kind === "stale" || result.kind === "unread") {
      if (result.kind === "unread") oneByOne.remember(relay);
      await this.#hangUp(ready);
      return this.#send(null, copy, result.kind === "stale" ? result.refused : null);
    }
    this.#onOutcome(copy.key, result.outcome);
    const { outcome } = result;
    if (refused) reuseLimits.learn(relay, refused, outcome.kind === "reply" ? outcome.stage : null);
    const isSpent = ready.transactions >= reuseLimits.messagesFor(relay);
    if (result.reusable && !ready.lost && !isSpent) return ready;
    await this.#hangUp(ready);
    return null;
  }

  /** Runs a transaction. Closes the connection if the transaction throws. */
  async #transact(
    connection: SmtpConnection,
    copy: OutboundCopy,
    timeouts: SmtpTimeouts,
  ): Promise<RelayResult> {
    oneByOne.prepare(connection, this.#invocation.relay);
    try {
      return await sendCopy(connection, copy, timeouts);
    } catch (error) {
      this.#count(-1);
      connection.close();
      throw error;
    }
  }

  /**
   * Opens a connection. Returns null if no connection could be opened and the copy has its outcome.
   */
  async #connect(copy: OutboundCopy): Promise<SmtpConnection | null | "no_connection"> {
    while (this.#connections === 0 && this.#firstAttempt) await this.#firstAttempt;
    if (this.#connections > 0) return this.#dial(copy);
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#firstAttempt = promise;
    try {
      return await this.#dial(copy);
    } finally {
      this.#firstAttempt = null;
      resolve();
    }
  }

  async #dial(copy: OutboundCopy): Promise<SmtpConnection | null | "no_connection"> {
    const invocation = this.#invocation;
    if (!invocation.refusal) {
      const opening = await openRelay(invocation.relay, invocation.name, invocation.timeouts);
      if ("connection" in opening) {
        this.#count(1);
        return opening.connection;
      }
      if (this.#connections > 0) this.#returned.push(copy);
      // If another connection to the relay is open, the relay is not down, so the copies are
      // released again soon.
      if (invocation.connections > 0) return "no_connection";
      invocation.refusal = opening.refused;
    }
    this.#onOutcome(copy.key, invocation.refusal);
    return null;
  }

  async #hangUp(connection: SmtpConnection): Promise<void> {
    this.#count(-1);
    await connection.quit(this.#invocation.timeouts.quit);
  }

  #count(change: number): void {
    this.#connections += change;
    this.#invocation.connections += change;
  }
}
