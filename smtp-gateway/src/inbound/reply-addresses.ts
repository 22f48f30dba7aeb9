// Accepts replies to `r+<token>@<host>` that the worker confirms, from any mail server
// (docs/gateway-protocol.md §A reply). A reply goes through a file to the worker, and is accepted
// when the worker has stored it.
import type { Readable } from "node:stream";
import type { MessageMemory } from "./message-buffer.ts";
import { MessageSpool } from "./message-spool.ts";
import {
  decisiveReply,
  type MessageReply,
  type ReceiveResult,
  type SessionReply,
  replyToReplyAddress,
  replyToReply,
  notWhole,
} from "./replies.ts";
import type { WorkerApi } from "./worker-api.ts";

/** Maximum size of a reply. It equals the worker's limit (src/limits.ts); a test compares them. */
export const REPLY_MAX_BYTES = 10 * 1024 * 1024;

const REPLY_ADDRESS = /^r\+([a-z2-7]{61})@(?:bounces|reply)\.[^@]+$/i;

/** The facts of a session that the check of a sender needs. */
export interface SenderFacts {
  readonly client: string;
  readonly hello: string;
  /** The address in MAIL. Empty for `<>`. */
  readonly reversePath: string;
}

/**
 * Checks the sender of a message. Resolves with results such as `spf=pass dkim=none`. Undefined:
 * the sender was not checked.
 */
export type CheckSender = (spool: MessageSpool, facts: SenderFacts) => Promise<string | undefined>;

export class ReplyAddresses {
  readonly #worker: WorkerApi;
  readonly #memory: MessageMemory;
  readonly #checkSender: CheckSender | null;

  constructor(worker: WorkerApi, memory: MessageMemory, checkSender: CheckSender | null) {
    this.#worker = worker;
    this.#memory = memory;
    this.#checkSender = checkSender;
  }

  /** Returns the reply to RCPT. */
  async judge(mailbox: string, client: string): Promise<SessionReply> {
    const token = replyTokenIn(mailbox) ?? "";
    return replyToReplyAddress(await this.#worker.judgeReplyAddress(token, client));
  }

  /** Reads a message, and passes it to the worker once for each address in its envelope. */
  async receive(
    stream: Readable,
    mailboxes: readonly string[],
    facts: SenderFacts,
  ): Promise<ReceiveResult> {
    const spool = new MessageSpool(this.#memory, REPLY_MAX_BYTES);
    try {
      const filled = await spool.fill(stream);
      const bytes = spool.received;
      if (filled !== "whole") return notWhole(filled, bytes);
      return { ...(await this.#passOn(spool, mailboxes, facts)), bytes };
    } finally {
      void spool.close();
    }
  }

  async #passOn(
    spool: MessageSpool,
    mailboxes: readonly string[],
    facts: SenderFacts,
  ): Promise<MessageReply> {
    const replies: MessageReply[] = [];
    const verdicts = await this.#checkSender?.(spool, facts);
    const tokens = new Map(mailboxes.map((mailbox) => [replyTokenIn(mailbox) ?? "", mailbox]));
    for (const [token, mailbox] of tokens) {
      const answer = await this.#worker.sendReply(token, {
        client: facts.client,
        recipient: mailbox,
        isSenderNull: facts.reversePath === "",
        message: await spool.read(),
        bytes: spool.length,
        verdicts,
      });
      replies.push({ reply: replyToReply(answer), answer });
    }
    return decisiveReply(replies);
  }
}

/** Returns the token of a reply address. Null: the address does not have this form. */
export function replyTokenIn(mailbox: string): string | null {
  return REPLY_ADDRESS.exec(mailbox)?.[1]?.toLowerCase() ?? null;
}
