// The DNS that the gateway asks: every domain below DOMAIN has one mail server, at 127.0.0.1. It
// fails and is slow as the weather says.
import { createSocket } from "node:dgram";
import { once } from "node:events";
import { setTimeout as sleep } from "node:timers/promises";
import { type Answer, AUTHORITATIVE_ANSWER, decode, type DecodedPacket, encode } from "dns-packet";
import type { Cleanup } from "../bench/harness/cleanup.ts";
import { DOMAIN } from "./plan.ts";
import type { Weather } from "./weather.ts";

const MX_HOST = `mx.${DOMAIN}`;
const SERVFAIL = 2;
const TTL_SECONDS = 60;

export async function serveDns(cleanup: Cleanup, port: number, weather: Weather): Promise<void> {
  const socket = createSocket("udp4");
  socket.on("message", (message, client) => {
    void answer(message, weather).then((reply) => socket.send(reply, client.port, client.address));
  });
  socket.on("error", () => undefined);
  socket.bind(port, "127.0.0.1");
  await once(socket, "listening");
  cleanup.add(() => socket.close());
}

async function answer(message: Buffer, weather: Weather): Promise<Buffer> {
  const query = decode(message);
  const { type = "A", name = "" } = query.questions?.[0] ?? {};
  await weather.meet("dns");
  const suffering = weather.decide("dns", `${type} ${name}`);
  if (suffering?.kind === "slow") await sleep(suffering.ms);
  const flags = AUTHORITATIVE_ANSWER | (suffering?.kind === "fail" ? SERVFAIL : 0);
  return encode({
    type: "response",
    id: query.id ?? 0,
    flags,
    questions: query.questions ?? [],
    answers: suffering?.kind === "fail" ? [] : recordsOf(query),
  });
}

function recordsOf(query: DecodedPacket): Answer[] {
  const { type, name = "" } = query.questions?.[0] ?? {};
  if (type === "MX" && name !== MX_HOST)
    return [{ type: "MX", name, ttl: TTL_SECONDS, data: { preference: 10, exchange: MX_HOST } }];
  return type === "A" && name === MX_HOST
    ? [{ type: "A", name, ttl: TTL_SECONDS, data: "127.0.0.1" }]
    : [];
}
