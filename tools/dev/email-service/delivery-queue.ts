// Delivers the messages that the Email Service accepted. The first attempt is immediate. While
// servers defer the message, retries follow with exponential backoff, up to a number of attempts.
// Each result is stored together with its event before any other step.
import type { SmtpTimeouts } from "../../../smtp-gateway/src/smtp/smtp-connection.ts";
import type { AccountSuppressions } from "./account-suppressions.ts";
import type { EventPublisher } from "./event-publisher.ts";
import { type EventRules, applyEventRules } from "./event-rules.ts";
import type { MailRoutes } from "./mail-routes.ts";
import {
  bouncedEvent,
  complainedEvent,
  deferredEvent,
  deliveredEvent,
  failedEvent,
  type QuotedSmtp,
  rejectedEvent,
  unroutableEvent,
  type SendingEvent,
} from "./sending-events.ts";
import type { StoredSettings } from "./service-settings.ts";
import { type DeliveryResult, attemptDelivery } from "./smtp-attempt.ts";
import type { ServiceMessage, TakenMessages } from "./taken-messages.ts";

const AT_ONCE = 20;
/** Milliseconds between the first two attempts. Each later wait is twice as long. */
const FIRST_WAIT_MS = 60_000;
/** Time from the acceptance to the bounce of a message whose domain cannot exist (RFC 2606 §2). */
const UNROUTABLE_MS = 60_000;

export interface DeliveryParts {
  readonly messages: TakenMessages;
  readonly suppressions: AccountSuppressions;
  readonly settings: StoredSettings;
  readonly rules: EventRules;
  readonly publisher: EventPublisher;
  readonly routes: MailRoutes;
  readonly timeouts: SmtpTimeouts;
  readonly retrySpeedup: number;
}

export class DeliveryQueue {
  readonly #parts: DeliveryParts;
  readonly #timers = new Set<NodeJS.Timeout>();
  #ready: ServiceMessage[] = [];
  #running = 0;
  #isClosed = false;

  /** Loads the stored messages and continues their attempts. */
  constructor(parts: DeliveryParts) {
    this.#parts = parts;
    for (const message of parts.messages.list())
      if (message.status === "waiting") this.add(message);
  }

  add(message: ServiceMessage): void {
    const timer = setTimeout(
      () => {
        this.#timers.delete(timer);
        this.#ready.push(message);
        this.#startReady();
      },
      Math.max(0, message.due - Date.now()),
    );
    this.#timers.add(timer);
  }

  complain(message: ServiceMessage): void {
    const now = Date.now();
    message.complained = true;
    this.#parts.suppressions.addComplaint(message.recipient, now);
    this.#note(message, complainedEvent(message, new Date(now)));
  }

  close(): void {
    this.#isClosed = true;
    for (const timer of this.#timers) clearTimeout(timer);
    this.#ready = [];
  }

  #startReady(): void {
    while (this.#running < AT_ONCE) {
      const message = this.#ready.shift();
      if (!message) return;
      this.#running += 1;
      void this.#attempt(message).finally(() => {
        this.#running -= 1;
        this.#startReady();
      });
    }
  }

  async #attempt(message: ServiceMessage): Promise<void> {
    const { messages, suppressions, routes, timeouts } = this.#parts;
    if (message.attempts === 0 && suppressions.holds(message.recipient, Date.now())) {
      message.status = "rejected";
      return this.#note(message, rejectedEvent(message, new Date()));
    }
    if (/\.invalid$/i.test(message.recipient) && this.#parts.settings.isOn("invalid_bounces"))
      return this.#bounceUnroutable(message);
    const { mailFrom, recipient: rcptTo } = message;
    const bytes = messages.bytesOf(message);
    const mail = { mailFrom, rcptTo, bytes, isConverted: false };
    const result = await attemptDelivery(routes, mail, timeouts);
    // If the queue was closed during this attempt, the next start of the stack repeats the attempt.
    if (!this.#isClosed) this.#settle(message, result);
  }

  #settle(message: ServiceMessage, result: DeliveryResult): void {
    const now = new Date();
    message.attempts += 1;
    message.lastReply = result.kind === "reply" ? result.reply.line : result.why;
    if (result.kind === "failure") {
      message.status = "failed";
      this.#note(message, failedEvent(message, now));
    } else if (result.reply.code < 300) {
      message.status = "delivered";
      this.#note(message, deliveredEvent(message, result.reply, now));
    } else if (result.reply.code >= 500) {
      this.#bounce(message, "hard", result.reply, now);
    } else if (message.attempts >= this.#parts.settings.current.attempts) {
      this.#bounce(message, "soft", result.reply, now);
    } else {
      message.due = now.getTime() + this.#waitAfter(message.attempts);
      this.#note(message, deferredEvent(message, result.reply, now));
      this.add(message);
    }
  }

  #bounceUnroutable(message: ServiceMessage): void {
    const at = message.takenAt + UNROUTABLE_MS / this.#parts.retrySpeedup;
    const now = new Date();
    if (now.getTime() < at) {
      message.due = at;
      return this.add(message);
    }
    message.status = "bounced";
    this.#note(message, unroutableEvent(message, now));
  }

  #bounce(message: ServiceMessage, type: "hard" | "soft", reply: QuotedSmtp, now: Date): void {
    message.status = "bounced";
    this.#parts.suppressions.addBounce(message.recipient, type, reply.enhanced, now.getTime());
    this.#note(message, bouncedEvent(message, type, reply, now));
  }

  #note(message: ServiceMessage, event: SendingEvent): void {
    const { rules, settings } = this.#parts;
    if (!settings.isSilent(message.recipient)) applyEventRules(rules, message, event, Date.now());
    this.#parts.messages.save(message);
    this.#parts.publisher.wake();
  }

  #waitAfter(attempts: number): number {
    return (FIRST_WAIT_MS * 2 ** (attempts - 1)) / this.#parts.retrySpeedup;
  }
}
