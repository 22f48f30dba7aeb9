// Serves DNS over UDP (RFC 1035 §4.2.1), which mail servers and `dig` use: one datagram for each
// answer from the record store. An answer that does not fit is marked as truncated.
import { createSocket } from "node:dgram";
import { once } from "node:events";
import { decode, type DecodedPacket } from "dns-packet";
import { answerOrFail, truncatedReply } from "./dns-answer.ts";
import type { DnsFaults } from "./dns-faults.ts";
import type { RecordStore } from "./dns-records.ts";

/** Largest answer for a client that states no size of its own (RFC 1035 §4.2.1). */
const PLAIN_BYTES = 512;
/** Largest payload of one datagram over IPv4, whatever size the client offers. */
const DATAGRAM_BYTES = 65_507;

/** Serves on 127.0.0.1. Rejects with the socket's error if the port can't be used. */
export async function serveUdp(
  port: number,
  store: RecordStore,
  faults: DnsFaults,
): Promise<{ close(): Promise<void> }> {
  const socket = createSocket("udp4");
  socket.on("message", (message, client) => {
    const query = parse(message);
    const reply = query && answerOrFail(store, query, faults);
    if (reply) socket.send(truncateToFit(reply, query), client.port, client.address);
  });
  socket.bind(port, "127.0.0.1");
  await once(socket, "listening");
  return {
    async close() {
      const closed = once(socket, "close");
      socket.close();
      await closed;
    },
  };
}

/** Decodes a message. Undefined means that it can't be answered. */
function parse(message: Buffer): DecodedPacket | undefined {
  try {
    return decode(message);
  } catch {
    return undefined;
  }
}

/**
 * Returns the reply, or a truncated answer if the reply is larger than the client accepts. The
 * client then asks again over TCP.
 */
function truncateToFit(reply: Buffer, query: DecodedPacket): Buffer {
  const options = query.additionals?.find((additional) => additional.type === "OPT");
  const room = Math.min(DATAGRAM_BYTES, Math.max(PLAIN_BYTES, options?.udpPayloadSize ?? 0));
  return reply.length <= room ? reply : truncatedReply(query);
}
