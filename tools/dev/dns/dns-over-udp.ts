// Serves DNS over UDP (RFC 1035 §4.2.1), for mail servers and `dig`. Each reply is one datagram. A
// reply that does not fit into it is marked as truncated.
import { createSocket } from "node:dgram";
import { once } from "node:events";
import type { DecodedPacket } from "dns-packet";
import { type AnswerQuery, readQuery, truncatedReply } from "./dns-answer.ts";

/** Maximum size of a reply if the client states no size (RFC 1035 §4.2.1). */
const PLAIN_BYTES = 512;
/** Maximum payload of a datagram over IPv4. A client may state a larger size. */
const DATAGRAM_BYTES = 65_507;

/** Serves DNS on 127.0.0.1. Rejects with the socket's error if the port can't be used. */
export async function serveUdp(
  port: number,
  answer: AnswerQuery,
): Promise<{ close(): Promise<void> }> {
  const socket = createSocket("udp4");
  socket.on("message", (message, client) => {
    const query = readQuery(message);
    const reply = query && answer(query);
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

/**
 * Returns the reply. If the reply is larger than the client accepts, returns a truncated reply, and
 * the client repeats the query over TCP.
 */
function truncateToFit(reply: Buffer, query: DecodedPacket): Buffer {
  const options = query.additionals?.find((additional) => additional.type === "OPT");
  const room = Math.min(DATAGRAM_BYTES, Math.max(PLAIN_BYTES, options?.udpPayloadSize ?? 0));
  return reply.length <= room ? reply : truncatedReply(query);
}
