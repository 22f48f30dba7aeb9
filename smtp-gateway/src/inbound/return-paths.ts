// Decides what a client may send without authentication. It may send reports to a return-path
// (`b+<token>@bounces.<domain>`) that the worker confirms, reports to the mailbox for feedback
// loops, and mail to postmaster. So any mail server can deliver bounces and complaints, but the
// gateway is not an open relay (docs/gateway-protocol.md §A return-path).
import type { Readable } from "node:stream";
import { MessageBuffer, type MessageMemory } from "./message-buffer.ts";
import {
  decisiveReply,
  NO_RELAYING,
  type ReceiveResult,
  type SessionReply,
  reply,
  replyToReport,
  replyToReturnPath,
  notWhole,
} from "./replies.ts";
import type { MailboxRole, WorkerApi } from "./worker-api.ts";

/**
 * Maximum size of a report. It equals the worker's limit for inbound mail (src/limits.ts); a test
 * compares them.
 */
export const REPORT_MAX_BYTES = 256 * 1024;
export const REPORT_RECIPIENTS_MAX = 10;

const POSTMASTER = "postmaster";
const ROLE = /^(postmaster|fbl)@(.+)$/i;
const RETURN_PATH = /^b\+([a-z2-7]{61})@bounces\.[^@]+$/i;

export class ReturnPaths {
  readonly #worker: WorkerApi;
  readonly #memory: MessageMemory;

  constructor(worker: WorkerApi, memory: MessageMemory) {
    this.#worker = worker;
    this.#memory = memory;
  }

  /**
   * Returns the reply to RCPT. The worker is only asked about mail addresses that look like a
   * return-path or a mailbox of the service.
   */
  async judge(mailbox: string, client: string): Promise<SessionReply> {
    // RFC 5321 §4.5.1: `postmaster` is accepted without a domain too.
    if (mailbox.toLowerCase() === POSTMASTER) return reply(250, "2.1.5 Recipient ok");
    const token = tokenOf(mailbox);
    if (token !== null) return replyToReturnPath(await this.#worker.judgeReturnPath(token, client));
    const { role, host } = roleIn(mailbox) ?? {};
    return role === undefined || host === undefined
      ? NO_RELAYING
      : replyToReturnPath(await this.#worker.judgeRole(role, host, client));
  }

  /**
   * Reads a message. Passes it to the worker once for each return-path and mailbox in its envelope.
   * `reversePath` is empty for `<>`.
   */
  async receive(
    stream: Readable,
    reversePath: string,
    mailboxes: readonly string[],
    client: string,
  ): Promise<ReceiveResult> {
    const buffer = new MessageBuffer(this.#memory, REPORT_MAX_BYTES);
    try {
      const filled = await buffer.fill(stream);
      const bytes = buffer.received;
      if (filled !== "whole") return notWhole(filled, bytes);
      const tokens = [...new Set(mailboxes.flatMap((mailbox) => tokenOf(mailbox) ?? []))];
      const roles = [...new Set(mailboxes.flatMap((mailbox) => roleIn(mailbox)?.role ?? []))];
      const answers = await Promise.all([
        ...tokens.map((token) =>
          this.#worker.sendReport(token, client, buffer.bytes, reversePath === ""),
        ),
        ...roles.map((role) => this.#worker.sendToRole(role, client, buffer.bytes)),
      ]);
      const replies = answers.map((answer) => ({ reply: replyToReport(answer), answer }));
      return { ...decisiveReply(replies), bytes };
    } finally {
      buffer.release();
    }
  }
}

function tokenOf(mailbox: string): string | null {
  return RETURN_PATH.exec(mailbox)?.[1]?.toLowerCase() ?? null;
}

/** Returns the mailbox of the service that the mail address names, or null if it names none. */
function roleIn(mailbox: string): { readonly role: MailboxRole; readonly host: string } | null {
  if (mailbox.toLowerCase() === POSTMASTER) return { role: POSTMASTER, host: "" };
  const [, name, host = ""] = ROLE.exec(mailbox) ?? [];
  return name === undefined ? null : { role: name.toLowerCase() as MailboxRole, host };
}
