// The relay of `npm run listen`: hands each delivery on to the developer's own receiver as it came,
// bytes and headers, and the receiver's answer back to the service, so that a failure is retried as
// in production; tells what was in it. Its path is a secret: other programs of this machine can't
// post through it.
import { randomBytes } from "node:crypto";
import { once } from "node:events";
import * as http from "node:http";
import * as https from "node:https";
import type { AddressInfo } from "node:net";
import { buffer } from "node:stream/consumers";
import { StartProblem } from "../dev-settings.ts";

const HOST = "127.0.0.1";
/** Of one connection alone, or set anew by what sends (RFC 9110 section 7.6.1). */
const NOT_HANDED_ON = new Set([
  "connection",
  "content-length",
  "host",
  "keep-alive",
  "proxy-authenticate",
  "proxy-authorization",
  "proxy-connection",
  "te",
  "trailer",
  "transfer-encoding",
  "upgrade",
]);

interface RelayedEvent {
  readonly type: string;
  /** null: the event has none, as a test event. */
  readonly recipient: string | null;
}

export interface Relayed {
  readonly events: readonly RelayedEvent[];
  /** The receiver's status, or why there is none. */
  readonly outcome: number | string;
}

export interface ListenRelay {
  readonly port: number;
  /** Where it takes deliveries, from the slash on. */
  readonly path: string;
  close(): Promise<void>;
}

/**
 * Serves on 127.0.0.1; port 0 takes any free one. Throws a StartProblem when the port can't be had.
 */
export async function startRelay(
  port: number,
  forward: URL,
  relayed: (what: Relayed) => void,
): Promise<ListenRelay> {
  const path = `/${randomBytes(16).toString("base64url")}`;
  const server = http.createServer((incoming, outgoing) => {
    if (incoming.method !== "POST" || incoming.url !== path) {
      outgoing.writeHead(404).end();
      return;
    }
    // A delivery that breaks off is the service's to repeat.
    void relay(incoming, outgoing, forward).then(relayed, () => outgoing.destroy());
  });
  await listen(server, port);
  return {
    port: (server.address() as AddressInfo).port,
    path,
    async close() {
      const closed = once(server, "close");
      server.close();
      server.closeAllConnections();
      await closed;
    },
  };
}

async function listen(server: http.Server, port: number): Promise<void> {
  server.listen(port, HOST);
  try {
    await once(server, "listening");
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    throw new StartProblem(
      code === "EADDRINUSE"
        ? `port ${port} is taken: give another as --port`
        : `port ${port} can't be used (${code})`,
    );
  }
}

async function relay(
  incoming: http.IncomingMessage,
  outgoing: http.ServerResponse,
  forward: URL,
): Promise<Relayed> {
  const body = await buffer(incoming);
  const headers = handedOn(incoming.rawHeaders);
  const hungUp = new AbortController();
  outgoing.once("close", () => hungUp.abort());
  try {
    const answer = await send(
      forward,
      [...headers, "Host", forward.host, "Content-Length", String(body.length)],
      body,
      hungUp.signal,
    );
    outgoing.writeHead(answer.status, [...answer.headers]);
    outgoing.end(answer.body);
    return { events: eventsIn(body), outcome: answer.status };
  } catch (error) {
    if (hungUp.signal.aborted) return { events: eventsIn(body), outcome: "no answer in time" };
    const { code, message } = error as NodeJS.ErrnoException;
    outgoing
      .writeHead(502, { "content-type": "text/plain" })
      .end(`${forward.origin} can't be reached: ${code ?? message}\n`);
    return { events: eventsIn(body), outcome: code ?? message };
  }
}

interface Answer {
  readonly status: number;
  /** Names and values by turns. */
  readonly headers: readonly string[];
  readonly body: Buffer;
}

/** A connection each, since a receiver that is being worked on is often started anew. */
function send(
  url: URL,
  headers: readonly string[],
  body: Buffer,
  signal: AbortSignal,
): Promise<Answer> {
  const { request } = url.protocol === "https:" ? https : http;
  return new Promise((resolve, reject) => {
    const sent = request(
      url,
      { method: "POST", headers: [...headers], agent: false, signal },
      (response) => {
        const answer = {
          status: response.statusCode ?? 502,
          headers: handedOn(response.rawHeaders),
        };
        buffer(response).then((read) => resolve({ ...answer, body: read }), reject);
      },
    );
    sent.once("error", reject);
    sent.end(body);
  });
}

function handedOn(rawHeaders: readonly string[]): string[] {
  const kept: string[] = [];
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const [name = "", value = ""] = rawHeaders.slice(index, index + 2);
    if (!NOT_HANDED_ON.has(name.toLowerCase())) kept.push(name, value);
  }
  return kept;
}

/** The events of a body; one of no known type when it is not a delivery's. */
function eventsIn(body: Buffer): RelayedEvent[] {
  try {
    const { events } = JSON.parse(body.toString()) as {
      events: { type?: string; event?: string; data?: { recipient?: string } }[];
    };
    return events.map(({ type, event, data }) => ({
      type: String(type ?? event),
      recipient: data?.recipient ?? null,
    }));
  } catch {
    return [{ type: "not a delivery", recipient: null }];
  }
}
