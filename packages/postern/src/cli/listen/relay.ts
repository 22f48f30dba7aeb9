// The relay of `postern webhooks listen`. It passes each delivery with unchanged bytes and headers
// to the developer's receiver, and returns the receiver's answer to the service. The service
// therefore retries failures as in production. The relay also reports the events of each delivery.
// Its path is secret, so that other programs on this machine can't post to it.
import { randomBytes } from "node:crypto";
import { once } from "node:events";
import * as http from "node:http";
import * as https from "node:https";
import type { AddressInfo } from "node:net";
import { buffer } from "node:stream/consumers";
import { CommandFailure, EXIT } from "../exit-codes.ts";

const HOST = "127.0.0.1";
/** Headers that are not passed on: they are about one connection (RFC 9110 §7.6.1) or set anew. */
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
  /** The event's recipient. Null if the event has none, such as a test event. */
  readonly recipient: string | null;
}

export interface RelayedDelivery {
  readonly events: readonly RelayedEvent[];
  /** The receiver's HTTP status, or the reason why the receiver gave none. */
  readonly outcome: number | string;
}

/**
 * Serves on 127.0.0.1. Port 0 takes any free port. Throws a CommandFailure if the port can't be
 * used. `path` is the path at which the relay takes deliveries, with a leading slash.
 */
export async function startRelay(
  port: number,
  forward: URL,
  relayed: (what: RelayedDelivery) => void,
) {
  const path = `/${randomBytes(16).toString("base64url")}`;
  const server = http.createServer((incoming, outgoing) => {
    if (incoming.method !== "POST" || incoming.url !== path) {
      outgoing.writeHead(404).end();
      return;
    }
    // The service retries a delivery whose connection breaks.
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
    throw new CommandFailure(
      code === "EADDRINUSE"
        ? `port ${port} is taken: give another as --port`
        : `port ${port} can't be used (${code})`,
      EXIT.usage,
    );
  }
}

async function relay(
  incoming: http.IncomingMessage,
  outgoing: http.ServerResponse,
  forward: URL,
): Promise<RelayedDelivery> {
  const body = await buffer(incoming);
  const headers = headersToForward(incoming.rawHeaders);
  const hungUp = new AbortController();
  outgoing.once("close", () => hungUp.abort());
  try {
    const answer = await send(
      forward,
      [...headers, "Host", forward.host, "Content-Length", String(body.length)],
      body,
      hungUp.signal,
    );
    outgoing.writeHead(answer.status, answer.headers);
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

/**
 * Opens a new connection for each delivery, because a receiver under development often restarts.
 * Header names and values alternate.
 */
async function send(url: URL, headers: string[], body: Buffer, signal: AbortSignal) {
  const { request } = url.protocol === "https:" ? https : http;
  const sent = request(url, { method: "POST", headers, agent: false, signal }).end(body);
  // If the connection breaks later, buffer() throws the error.
  sent.on("error", () => undefined);
  const [response] = (await once(sent, "response")) as [http.IncomingMessage];
  return {
    status: response.statusCode ?? 502,
    headers: headersToForward(response.rawHeaders),
    body: await buffer(response),
  };
}

function headersToForward(rawHeaders: readonly string[]): string[] {
  const kept: string[] = [];
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const [name = "", value = ""] = rawHeaders.slice(index, index + 2);
    if (!NOT_HANDED_ON.has(name.toLowerCase())) kept.push(name, value);
  }
  return kept;
}

/** Returns the events of a body. A body that is not a delivery gives one event of unknown type. */
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
