// Forwards the Email Service's events to the worker, as the platform's subscription does. The relay
// gets the events from the double and loses none. The plans decide which events it publishes late,
// twice, under another message id, or after an event of an unknown type. It publishes the storm's
// events again in two cases. A kill of workerd loses the queues. And the worker may give up an
// event, because here an event waits for its message only a second and a half instead of a quarter
// of an hour.
import type { IncomingMessage, ServerResponse } from "node:http";
import { setTimeout as sleep } from "node:timers/promises";
import type { Cleanup } from "../../harness/cleanup.ts";
import {
  ofUnknownType,
  type SendingEvent,
  underOtherId,
} from "../../dev/email-service/sending-events.ts";
import type { FaultServer } from "../fault-server.ts";
import { serveOnLoopback } from "../loopback-server.ts";
import { planOf } from "../plan.ts";
import { RecentLines } from "../recent-lines.ts";

/** The longest delay of a late event, in milliseconds. */
const LATE_MS = 3_000;
/** The most events in one request, because a queue accepts at most 100 messages at once. */
const BATCH_EVENTS = 100;
const RETRY_MS = 100;
/**
 * The first wait before the storm's events are published again. Each further wait is twice as long.
 */
const AGAIN_MS = 2_000;
const POST_TIMEOUT_MS = 5_000;

export interface RelayTarget {
  /** The worker's route for events (tools/dev/email-service/wrapped-worker.ts). */
  readonly url: string;
  readonly token: string;
}

export class EventRelay {
  readonly #faults: FaultServer;
  readonly #target: RelayTarget;
  /** The last published events, for a timeline. */
  readonly lines = new RecentLines();
  /** All events of this storm. */
  #taken: SendingEvent[] = [];
  #ready: SendingEvent[] = [];
  #isForwarding = false;
  #isClosed = false;
  #again: NodeJS.Timeout | null = null;
  #againMs = AGAIN_MS;

  constructor(faults: FaultServer, target: RelayTarget) {
    this.#faults = faults;
    this.#target = target;
  }

  /** Resolves with the port. */
  listen(cleanup: Cleanup): Promise<number> {
    cleanup.add(() => {
      this.#isClosed = true;
      if (this.#again) clearTimeout(this.#again);
    });
    return serveOnLoopback(cleanup, (request, response) => void this.#take(request, response));
  }

  /** Forgets the events of earlier storms, which are settled. */
  beginStorm(): void {
    this.#taken = [];
    this.#againMs = AGAIN_MS;
  }

  /** Publishes the storm's events again. */
  publishAgain(): void {
    this.#publish(this.#taken);
  }

  /**
   * Publishes the storm's events again after a wait, because the worker gave up an event. The
   * worker may then know the event's message.
   */
  noteGivenUp(): void {
    if (this.#again) return;
    this.#again = setTimeout(() => {
      this.#again = null;
      this.publishAgain();
    }, this.#againMs);
    this.#againMs *= 2;
  }

  async #take(request: IncomingMessage, response: ServerResponse): Promise<void> {
    response.on("error", () => undefined);
    try {
      const body = Buffer.concat((await request.toArray()) as Buffer[]).toString();
      const events = (JSON.parse(body) as SendingEvent[]).map(withItsId);
      this.#taken.push(...events);
      response.writeHead(204).end();
      for (const event of events) await this.#relay(event);
    } catch {
      request.destroy(); // A killed Email Service breaks off its request.
    }
  }

  async #relay(event: SendingEvent): Promise<void> {
    await this.#faults.meet("email.event");
    const { kind, salt } = this.#faults.decide("email.event", event.payload.recipient) ?? {
      kind: "pass",
      salt: 0,
    };
    if (kind === "unknown_type") this.#publish([ofUnknownType(event)]);
    if (kind !== "late") this.#publish([event]);
    if (kind !== "late" && kind !== "duplicate") return;
    await sleep(salt * LATE_MS);
    this.#publish([event]);
  }

  #publish(events: readonly SendingEvent[]): void {
    this.#ready.push(...events);
    if (!this.#isForwarding) void this.#forward();
  }

  async #forward(): Promise<void> {
    this.#isForwarding = true;
    while (this.#ready.length > 0 && !this.#isClosed) {
      const events = this.#ready.splice(0, BATCH_EVENTS);
      while (!this.#isClosed && !(await this.#post(events))) await sleep(RETRY_MS);
      for (const { type, payload } of events)
        this.lines.add(`${type} ${payload.recipient} ${payload.messageId}`);
    }
    this.#isForwarding = false;
  }

  async #post(events: readonly SendingEvent[]): Promise<boolean> {
    try {
      const response = await fetch(this.#target.url, {
        method: "POST",
        headers: { authorization: `Bearer ${this.#target.token}` },
        body: JSON.stringify(events),
        signal: AbortSignal.timeout(POST_TIMEOUT_MS),
      });
      return response.ok;
    } catch {
      return false; // The request fails while the worker is down.
    }
  }
}

/** Changes the event's message id, if the plan of the event's round demands another id. */
function withItsId(event: SendingEvent): SendingEvent {
  const { subject, messageId } = event.payload;
  const isOther = planOf(String(subject))?.courier === "cloudflare_other_ids";
  return isOther ? underOtherId(event, messageId.split("").toReversed().join("")) : event;
}
