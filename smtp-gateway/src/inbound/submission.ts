// Decides what an authenticated session may do (contract.md §Sessions): prove an API key, and hand
// over messages as they were written. The worker judges both; no message is accepted before the
// worker has stored it.
import type { Readable } from "node:stream";
import { Bundler } from "./bundler.ts";
import { KeyCache } from "./key-cache.ts";
import { MessageBuffer, type MessageRoom } from "./message-buffer.ts";
import {
  type WorkerAnswer,
  AUTHENTICATED,
  isEnvelopeFault,
  NO_ROOM,
  type SessionReply,
  replyToKey,
  replyToMessage,
  TOO_LARGE,
  WRONG_CREDENTIALS,
} from "./replies.ts";
import { log } from "../gateway-log.ts";
import { lengthOf, type WorkerApi } from "../worker-api.ts";

export const MESSAGE_MAX_BYTES = 5 * 1024 * 1024;
export const RECIPIENTS_MAX = 50;

/** Who a session has proved to be. */
export interface AuthenticatedSender {
  readonly key: string;
  /** False: the key is good, but its team may not send. */
  readonly subscribed: boolean;
}

export interface Credentials {
  readonly username: string;
  /** Whom to act for, as AUTH PLAIN may say; empty: the user itself. */
  readonly actingFor: string;
  readonly password: string;
}

/** The answer to AUTH; `sender` is null when it is a refusal. */
export interface AuthVerdict {
  readonly reply: SessionReply;
  readonly sender: AuthenticatedSender | null;
}

export interface Envelope {
  readonly reversePath: string;
  readonly recipients: readonly string[];
}

/**
 * What became of a message: the reply, and what the log may know. Null: there is nobody to reply
 * to. "flood": the session is to be ended.
 */
export type Taken =
  | { readonly reply: SessionReply; readonly bytes: number; readonly answer: WorkerAnswer | null }
  | "flood"
  | null;

export class Submission {
  readonly #worker: WorkerApi;
  readonly #bundler: Bundler;
  readonly #room: MessageRoom;
  readonly #user: string;
  readonly #keys: KeyCache;

  constructor(worker: WorkerApi, room: MessageRoom, user: string, keys = new KeyCache()) {
    this.#worker = worker;
    this.#bundler = new Bundler(worker);
    this.#room = room;
    this.#user = user;
    this.#keys = keys;
  }

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

  /** Reads a message and has it stored. */
  async take(
    stream: Readable,
    envelope: Envelope,
    { key }: AuthenticatedSender,
    client: string,
  ): Promise<Taken> {
    const buffer = new MessageBuffer(this.#room, MESSAGE_MAX_BYTES, frameHead(envelope));
    try {
      const filled = await buffer.fill(stream);
      if (filled === "gone") return null;
      if (filled === "flood") return "flood";
      const bytes = buffer.received;
      if (filled !== "whole")
        return { reply: filled === "too large" ? TOO_LARGE : NO_ROOM, bytes, answer: null };
      const answer = await this.#bundler.submit(key, client, buffer.bytes);
      if (answer?.status === 401 || answer?.status === 402 || answer?.status === 403)
        this.#keys.forget(key, client);
      if (isEnvelopeFault(answer))
        log("error", "frame_refused", { request_id: answer?.requestId ?? null });
      return { reply: replyToMessage(answer), bytes, answer };
    } finally {
      buffer.release();
    }
  }
}

/**
 * The envelope as the protocol frames it: length, then JSON. The same envelope is always the same
 * bytes.
 */
function frameHead({ reversePath, recipients }: Envelope): Buffer {
  const json = Buffer.from(JSON.stringify({ mail_from: reversePath, rcpt_to: recipients }));
  return Buffer.concat([lengthOf(json), json]);
}
