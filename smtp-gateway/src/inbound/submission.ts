// Serves authenticated sessions (contract.md §Sessions): checks an API key, and passes messages to
// the worker unchanged. The worker decides about keys and messages. A message is accepted only
// after the worker has stored it.
import type { Readable } from "node:stream";
import { Bundler } from "./bundler.ts";
import type { RequestedHold } from "./future-release.ts";
import { KeyCache } from "./key-cache.ts";
import { MessageBuffer, type MessageMemory } from "./message-buffer.ts";
import {
  AUTHENTICATED,
  isEnvelopeFault,
  type ReceiveResult,
  type SessionReply,
  replyToKey,
  replyToMessage,
  WRONG_CREDENTIALS,
  notWhole,
} from "./replies.ts";
import { log } from "../gateway-log.ts";
import { lengthPrefix, type WorkerApi } from "./worker-api.ts";

/**
 * The maximum size of a message and the maximum number of recipients equal the worker's limits
 * (src/limits.ts); a test compares them.
 */
export const MESSAGE_MAX_BYTES = 5 * 1024 * 1024;
export const RECIPIENTS_MAX = 50;

/**
 * After an answer with one of these statuses, the gateway forgets the key and asks the worker about
 * it again.
 */
const KEY_REFUSALS: ReadonlySet<number> = new Set([401, 402, 403]);

/** The API key of an authenticated session, with the worker's answer about it. */
export interface AuthenticatedSender {
  readonly key: string;
  /** False: the key is valid, but the team has no active subscription and may not send. */
  readonly subscribed: boolean;
}

export interface Credentials {
  readonly username: string;
  /**
   * The user for whom the client acts (AUTH PLAIN). If it is empty, the client acts for `username`.
   */
  readonly actingFor: string;
  readonly password: string;
}

/** The result of AUTH: the reply, and the sender. `sender` is null if AUTH is refused. */
export interface AuthResult {
  readonly reply: SessionReply;
  readonly sender: AuthenticatedSender | null;
}

export interface Envelope {
  readonly reversePath: string;
  readonly recipients: readonly string[];
  /** The hold that the client asked for. Null: the service shall send the message at once. */
  readonly hold: RequestedHold | null;
}

export class Submission {
  readonly #worker: WorkerApi;
  readonly #bundler: Bundler;
  readonly #memory: MessageMemory;
  readonly #user: string;
  readonly #keys = new KeyCache();

  constructor(worker: WorkerApi, memory: MessageMemory, user: string) {
    this.#worker = worker;
    this.#bundler = new Bundler(worker);
    this.#memory = memory;
    this.#user = user;
  }

  /**
   * Checks a user name and an API key. Asks the worker, unless it accepted the key from this IP
   * address within the last minute.
   */
  async authenticate(
    { username, actingFor, password }: Credentials,
    client: string,
  ): Promise<AuthResult> {
    const isUser = username === this.#user && (actingFor === "" || actingFor === this.#user);
    if (!isUser || !/^[!-~]+$/.test(password)) return { reply: WRONG_CREDENTIALS, sender: null };
    if (this.#keys.isGood(password, client))
      return { reply: AUTHENTICATED, sender: { key: password, subscribed: true } };
    const answer = await this.#worker.judgeKey(password, client);
    const { reply, subscribed } = replyToKey(answer);
    if (answer?.status === 204) this.#keys.noteGood(password, client);
    return { reply, sender: reply === AUTHENTICATED ? { key: password, subscribed } : null };
  }

  /** Reads a message to its end and passes it to the worker, which stores it. */
  async receive(
    stream: Readable,
    envelope: Envelope,
    { key }: AuthenticatedSender,
    client: string,
  ): Promise<ReceiveResult> {
    const buffer = new MessageBuffer(this.#memory, MESSAGE_MAX_BYTES, encodeEnvelope(envelope));
    try {
      const filled = await buffer.fill(stream);
      const bytes = buffer.received;
      if (filled !== "whole") return notWhole(filled, bytes);
      const answer = await this.#bundler.submit(key, client, buffer.bytes);
      if (answer && KEY_REFUSALS.has(answer.status)) this.#keys.forget(key, client);
      if (answer && isEnvelopeFault(answer))
        log("error", "frame_refused", { request_id: answer.requestId });
      return { reply: replyToMessage(answer), bytes, answer };
    } finally {
      buffer.release();
    }
  }
}

/**
 * Encodes an envelope as the protocol demands: its length, then JSON. Equal envelopes give equal
 * bytes.
 */
export function encodeEnvelope({ reversePath, recipients, hold }: Envelope): Buffer {
  const held = hold && ("for" in hold ? { hold_for: hold.for } : { hold_until: hold.until });
  const members = { mail_from: reversePath, rcpt_to: recipients, ...held };
  const json = Buffer.from(JSON.stringify(members));
  return Buffer.concat([lengthPrefix(json), json]);
}
