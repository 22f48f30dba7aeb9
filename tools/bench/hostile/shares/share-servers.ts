// The mail servers of the cases about shares, in this process, so that all times come from one
// clock. Each zone has one server in its own address block, and all servers listen on one port. DNS
// gives every domain in a zone its own MX name, which leads to the zone's server.
import { createSocket } from "node:dgram";
import { once } from "node:events";
import { setTimeout as sleep } from "node:timers/promises";
import { type Answer, AUTHORITATIVE_ANSWER, decode, encode } from "dns-packet";
import type { Cleanup } from "../../../harness/cleanup.ts";
import { ownPort } from "../../../harness/loopback.ts";
import { listenForMail, PLAIN_SERVER } from "../../../harness/smtp/smtp-server.ts";
import type { SmtpResponder, SmtpSession } from "../../../harness/smtp/smtp-session.ts";

/** The zones, and the address of each zone's server. */
export const ZONES = {
  "good.example": "127.0.1.1",
  "hangs.example": "127.0.2.1",
  "five.example": "127.0.3.1",
} as const;

const FIVE = 5;
/** Milliseconds that the provider takes for each message. */
const PROVIDER_MS = 100;
const TTL_SECONDS = 60;
const MX_LABEL = "mx.";

export class ShareServers {
  readonly port: number;
  readonly dnsPort: number;
  /** The arrival time of the message to each recipient. */
  readonly arrivals = new Map<string, number>();
  /** Connections that the provider accepted, and connections that it refused. */
  taken = 0;
  turnedAway = 0;
  readonly #hangUps: (() => void)[] = [];
  #openAtProvider: () => number = () => 0;

  private constructor(port: number, dnsPort: number) {
    this.port = port;
    this.dnsPort = dnsPort;
  }

  static async start(cleanup: Cleanup): Promise<ShareServers> {
    const servers = new ShareServers(await ownPort(), await serveDns(cleanup));
    const behaviours: Readonly<
      Record<keyof typeof ZONES, (session: SmtpSession) => SmtpResponder>
    > = {
      "good.example": () => (step) => servers.#take(step.to, step.verb, step.usual),
      "hangs.example": () => (step) =>
        step.verb === "end" ? new Promise(() => undefined) : step.usual,
      "five.example": (session) => servers.#provide(session),
    };
    for (const [zone, address] of Object.entries(ZONES)) {
      const behave = behaviours[zone as keyof typeof ZONES];
      const server = await listenForMail(servers.port, address, PLAIN_SERVER, behave);
      if (zone === "five.example") servers.#openAtProvider = server.open;
      cleanup.add(server.close);
      servers.#hangUps.push(server.hangUp);
    }
    return servers;
  }

  /** Ends all connections, so that no client waits for a reply. */
  hangUp(): void {
    for (const hangUp of this.#hangUps) hangUp();
  }

  #take(recipients: readonly string[], verb: string, usual: string): string {
    if (verb === "end")
      for (const recipient of recipients) this.arrivals.set(recipient, performance.now());
    return usual;
  }

  #provide(session: SmtpSession): SmtpResponder {
    return async ({ verb, to, usual }) => {
      if (verb === "greeting") {
        if (this.#openAtProvider() > FIVE) {
          this.turnedAway += 1;
          return session.end("421 4.7.0 too many connections from your address");
        }
        this.taken += 1;
      }
      if (verb === "end") await sleep(PROVIDER_MS);
      return this.#take(to, verb, usual);
    };
  }
}

/** Returns the port. */
async function serveDns(cleanup: Cleanup): Promise<number> {
  const socket = createSocket("udp4");
  socket.on("message", (message, client) => {
    const { id = 0, questions = [] } = decode(message);
    const { type = "A", name = "" } = questions[0] ?? {};
    const flags = AUTHORITATIVE_ANSWER;
    const answers = recordsOf(type, name);
    const reply = encode({ type: "response", id, flags, questions, answers });
    socket.send(reply, client.port, client.address);
  });
  socket.bind(0, "127.0.0.1");
  await once(socket, "listening");
  cleanup.add(() => socket.close());
  return socket.address().port;
}

function recordsOf(type: string, name: string): Answer[] {
  const isServer = name.startsWith(MX_LABEL);
  if (type === "MX" && !isServer) {
    const data = { preference: 10, exchange: `${MX_LABEL}${name}` };
    return [{ type: "MX", name, ttl: TTL_SECONDS, data }];
  }
  const zone = Object.entries(ZONES).find(([one]) => name.endsWith(one));
  const isAddress = type === "A" && isServer && zone !== undefined;
  return isAddress ? [{ type: "A", name, ttl: TTL_SECONDS, data: zone[1] }] : [];
}
