// The messages that the Email Service took, with their events that are not published yet. Each
// message is a JSON file, which every step of its way replaces at once, and a file with its bytes,
// which goes when the message is over. A killed stack therefore loses nothing that it took.
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { readStateFile, writeStateFile } from "../state-file.ts";
import type { SendingEvent } from "./sending-events.ts";

const NUMBER_DIGITS = 9;
const RETRY_MS = 1_000;
/** Messages that are over and that a start still lists. */
const OVER_KEPT = 10_000;

type TakenStatus = "waiting" | "delivered" | "bounced" | "failed" | "rejected";

export interface PendingEvent {
  readonly event: SendingEvent;
  /** Unix milliseconds from which it may be published. */
  readonly due: number;
}

export interface ServiceMessage {
  /** Counts the messages of this directory, in the order of their taking. */
  readonly number: number;
  readonly messageId: string;
  readonly mailFrom: string;
  readonly sender: string;
  readonly recipient: string;
  readonly subject: string;
  readonly takenAt: number;
  status: TakenStatus;
  attempts: number;
  /** Unix milliseconds of the next attempt. */
  due: number;
  /** Reply of the last attempt, or why it had none. */
  lastReply: string | null;
  complained: boolean;
  pending: PendingEvent[];
  /** Events that wait for the message's end, to be published in reverse order. */
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

  /** Lists the messages in the order of their taking. */
  list(): ServiceMessage[] {
    return [...this.#byNumber.values()];
  }

  /** Keeps a message, or throws on a full disk. It survives a kill of this process from here on. */
  add(
    bytes: Buffer,
    message: Pick<
      ServiceMessage,
      "messageId" | "mailFrom" | "sender" | "recipient" | "subject" | "takenAt"
    >,
  ): ServiceMessage {
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

  /** Keeps a message's state. While the disk is full, the state in memory counts. */
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

  /** Forgets the messages that are over and whose events are published. */
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
