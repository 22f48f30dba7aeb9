// Reads the options of `postern webhooks listen`: the URL to forward to, the events, and the URL at
// which the deployment reaches this machine. Every missing option has its own error message.
import { isIP } from "node:net";
import { EVENT_TYPES } from "../../generated/event-type-list.ts";
import { httpUrl } from "../chosen-deployment.ts";
import { wrongUsage } from "../exit-codes.ts";
import type { ParsedArguments, OptionTable } from "../parsed-arguments.ts";

type EventType = (typeof EVENT_TYPES)[number];

/**
 * The default port for a tunnel. It is fixed, because the tunnel is set up before this command
 * runs.
 */
const TUNNEL_PORT = 8788;
const PORT_MAX = 65_535;

export const LISTEN_OPTIONS: OptionTable = {
  forward: { value: "<url>", summary: "The URL of your receiver" },
  events: { value: "<types>", summary: "Event types, separated by commas; default: all nine" },
  "public-url": { value: "<url>", summary: "The https URL of a tunnel" },
  port: { value: "<port>", summary: `The tunnel's target port; default: ${TUNNEL_PORT}` },
};

export type ListenOptions = ReturnType<typeof listenOptions>;

/**
 * Throws a CommandFailure that names the missing or wrong option. `apiUrl` is the deployment's URL,
 * without a final slash.
 */
export function listenOptions(given: ParsedArguments, apiUrl: string) {
  const tunnel = given.text("public-url");
  const publicUrl = tunnel === undefined ? null : publicUrlOf(tunnel);
  if (publicUrl === null && !isThisMachine(new URL(apiUrl)))
    throw wrongUsage(
      `${apiUrl} can't reach this machine directly. Start a tunnel to ` +
        `http://127.0.0.1:${TUNNEL_PORT} (cloudflared tunnel --url ` +
        `http://127.0.0.1:${TUNNEL_PORT}) and give its address as --public-url https://…`,
    );
  const forward = given.needText("forward");
  httpUrl("--forward", forward);
  return {
    forward: new URL(forward),
    events: eventsOf(given.text("events")),
    apiUrl,
    /** The URL at which the deployment reaches the relay. Null: the relay's own address. */
    publicUrl,
    /** The relay's port. 0 means any free port. */
    port: portOf(given.text("port"), publicUrl === null ? 0 : TUNNEL_PORT),
  };
}

function publicUrlOf(text: string): string {
  const url = httpUrl("--public-url", text);
  const { protocol, search, hash } = new URL(text);
  if (protocol !== "https:" || search !== "" || hash !== "")
    throw wrongUsage(`--public-url must be an https URL without a query: ${text}`);
  return url;
}

export function eventsOf(text: string | undefined): readonly EventType[] {
  if (text === undefined) return EVENT_TYPES;
  return text.split(",").map((name) => {
    const type = EVENT_TYPES.find((one) => one === name.trim());
    if (type === undefined)
      throw wrongUsage(`--events: "${name.trim()}" is not one of ${EVENT_TYPES.join(", ")}`);
    return type;
  });
}

function portOf(text: string | undefined, fallback: number): number {
  if (text === undefined) return fallback;
  const port = Number(text);
  if (!/^[0-9]+$/.test(text) || port > PORT_MAX) throw wrongUsage(`--port is not a port: ${text}`);
  return port;
}

function isThisMachine({ hostname }: URL): boolean {
  const host = hostname.replace(/^\[|\]$/g, "");
  return (
    host === "localhost" ||
    host.endsWith(".localhost") ||
    host === "::1" ||
    (isIP(host) === 4 && host.startsWith("127."))
  );
}
