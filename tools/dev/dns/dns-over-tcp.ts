// Serves DNS over TCP (RFC 7766). Two octets with the length precede each message. A connection
// carries any number of queries, and each is answered as soon as it is complete. Resolvers use TCP
// after a truncated answer over UDP.
import type { Socket } from "node:net";
import { decode, type DecodedPacket } from "dns-packet";
import { answerOrFail, truncatedReply } from "./dns-answer.ts";
import type { DnsFaults } from "./dns-faults.ts";
import type { RecordStore } from "./dns-records.ts";

const LENGTH_BYTES = 2;
const MESSAGE_BYTES = 65_535;
/** RFC 7766 §6.2.3 leaves the idle timeout to the server and advises some seconds. */
const IDLE_MS = 10_000;

/**
 * Tells from the first octet whether a connection speaks DNS. A DNS query begins with its length,
 * and a first octet of `A` or above would mean at least 16,640 octets, more than any query has. An
 * HTTP request begins with a letter.
 */
export function beginsDns(first: number): boolean {
  return first < 0x41;
}

/**
 * Answers the queries of one connection. It ends when the client closes the connection, is silent
 * for too long, or sends something other than DNS.
 */
export function answerTcp(
  socket: Socket,
  store: RecordStore,
  faults: DnsFaults,
  idleMs = IDLE_MS,
): void {
  let unread: Buffer = Buffer.alloc(0);
  socket.on("error", () => socket.destroy());
  socket.setTimeout(idleMs, () => socket.end());
  socket.on("data", (chunk: Buffer) => {
    const { messages, rest } = messagesIn(Buffer.concat([unread, chunk]));
    unread = rest;
    for (const message of messages) {
      const query = parse(message);
      if (query === undefined) return void socket.destroy();
      const reply = answerOrFail(store, query, faults);
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

function parse(message: Buffer): DecodedPacket | undefined {
  try {
    return decode(message);
  } catch {
    return undefined;
  }
}

/** Writes length and message at once, so that they share a TCP segment (RFC 7766 §8). */
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
