// Reads the options of `npm run listen` and finds out the rest: the URL to forward to, the
// deployment and its key, and how that deployment reaches this machine. Every missing option gets
// its own error text.
import { isIP } from "node:net";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { StartProblem, stateDirectory } from "../dev-settings.ts";
import { readStateFile } from "../state-file.ts";

const USAGE =
  "npm run listen -- --forward http://localhost:3000/hook [--events " +
  "email.delivered,email.bounced] [--url https://api.example.com --key ps_… --public-url " +
  "https://….example.net [--port 8788]]";

const EVENT_TYPES = [
  "sent",
  "delivered",
  "delayed",
  "bounced",
  "complained",
  "suppressed",
  "unsubscribed",
  "opened",
  "clicked",
].map((name) => `email.${name}`);
/** Default port that a tunnel leads to: the tunnel is set up before this runs. */
const TUNNEL_PORT = 8788;
const PORT_MAX = 65_535;

export interface ListenOptions {
  readonly forward: URL;
  readonly events: readonly string[];
  /** Has no final slash. */
  readonly apiUrl: string;
  readonly apiKey: string;
  /**
   * URL at which the deployment reaches the relay, without a final slash. Null means the relay's
   * own address on this machine.
   */
  readonly publicUrl: string | null;
  /** The relay's port. 0 means any free port. */
  readonly port: number;
}

type Environment = Readonly<Record<string, string | undefined>>;

/** Throws a StartProblem that says which option is missing or wrong. */
export function listenOptions(args: readonly string[], environment: Environment): ListenOptions {
  const given = parse(args);
  const { apiUrl, apiKey } = deploymentOf(given, environment);
  const publicUrl = given["public-url"] === undefined ? null : publicUrlOf(given["public-url"]);
  if (publicUrl === null && !isThisMachine(new URL(apiUrl)))
    throw new StartProblem(
      `${apiUrl} can't reach this machine directly. Start a tunnel to ` +
        `http://127.0.0.1:${TUNNEL_PORT} (cloudflared tunnel --url ` +
        `http://127.0.0.1:${TUNNEL_PORT}) and give its address as --public-url https://…`,
    );
  return {
    forward: urlOf("--forward", given.forward),
    events: eventsOf(given.events),
    apiUrl,
    apiKey,
    publicUrl,
    port: portOf(given.port, publicUrl === null ? 0 : TUNNEL_PORT),
  };
}

function parse(args: readonly string[]) {
  const text = { type: "string" } as const;
  const options = {
    forward: text,
    events: text,
    url: text,
    key: text,
    "public-url": text,
    port: text,
  };
  try {
    return parseArgs({ args: [...args], options }).values;
  } catch (error) {
    throw new StartProblem(
      `${error instanceof Error ? error.message : String(error)}\nusage: ${USAGE}`,
    );
  }
}

/**
 * Chooses the stack that runs here, unless another deployment is named. The local stack's key is
 * never used for another deployment.
 */
function deploymentOf(
  given: { url?: string; key?: string },
  environment: Environment,
): { apiUrl: string; apiKey: string } {
  const stackFile = join(stateDirectory(environment), "dev.json");
  const stack = readStateFile(stackFile) as { api_url: string; api_key: string } | undefined;
  if (given.url === undefined && !stack)
    throw new StartProblem(
      `no stack runs here (${stackFile} does not exist): start one with npm start, or name a ` +
        "deployment with --url and --key",
    );
  const apiUrl = urlOf("--url", given.url ?? stack?.api_url).href.replace(/(?<!\/)\/+$/, "");
  const apiKey =
    given.key ??
    environment["POSTERN_KEY"] ??
    (apiUrl === stack?.api_url ? stack.api_key : undefined);
  if (apiKey === undefined)
    throw new StartProblem(
      `no key for ${apiUrl}: give a full API key as --key, or in the environment as POSTERN_KEY`,
    );
  if (!/^[\x21-\x7e]+$/.test(apiKey)) throw new StartProblem("--key is not an API key");
  return { apiUrl, apiKey };
}

function urlOf(name: string, text: string | undefined): URL {
  if (text === undefined) throw new StartProblem(`${name} is missing\nusage: ${USAGE}`);
  const url = URL.parse(text);
  if (!url || !/^https?:$/.test(url.protocol))
    throw new StartProblem(`${name} is not an http or https URL: ${text}`);
  return url;
}

function publicUrlOf(text: string): string {
  const url = urlOf("--public-url", text);
  if (url.protocol !== "https:" || url.search !== "" || url.hash !== "")
    throw new StartProblem(`--public-url must be an https URL without a query: ${text}`);
  return url.href.replace(/(?<!\/)\/+$/, "");
}

function eventsOf(text: string | undefined): readonly string[] {
  if (text === undefined) return EVENT_TYPES;
  const names = text.split(",").map((name) => name.trim());
  const unknown = names.find((name) => !EVENT_TYPES.includes(name));
  if (unknown !== undefined)
    throw new StartProblem(
      `--events: there is no "${unknown}"; there are ${EVENT_TYPES.join(", ")}`,
    );
  return names;
}

function portOf(text: string | undefined, fallback: number): number {
  if (text === undefined) return fallback;
  const port = Number(text);
  if (!/^[0-9]+$/.test(text) || port > PORT_MAX)
    throw new StartProblem(`--port is not a port: ${text}`);
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
