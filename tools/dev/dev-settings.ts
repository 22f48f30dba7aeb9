// Reads the settings of `npm start` from the arguments and the environment: ports, addresses of the
// mail servers, the state directory, the platform's switches, and the account's name.
import { createServer, isIPv4 } from "node:net";
import { resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { ownPort } from "../harness/loopback.ts";
import { type PlatformSwitch, readSwitches } from "./platform/switches.ts";

/** The project's root directory. Every program is started in this directory. */
export const ROOT = fileURLToPath(new URL("../..", import.meta.url));

export const PORT_DEFAULTS = {
  PORT: 8787,
  SMTP_PORT: 2587,
  INBOX_PORT: 8025,
  MX_PORT: 8026,
  DNS_PORT: 8053,
  EGRESS_PORT: 2580,
  EMAIL_SERVICE_PORT: 8054,
  ACCOUNT_PORT: 8055,
  PEOPLE_PORT: 8790,
  FRONT_PORT: 8443,
} as const;
const PORT_MAX = 65_535;
const PLATFORM_OPTION = "--platform=";
const ACCOUNT_OPTION = "--account=";

type PortName = keyof typeof PORT_DEFAULTS;
type RarePort = "EMAIL_SERVICE_PORT" | "ACCOUNT_PORT" | "PEOPLE_PORT" | "FRONT_PORT";
/**
 * The ports by name. Four ports are rare: that of the Email Service's double exists only if the
 * Email Service is the courier, that of the account's double only with `--account`, that of
 * Access's double only with `--people`, and that of the front only with `--front`.
 */
export type Ports = Readonly<Record<Exclude<PortName, RarePort>, number>> & {
  readonly [Name in RarePort]?: number;
};
export type Environment = Readonly<Record<string, string | undefined>>;

/** A reason why the stack can't start. Its text is one line. */
export class StartProblem extends Error {}

export function stateDirectory(environment: Environment): string {
  return resolve(ROOT, environment["POSTERN_STATE"] || ".postern");
}

/** Tells whether the worker sends through Cloudflare's Email Service, which needs a double. */
function usesEmailService(environment: Environment): boolean {
  return environment["OUTBOUND"] === "cloudflare";
}

/**
 * Returns the switches of docs/real-platform.md that `--platform=…` or PLATFORM names. Throws a
 * StartProblem for an unknown switch, or if the Email Service is not the courier.
 */
export function platformSwitches(
  args: readonly string[],
  environment: Environment,
): readonly PlatformSwitch[] {
  const given = args.findLast((arg) => arg.startsWith(PLATFORM_OPTION));
  const text = given?.slice(PLATFORM_OPTION.length) ?? environment["PLATFORM"] ?? "";
  const switches = readSwitches(text);
  if ("unknown" in switches)
    throw new StartProblem(
      `--platform: ${switches.unknown} is not a switch (docs/real-platform.md)`,
    );
  if (switches.length > 0 && !usesEmailService(environment))
    throw new StartProblem("--platform needs OUTBOUND=cloudflare");
  return switches;
}

/** Returns the name that `--account=…` gives. Undefined: the stack stands for no account. */
export function accountName(args: readonly string[]): string | undefined {
  const given = args.findLast((arg) => arg.startsWith(ACCOUNT_OPTION));
  return given?.slice(ACCOUNT_OPTION.length);
}

/** Returns the loopback addresses in MX_HOSTS. Undefined: one server accepts all mail. */
export function mailHosts(environment: Environment): readonly string[] | undefined {
  const hosts = (environment["MX_HOSTS"] ?? "").split(",").map((host) => host.trim());
  const named = hosts.filter((host) => host !== "");
  const stranger = named.find(
    (host) => host !== "::1" && !(isIPv4(host) && host.startsWith("127.")),
  );
  if (stranger !== undefined)
    throw new StartProblem(`MX_HOSTS: ${stranger} is not a loopback address`);
  return named.length > 0 ? named : undefined;
}

/**
 * Chooses every port, and checks that no program uses it on 127.0.0.1. Port 0 in the environment
 * means any free port. This process then reserves the port, so that a part that restarts gets the
 * same port. If another program uses the API's default port, `mayStay` decides whether the API gets
 * another port. `hasAccount`: the doubles of an account and of the Email Service get ports too.
 * Throws a StartProblem that names the first port in use.
 */
export async function claimPorts(
  environment: Environment,
  mayStay?: (port: number) => Promise<boolean>,
  { hasAccount = false, hasPeople = false, hasFront = false } = {},
): Promise<Ports> {
  const claimed = new Map<number, string>();
  const ports: Record<string, number> = {};
  for (const [name, fallback] of Object.entries(PORT_DEFAULTS)) {
    if (name === "EMAIL_SERVICE_PORT" && !hasAccount && !usesEmailService(environment)) continue;
    if (name === "ACCOUNT_PORT" && !hasAccount) continue;
    if (name === "PEOPLE_PORT" && !hasPeople) continue;
    if (name === "FRONT_PORT" && !hasFront) continue;
    const given = environment[name]?.trim() || String(fallback);
    const port = Number(given);
    if (!/^[0-9]+$/.test(given) || port > PORT_MAX)
      throw new StartProblem(`${name} is not a port: ${given}`);
    const other = claimed.get(port);
    if (other !== undefined)
      throw new StartProblem(`port ${port} is given to both ${other} and ${name}`);
    const isMovable = name === "PORT" && !environment[name];
    const isTaken = port !== 0 && !(await isUnused(port));
    if (isTaken && !(isMovable && (await mayStay?.(port))))
      throw new StartProblem(`port ${port} (${name}) is taken`);
    ports[name] = port === 0 || isTaken ? await ownPort() : port;
    claimed.set(ports[name], name);
  }
  return ports as Ports;
}

/** Tells whether no program uses the port. Throws a StartProblem if this process may not use it. */
async function isUnused(port: number): Promise<boolean> {
  const server = createServer();
  return new Promise((told, failed) => {
    server.once("error", (error: NodeJS.ErrnoException) => {
      if (error.code === "EADDRINUSE") told(false);
      else failed(new StartProblem(`port ${port} can't be used (${error.code})`));
    });
    server.listen({ port, host: "127.0.0.1", exclusive: true }, () =>
      server.close(() => told(true)),
    );
  });
}
