// Puts each event onto the queue when it is due. Only the worker has the queue's binding, so this
// file sends the events to the worker. Publishing is retried until the worker has accepted the
// events: at-least-once delivery, as on the platform.
import type { PendingEvent, ServiceMessage, TakenMessages } from "./taken-messages.ts";

const BATCH_EVENTS = 100;
const RETRY_MS = 250;
const POST_TIMEOUT_MS = 10_000;

export interface EventQueue {
  readonly url: string;
  readonly token: string;
}

interface DueEvent {
  readonly message: ServiceMessage;
  readonly pending: PendingEvent;
}

export class EventPublisher {
  readonly #messages: TakenMessages;
  readonly #queue: EventQueue;
  #timer: NodeJS.Timeout | null = null;
  #isPublishing = false;
  #publishing = Promise.resolve();
  #isClosed = false;

  constructor(messages: TakenMessages, queue: EventQueue) {
    this.#messages = messages;
    this.#queue = queue;
    this.wake();
  }

  /** Publishes the events that are due, and sets a timer for the next one. */
  wake(): void {
    if (!this.#isPublishing && !this.#isClosed) this.#publishing = this.#publish();
  }

  /**
   * Resolves when the events that are being published are recorded as published. If the stack is
   * killed before this, the next start publishes these events again.
   */
  async close(): Promise<void> {
    this.#isClosed = true;
    if (this.#timer) clearTimeout(this.#timer);
    await this.#publishing;
  }

  async #publish(): Promise<void> {
    this.#isPublishing = true;
    if (this.#timer) clearTimeout(this.#timer);
    let wait: number | null = 0;
    while (wait === 0 && !this.#isClosed) {
      const all = this.#pendingEvents();
      const now = Date.now();
      const due = all.filter(({ pending }) => pending.due <= now).slice(0, BATCH_EVENTS);
      if (due.length === 0) {
        const next = Math.min(...all.map(({ pending }) => pending.due));
        wait = all.length === 0 ? null : Math.max(1, next - now);
      } else if (await this.#post(due)) this.#forget(due);
      else wait = RETRY_MS;
    }
    this.#isPublishing = false;
    if (wait !== null && !this.#isClosed) this.#timer = setTimeout(() => this.wake(), wait);
  }

  #pendingEvents(): DueEvent[] {
    return this.#messages
      .list()
      .flatMap((message) => message.pending.map((pending) => ({ message, pending })));
  }

  async #post(due: readonly DueEvent[]): Promise<boolean> {
    try {
      const response = await fetch(this.#queue.url, {
        method: "POST",
        headers: { authorization: `Bearer ${this.#queue.token}` },
        body: JSON.stringify(due.map(({ pending }) => pending.event)),
        signal: AbortSignal.timeout(POST_TIMEOUT_MS),
      });
      return response.ok;
    } catch {
      return false;
    }
  }

  #forget(published: readonly DueEvent[]): void {
    const gone = new Set(published.map(({ pending }) => pending));
    for (const message of new Set(published.map((one) => one.message))) {
      message.pending = message.pending.filter((pending) => !gone.has(pending));
      this.#messages.save(message);
    }
  }
}
