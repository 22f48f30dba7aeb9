// Serves DNS over UDP (RFC 1035 §4.2.1), for mail servers and `dig`. Each answer from the record
// store is one datagram. An answer that does not fit is marked as truncated.
import { createSocket } from "node:dgram";
import { once } from "node:events";
import { decode, type DecodedPacket } from "dns-packet";
import { answerOrFail, truncatedReply } from "./dns-answer.ts";
import type { DnsFaults } from "./dns-faults.ts";
import type { RecordStore } from "./dns-records.ts";

/** The largest answer for a client that states no size (RFC 1035 §4.2.1). */
const PLAIN_BYTES = 512;
/** The largest payload of a datagram over IPv4. A larger size from the client is ignored. */
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

/** Decodes a message. Undefined means that an answer is impossible. */
function parse(message: Buffer): DecodedPacket | undefined {
  try {
    return decode(message);
  } catch {
    return undefined;
  }
}

/**
 * Returns the reply. If it is larger than the client accepts, the reply is truncated, and the
 * client asks again over TCP.
 */
function truncateToFit(reply: Buffer, query: DecodedPacket): Buffer {
  const options = query.additionals?.find((additional) => additional.type === "OPT");
  const room = Math.min(DATAGRAM_BYTES, Math.max(PLAIN_BYTES, options?.udpPayloadSize ?? 0));
  return reply.length <= room ? reply : truncatedReply(query);
}
