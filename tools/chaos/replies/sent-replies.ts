// Sends a reader's answer as the reader's mail server does: it repeats the answer until the service
// accepts or refuses it. The service may have accepted every try, even a try without an answer.
import { setTimeout as sleep } from "node:timers/promises";
import type { WrittenReply } from "../../dev/inbox/reply-programs.ts";
import type { RepliedCopy, PlannedReply } from "./plan-replies.ts";

/** The facts that a reader knows about one of its answers. */
export interface SentReply extends PlannedReply, RepliedCopy {
  /** The reply address of the copy. */
  readonly address: string;
  /** The Message-ID of the copy. */
  readonly answered: string;
  readonly messageId: string;
  readonly raw: Buffer;
  /** The number of times that the service accepted the answer. */
  accepted: number;
  /**
   * The reply with which the service refused the answer permanently. Null: the service has not
   * refused it.
   */
  refused: string | null;
  /** The time and the result of each try. */
  readonly log: { readonly at: number; readonly what: string }[];
}

/**
 * Sends an answer once. Resolves with the line of the reply, or with a description of the failure
 * if no reply came.
 */
export type Transmit = (reply: WrittenReply) => Promise<string>;

const PAUSE_MS = 150;

export function newSentReply(
  copy: RepliedCopy & Pick<SentReply, "address" | "answered">,
  planned: PlannedReply,
): SentReply {
  const { recipient, address, answered } = copy;
  const { name, isAuto, bytes } = planned;
  const messageId = `<${name}@reader.chaos.example>`;
  const raw = [
    `From: A reader <${recipient}>`,
    `To: <${address}>`,
    `Subject: ${isAuto ? "Automatic reply" : "Re"}: ${name}`,
    `Message-ID: ${messageId}`,
    `In-Reply-To: ${answered}`,
    ...(isAuto ? ["Auto-Submitted: auto-replied"] : []),
    "",
    textOf(name),
    ...Array.from({ length: Math.ceil(bytes / 80) }, () => "> ".padEnd(78, "quoted ")),
    "",
  ];
  const facts = { messageId, raw: Buffer.from(raw.join("\r\n")), refused: null, log: [] };
  return { ...copy, ...planned, ...facts, accepted: 0 };
}

/** Returns the first line of an answer. Each answer has its own first line. */
function textOf(name: string): string {
  return `This is the answer ${name}.`;
}

/** Sends an answer. Resolves when the answer was accepted as often as planned, or was refused. */
export async function bringReply(reply: SentReply, transmit: Transmit): Promise<void> {
  const { address: rcptTo, isAuto, isRepeated, recipient, raw: message } = reply;
  const written = { mailFrom: isAuto ? "" : recipient, rcptTo, message };
  await sleep(reply.afterMs);
  for (const most = isRepeated ? 2 : 1; reply.accepted < most && reply.refused === null;) {
    if (reply.log.length > 0) await sleep(PAUSE_MS);
    const what = await transmit(written);
    reply.log.push({ at: Date.now(), what });
    if (what.startsWith("250")) reply.accepted += 1;
    else if (what.startsWith("5")) reply.refused = what;
  }
}
