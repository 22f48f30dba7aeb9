// A stranger may report to a return-path, `b+<token>@bounces.<domain>`, that the worker knows to be
// genuine, or to the address of the feedback loops, and write to postmaster; nothing else. So
// bounces and complaints come in from any mail server without authentication, and the gateway
// relays for no stranger (docs/gateway-protocol.md §A return-path).
import type { Readable } from "node:stream";
import { MessageBuffer, type MessageRoom } from "./message-buffer.ts";
import {
  type WorkerAnswer,
  NO_RELAYING,
  NO_ROOM,
  type SessionReply,
  reply,
  replyToReport,
  replyToReturnPath,
  TOO_LARGE,
} from "./replies.ts";
import type { Taken } from "./submission.ts";
import type { MailboxRole, WorkerApi } from "../worker-api.ts";

export const REPORT_MAX_BYTES = 256 * 1024;
export const REPORT_RECIPIENTS_MAX = 10;

const POSTMASTER = "postmaster";
const ROLE = /^(postmaster|fbl)@(.+)$/i;
const RETURN_PATH = /^b\+([a-z2-7]{61})@bounces\.[^@]+$/i;

export class ReturnPaths {
  readonly #worker: WorkerApi;
  readonly #room: MessageRoom;

  constructor(worker: WorkerApi, room: MessageRoom) {
    this.#worker = worker;
    this.#room = room;
  }

  /**
   * The answer to RCPT; the worker is asked only about what looks like a return-path or a mailbox
   * of the service's own.
   */
  async judge(mailbox: string, client: string): Promise<SessionReply> {
    // RFC 5321 §4.5.1: without a domain, too
    if (mailbox.toLowerCase() === POSTMASTER) return reply(250, "2.1.5 Recipient ok");
    const token = tokenOf(mailbox);
    if (token !== null) return replyToReturnPath(await this.#worker.judgeReturnPath(token, client));
    const { role, host } = roleIn(mailbox) ?? {};
    return role === undefined || host === undefined
      ? NO_RELAYING
      : replyToReturnPath(await this.#worker.judgeRole(role, host, client));
  }

  /**
   * Reads a message and hands it on for each of its return-paths and mailboxes. `reversePath`:
   * empty for `<>`.
   */
  async take(
    stream: Readable,
    reversePath: string,
    mailboxes: readonly string[],
    client: string,
  ): Promise<Taken> {
    const buffer = new MessageBuffer(this.#room, REPORT_MAX_BYTES);
    try {
      const filled = await buffer.fill(stream);
      if (filled === "gone") return null;
      if (filled === "flood") return "flood";
      const bytes = buffer.received;
      if (filled !== "whole")
        return { reply: filled === "too large" ? TOO_LARGE : NO_ROOM, bytes, answer: null };
      const tokens = [...new Set(mailboxes.flatMap((mailbox) => tokenOf(mailbox) ?? []))];
      const roles = [...new Set(mailboxes.flatMap((mailbox) => roleIn(mailbox)?.role ?? []))];
      const answers = await Promise.all([
        ...tokens.map((token) =>
          this.#worker.report(token, client, buffer.bytes, reversePath === ""),
        ),
        ...roles.map((role) => this.#worker.toRole(role, client, buffer.bytes)),
      ]);
      return { ...weightiest(answers), bytes };
    } finally {
      buffer.release();
    }
  }
}

/**
 * One reply for all: what must be tried again comes before what was taken, and that before what was
 * refused.
 */
function weightiest(answers: readonly (WorkerAnswer | null)[]): {
  reply: SessionReply;
  answer: WorkerAnswer | null;
} {
  const replies = answers.map((answer) => ({ reply: replyToReport(answer), answer }));
  const temporary = replies.find(({ reply: { code } }) => code < 500 && code !== 250);
  const taken = replies.find(({ reply: { code } }) => code === 250);
  return temporary ?? taken ?? replies[0]!;
}

function tokenOf(mailbox: string): string | null {
  return RETURN_PATH.exec(mailbox)?.[1]?.toLowerCase() ?? null;
}

/** The mailbox of the service's own that an address may be. */
function roleIn(mailbox: string): { readonly role: MailboxRole; readonly host: string } | null {
  if (mailbox.toLowerCase() === POSTMASTER) return { role: POSTMASTER, host: "" };
  const [, name, host = ""] = ROLE.exec(mailbox) ?? [];
  return name === undefined ? null : { role: name.toLowerCase() as MailboxRole, host };
}
