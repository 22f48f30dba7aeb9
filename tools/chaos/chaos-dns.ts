// The DNS server that the gateway asks. Every domain has one mail server. The server's name belongs
// to some provider, and its address is in one of a few blocks. The fault server decides when DNS
// fails or is slow.
import { createSocket } from "node:dgram";
import { once } from "node:events";
import { setTimeout as sleep } from "node:timers/promises";
import { type Answer, AUTHORITATIVE_ANSWER, decode, type DecodedPacket, encode } from "dns-packet";
import type { Cleanup } from "../harness/cleanup.ts";
import type { FaultServer } from "./fault-server.ts";
import { addressOf, mailServerOf } from "./plan-servers.ts";

const MX_LABEL = "mx.";
const SERVFAIL = 2;
const TTL_SECONDS = 60;

/** Resolves with the port. */
export async function serveDns(cleanup: Cleanup, faults: FaultServer): Promise<number> {
  const socket = createSocket("udp4");
  socket.on("message", (message, client) => {
    void answer(message, faults).then((reply) => socket.send(reply, client.port, client.address));
  });
  socket.on("error", () => undefined);
  socket.bind(0, "127.0.0.1");
  await once(socket, "listening");
  cleanup.add(() => socket.close());
  return socket.address().port;
}

async function answer(message: Buffer, faults: FaultServer): Promise<Buffer> {
  const query = decode(message);
  const { type = "A", name = "" } = query.questions?.[0] ?? {};
  await faults.meet("dns");
  const fault = faults.decide("dns", `${type} ${name}`);
  if (fault?.kind === "slow") await sleep(fault.ms);
  const flags = AUTHORITATIVE_ANSWER | (fault?.kind === "fail" ? SERVFAIL : 0);
  return encode({
    type: "response",
    id: query.id ?? 0,
    flags,
    questions: query.questions ?? [],
    answers: fault?.kind === "fail" ? [] : recordsOf(query),
  });
}

function recordsOf(query: DecodedPacket): Answer[] {
  const { type, name = "" } = query.questions?.[0] ?? {};
  const isServer = name.startsWith(MX_LABEL);
  if (type === "MX" && !isServer) {
    const data = { preference: 10, exchange: mailServerOf(name) };
    return [{ type: "MX", name, ttl: TTL_SECONDS, data }];
  }
  const isAddress = type === "A" && isServer;
  return isAddress ? [{ type: "A", name, ttl: TTL_SECONDS, data: addressOf(name) }] : [];
}
