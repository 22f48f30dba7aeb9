// Serves DNS over TCP (RFC 7766). Before each message, two octets give its length. A connection may
// carry many queries. Each one is answered as soon as it is complete. A resolver uses TCP after a
// truncated answer over UDP.
import type { Socket } from "node:net";
import type { DecodedPacket } from "dns-packet";
import { type AnswerQuery, readQuery, truncatedReply } from "./dns-answer.ts";

const LENGTH_BYTES = 2;
const MESSAGE_BYTES = 65_535;
/**
 * Milliseconds after which a silent connection is closed. RFC 7766 §6.2.3 leaves this time to the
 * server and advises some seconds.
 */
const IDLE_MS = 10_000;

/**
 * Tells from the first octet whether a connection uses DNS or HTTP. An HTTP request begins with a
 * letter. A DNS query begins with two octets for its length. If the first octet were `A` or above,
 * the query would have at least 16,640 octets, and no query is that long.
 */
export function beginsDns(first: number): boolean {
  return first < 0x41;
}

/**
 * Answers the queries of one connection. The connection ends when the client closes it, is silent
 * for too long, or sends something that is not DNS.
 */
export function answerTcp(socket: Socket, answer: AnswerQuery, idleMs = IDLE_MS): void {
  let unread: Buffer = Buffer.alloc(0);
  socket.on("error", () => socket.destroy());
  socket.setTimeout(idleMs, () => socket.end());
  socket.on("data", (chunk: Buffer) => {
    const { messages, rest } = messagesIn(Buffer.concat([unread, chunk]));
    unread = rest;
    for (const message of messages) {
      const query = readQuery(message);
      if (query === null) return void socket.destroy();
      const reply = answer(query);
      if (reply && !socket.write(frame(reply, query))) pauseUntilDrained(socket);
    }
  });
}

function messagesIn(bytes: Buffer): { messages: Buffer[]; rest: Buffer } {
  const messages: Buffer[] = [];
  let at = 0;
  while (at + LENGTH_BYTES <= bytes.length) {
    const end = at + LENGTH_BYTES + bytes.readUInt16BE(at);
    if (end > bytes.length) break;
    messages.push(bytes.subarray(at + LENGTH_BYTES, end));
    at = end;
  }
  return { messages, rest: bytes.subarray(at) };
}

/** Joins the length and the message, so that both go into one TCP segment (RFC 7766 §8). */
function frame(reply: Buffer, query: DecodedPacket): Buffer {
  const message = reply.length > MESSAGE_BYTES ? truncatedReply(query) : reply;
  const length = Buffer.alloc(LENGTH_BYTES);
  length.writeUInt16BE(message.length);
  return Buffer.concat([length, message]);
}

function pauseUntilDrained(socket: Socket): void {
  if (socket.isPaused()) return;
  socket.pause();
  socket.once("drain", () => socket.resume());
}
