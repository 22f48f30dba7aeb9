// DNS over UDP (RFC 1035 section 4.2.1), as mail servers ask it and `dig` does: answers from the
// record store in one datagram. What does not fit says so.
import { createSocket } from "node:dgram";
import { once } from "node:events";
import { decode, type DecodedPacket } from "dns-packet";
import { answerOrFail, truncated } from "./dns-answer.ts";
import type { DnsFaults } from "./dns-faults.ts";
import type { RecordStore } from "./dns-records.ts";

/** What a client takes that does not say (RFC 1035 section 4.2.1). */
const PLAIN_BYTES = 512;
/** What fits into one datagram over IPv4, whatever the client says that it takes. */
const DATAGRAM_BYTES = 65_507;

/** Serves on 127.0.0.1. Rejects with what the port says. */
export async function serveUdp(
  port: number,
  store: RecordStore,
  faults: DnsFaults,
): Promise<{ close(): Promise<void> }> {
  const socket = createSocket("udp4");
  socket.on("message", (message, client) => {
    const query = parse(message);
    const reply = query && answerOrFail(store, query, faults);
    if (reply) socket.send(fitting(reply, query), client.port, client.address);
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

/** Undefined: nothing that could be answered. */
function parse(message: Buffer): DecodedPacket | undefined {
  try {
    return decode(message);
  } catch {
    return undefined;
  }
}

/** The reply, or word of one that is longer than the client takes: it asks again over TCP. */
function fitting(reply: Buffer, query: DecodedPacket): Buffer {
  const options = query.additionals?.find((additional) => additional.type === "OPT");
  const room = Math.min(DATAGRAM_BYTES, Math.max(PLAIN_BYTES, options?.udpPayloadSize ?? 0));
  return reply.length <= room ? reply : truncated(query);
}
