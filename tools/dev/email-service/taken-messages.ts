// The messages that the Email Service accepted, with their unpublished events. Each message has a
// JSON file with its state, and a file with its bytes. Every change of the state replaces the JSON
// file in one step. The file with the bytes is deleted after the message has its final result.
// Therefore a kill of the stack loses no accepted message.
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { readStateFile, writeStateFile } from "../state-file.ts";
import type { EventSubject, SendingEvent } from "./sending-events.ts";

const NUMBER_DIGITS = 9;
const RETRY_MS = 1_000;
/** Maximum number of finished messages that a start of the stack keeps. */
const OVER_KEPT = 10_000;

type TakenStatus = "waiting" | "delivered" | "bounced" | "failed" | "rejected";

export interface PendingEvent {
  readonly event: SendingEvent;
  /** Time from which the event may be published, Unix milliseconds. */
  readonly due: number;
}

interface AcceptedMessage extends EventSubject {
  readonly mailFrom: string;
}

export interface ServiceMessage extends AcceptedMessage {
  /** The message's number in this directory. Numbers follow the order of acceptance. */
  readonly number: number;
  status: TakenStatus;
  attempts: number;
  /** Time of the next attempt, Unix milliseconds. */
  due: number;
  /** The server's reply at the last attempt, or the reason why no server replied. */
  lastReply: string | null;
  complained: boolean;
  pending: PendingEvent[];
  /** Events that wait for the message's final result. They are published in reverse order. */
  held: SendingEvent[];
}

export class TakenMessages {
  readonly #directory: string;
  readonly #byNumber = new Map<number, ServiceMessage>();
  #next = 1;

  constructor(directory: string) {
    this.#directory = directory;
    mkdirSync(directory, { recursive: true });
    const files = readdirSync(directory);
    for (const file of files.filter((name) => /^\d+\.json$/.test(name)).sort()) {
      const message = readStateFile(join(directory, file)) as ServiceMessage;
      this.#byNumber.set(message.number, message);
      this.#next = message.number + 1;
    }
    for (const file of files.filter((name) => name.endsWith(".eml")))
      if (this.#byNumber.get(Number.parseInt(file, 10))?.status !== "waiting")
        rmSync(join(directory, file));
    this.#forget(this.#over().slice(0, -OVER_KEPT));
  }

  /** Lists the messages in the order of acceptance. */
  list(): ServiceMessage[] {
    return [...this.#byNumber.values()];
  }

  /** Stores a message, which then survives a kill of this process. Throws if the disk is full. */
  add(bytes: Buffer, message: AcceptedMessage): ServiceMessage {
    const taken: ServiceMessage = {
      number: this.#next++,
      ...message,
      status: "waiting",
      attempts: 0,
      due: message.takenAt,
      lastReply: null,
      complained: false,
      pending: [],
      held: [],
    };
    writeFileSync(this.#pathOf(taken.number, "eml"), bytes, { mode: 0o600 });
    writeStateFile(this.#pathOf(taken.number, "json"), taken);
    this.#byNumber.set(taken.number, taken);
    return taken;
  }

  /**
   * Stores a message's state. While the disk is full, the state in memory applies, and the write is
   * repeated.
   */
  save(message: ServiceMessage): void {
    if (!this.#byNumber.has(message.number)) return;
    try {
      writeStateFile(this.#pathOf(message.number, "json"), message);
    } catch {
      setTimeout(() => this.save(message), RETRY_MS).unref();
      return;
    }
    if (message.status !== "waiting") rmSync(this.#pathOf(message.number, "eml"), { force: true });
  }

  bytesOf({ number }: ServiceMessage): Buffer {
    return readFileSync(this.#pathOf(number, "eml"));
  }

  /** Drops finished messages that have no unpublished events. */
  clear(): void {
    this.#forget(this.#over());
  }

  #over(): ServiceMessage[] {
    return this.list().filter(
      ({ status, pending }) => status !== "waiting" && pending.length === 0,
    );
  }

  #forget(messages: readonly ServiceMessage[]): void {
    for (const { number } of messages) {
      rmSync(this.#pathOf(number, "json"), { force: true });
      this.#byNumber.delete(number);
    }
  }

  #pathOf(number: number, extension: "json" | "eml"): string {
    return join(this.#directory, `${String(number).padStart(NUMBER_DIGITS, "0")}.${extension}`);
  }
}
