// What a stranger may do: report to a return-path, `b+<token>@bounces.<domain>`, that the worker knows to be genuine, and nothing else. So bounces and
// complaints come in from any mail server without authentication, and nobody can relay (docs/gateway-protocol.md "A return-path").
import type { Readable } from "node:stream";
import { MessageBuffer, type MessageRoom } from "./message-buffer.ts";
import { type Answer, NO_RELAYING, NO_ROOM, type Reply, replyToReport, replyToReturnPath, TOO_LARGE } from "./reply.ts";
import type { Taken } from "./submission.ts";
import type { WorkerApi } from "./worker-api.ts";

export const REPORT_MAX_BYTES = 256 * 1024;
export const REPORT_RECIPIENTS_MAX = 10;

const RETURN_PATH = /^b\+([a-z2-7]{56})@bounces\.[^@]+$/i;

export class ReturnPaths {
  readonly #worker: WorkerApi;
  readonly #room: MessageRoom;

  constructor(worker: WorkerApi, room: MessageRoom) {
    this.#worker = worker;
    this.#room = room;
  }

  /** The answer to RCPT; the worker is asked about what looks like a return-path only. */
  async judge(mailbox: string, client: string): Promise<Reply> {
    const token = tokenOf(mailbox);
    return token === null ? NO_RELAYING : replyToReturnPath(await this.#worker.judgeReturnPath(token, client));
  }

  /** Reads a report and hands it on for each of its return-paths. */
  async take(stream: Readable, mailboxes: readonly string[], client: string): Promise<Taken> {
    const buffer = new MessageBuffer(this.#room, REPORT_MAX_BYTES);
    try {
      const filled = await buffer.fill(stream);
      if (filled === "gone") return null;
      if (filled === "flood") return "flood";
      const bytes = buffer.received;
      if (filled !== "whole") return { reply: filled === "too large" ? TOO_LARGE : NO_ROOM, bytes, answer: null };
      const tokens = [...new Set(mailboxes.flatMap((mailbox) => tokenOf(mailbox) ?? []))];
      const answers = await Promise.all(tokens.map((token) => this.#worker.report(token, client, buffer.bytes)));
      return { ...weightiest(answers), bytes };
    } finally {
      buffer.release();
    }
  }
}

/** One reply for all: what must be tried again comes before what was taken, and that before what was refused. */
function weightiest(answers: readonly (Answer | null)[]): { reply: Reply; answer: Answer | null } {
  const replies = answers.map((answer) => ({ reply: replyToReport(answer), answer }));
  const temporary = replies.find(({ reply }) => reply.code < 500 && reply.code !== 250);
  const taken = replies.find(({ reply }) => reply.code === 250);
  return temporary ?? taken ?? replies[0]!;
}

function tokenOf(mailbox: string): string | null {
  return RETURN_PATH.exec(mailbox)?.[1]?.toLowerCase() ?? null;
}
