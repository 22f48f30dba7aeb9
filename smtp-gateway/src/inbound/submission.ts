// Decides what an authenticated session may do (contract.md §Sessions): prove an API key, and
// submit messages as they were written. The worker judges both, and no message is accepted before
// the worker has stored it.
import type { Readable } from "node:stream";
import { Bundler } from "./bundler.ts";
import type { Hold } from "./future-release.ts";
import { KeyCache } from "./key-cache.ts";
import { MessageBuffer, type MessageMemory } from "./message-buffer.ts";
import {
  AUTHENTICATED,
  isEnvelopeFault,
  NO_ROOM,
  type ReceiveResult,
  type SessionReply,
  replyToKey,
  replyToMessage,
  TOO_LARGE,
  WRONG_CREDENTIALS,
} from "./replies.ts";
import { log } from "../gateway-log.ts";
import { lengthPrefix, type WorkerAnswer, type WorkerApi } from "./worker-api.ts";

/** Both equal the worker's limits (src/limits.ts); a test compares them. */
export const MESSAGE_MAX_BYTES = 5 * 1024 * 1024;
export const RECIPIENTS_MAX = 50;

/** Statuses after which a key is asked about anew. */
const KEY_REFUSALS: ReadonlySet<number> = new Set([401, 402, 403]);

/** The sender that a session has authenticated as. */
export interface AuthenticatedSender {
  readonly key: string;
  /** False: the key is good, but its team has no active subscription and may not send. */
  readonly subscribed: boolean;
}

export interface Credentials {
  readonly username: string;
  /** The user to act for, which AUTH PLAIN may name; empty: the user itself. */
  readonly actingFor: string;
  readonly password: string;
}

/** The reply to AUTH; `sender` is null when it is a refusal. */
export interface AuthVerdict {
  readonly reply: SessionReply;
  readonly sender: AuthenticatedSender | null;
}

export interface Envelope {
  readonly reversePath: string;
  readonly recipients: readonly string[];
  /** Null: the message is to be sent at once. */
  readonly hold: Hold | null;
}

export class Submission {
  readonly #worker: WorkerApi;
  readonly #bundler: Bundler;
  readonly #memory: MessageMemory;
  readonly #user: string;
  readonly #keys: KeyCache;

  constructor(worker: WorkerApi, memory: MessageMemory, user: string, keys = new KeyCache()) {
    this.#worker = worker;
    this.#bundler = new Bundler(worker);
    this.#memory = memory;
    this.#user = user;
    this.#keys = keys;
  }

  /** Judges a user name and an API key, asking the worker where no recent answer is known. */
  async authenticate(
    { username, actingFor, password }: Credentials,
    client: string,
  ): Promise<AuthVerdict> {
    const isUser = username === this.#user && (actingFor === "" || actingFor === this.#user);
    if (!isUser || !/^[!-~]+$/.test(password)) return { reply: WRONG_CREDENTIALS, sender: null };
    if (this.#keys.isGood(password, client))
      return { reply: AUTHENTICATED, sender: { key: password, subscribed: true } };
    const answer = await this.#worker.judgeKey(password, client);
    const { reply, subscribed } = replyToKey(answer);
    if (answer?.status === 204) this.#keys.noteGood(password, client);
    return { reply, sender: reply === AUTHENTICATED ? { key: password, subscribed } : null };
  }

  /** Reads a message and has the worker store it. */
  async receive(
    stream: Readable,
    envelope: Envelope,
    { key }: AuthenticatedSender,
    client: string,
  ): Promise<ReceiveResult> {
    const buffer = new MessageBuffer(this.#memory, MESSAGE_MAX_BYTES, encodeEnvelope(envelope));
    try {
      const filled = await buffer.fill(stream);
      if (filled === "gone") return null;
      if (filled === "flood") return "flood";
      const bytes = buffer.received;
      if (filled !== "whole")
        return { reply: filled === "too large" ? TOO_LARGE : NO_ROOM, bytes, answer: null };
      const answer = await this.#bundler.submit(key, client, buffer.bytes);
      if (answer) this.#heed(answer, key, client);
      return { reply: replyToMessage(answer), bytes, answer };
    } finally {
      buffer.release();
    }
  }

  /** Forgets a key that the worker refuses, and logs a frame that it could not read. */
  #heed(answer: WorkerAnswer, key: string, client: string): void {
    if (KEY_REFUSALS.has(answer.status)) this.#keys.forget(key, client);
    if (isEnvelopeFault(answer)) log("error", "frame_refused", { request_id: answer.requestId });
  }
}

/**
 * Encodes an envelope as the protocol frames it: length, then JSON. The same envelope always gives
 * the same bytes.
 */
export function encodeEnvelope({ reversePath, recipients, hold }: Envelope): Buffer {
  const members = { mail_from: reversePath, rcpt_to: recipients, ...membersOf(hold) };
  const json = Buffer.from(JSON.stringify(members));
  return Buffer.concat([lengthPrefix(json), json]);
}

function membersOf(hold: Hold | null): { hold_for?: number; hold_until?: string } {
  if (!hold) return {};
  return "for" in hold ? { hold_for: hold.for } : { hold_until: hold.until };
}
