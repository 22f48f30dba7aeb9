// Reads single settings from the environment and checks their form. Each function throws
// SettingError, which names the setting and says which values are valid.
import { readFileSync } from "node:fs";
import { isIP } from "node:net";
import { LOG_LEVELS, type GatewayLogLevel } from "./gateway-log.ts";
import {
  GATEWAY_SETTINGS,
  type GatewaySettingEntry,
  type GatewaySettingName,
  type NumberSettingName,
} from "./gateway-setting-table.ts";

export type SettingsSource = Readonly<Record<string, string | undefined>>;

export class SettingError extends Error {
  constructor(name: string, problem: string) {
    super(`setting ${name}: ${problem}`);
  }
}

/**
 * An operator's route: mail for `pattern` (a domain, or `*` for all other domains) goes to one
 * host, without an MX look-up.
 */
export interface Route {
  readonly pattern: string;
  readonly host: string;
  readonly port: number;
}

const POOL_NAME = /^[a-z0-9](?:[a-z0-9-]{0,30}[a-z0-9])?$/;
const HOST_NAME =
  /^(?=.{1,253}$)[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?(?:\.[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?)*$/i;

/**
 * Returns the variable's value, or the setting's default if the variable is unset or empty. Without
 * a default, returns "".
 */
export function readText(environment: SettingsSource, name: GatewaySettingName): string {
  const { standard = "" }: GatewaySettingEntry = GATEWAY_SETTINGS[name];
  return environment[name]?.trim() || standard;
}

/** Returns the comma-separated values of a setting, such as the ports in `587, 2587,25`. */
function readList(environment: SettingsSource, name: GatewaySettingName): string[] {
  const values = readText(environment, name).split(",");
  return values.map((value) => value.trim()).filter((value) => value !== "");
}

export function readRequired(environment: SettingsSource, name: GatewaySettingName): string {
  const given = readText(environment, name);
  if (given === "") throw new SettingError(name, "is missing");
  return given;
}

/**
 * Reads a secret from its variable, or from the file that the variable `<name>_FILE` names. Removes
 * white space around the secret. Returns "" if neither variable is set.
 */
export function readSecret(
  environment: SettingsSource,
  name: "GATEWAY_TOKEN" | "GATEWAY_METRICS_TOKEN",
): string {
  const path = readText(environment, `${name}_FILE`);
  const direct = readText(environment, name);
  if (path !== "" && direct !== "")
    throw new SettingError(`${name}_FILE`, `must not be set together with ${name}`);
  const given = path === "" ? direct : readSecretFile(`${name}_FILE`, path);
  if (/\s/.test(given))
    throw new SettingError(path === "" ? name : `${name}_FILE`, "must not contain white space");
  return given;
}

function readSecretFile(name: string, path: string): string {
  const content = readSettingFile(name, path).trim();
  if (content === "") throw new SettingError(name, "is empty");
  return content;
}

export function readSettingFile(name: string, path: string): string {
  try {
    return readFileSync(path, "utf8");
  } catch (error) {
    throw new SettingError(name, `can't be read (${(error as NodeJS.ErrnoException).code})`);
  }
}

export function readInteger(environment: SettingsSource, name: NumberSettingName): number {
  const given = readText(environment, name);
  const [least, most] = GATEWAY_SETTINGS[name].bounds;
  const value = Number(given);
  if (!/^\d+$/.test(given) || value < least || value > most)
    throw new SettingError(name, `must be a whole number from ${least} to ${most}`);
  return value;
}

export function readFlag(environment: SettingsSource, name: GatewaySettingName): boolean {
  const given = readText(environment, name);
  if (given !== "true" && given !== "false")
    throw new SettingError(name, "must be `true` or `false`");
  return given === "true";
}

export function readLogLevel(environment: SettingsSource): GatewayLogLevel {
  const given = readText(environment, "EGRESS_LOG");
  const level = LOG_LEVELS.find((known) => known === given);
  if (level === undefined)
    throw new SettingError("EGRESS_LOG", `must be one of ${LOG_LEVELS.join(", ")}`);
  return level;
}

export function readPorts(environment: SettingsSource, name: GatewaySettingName): number[] {
  const listed = readList(environment, name);
  const ports = listed.map(Number);
  // The system gives each port 0 another number.
  const fixed = ports.filter((port) => port !== 0);
  const areDistinct = new Set(fixed).size === fixed.length;
  if (!areDistinct || listed.some((port) => !/^\d{1,5}$/.test(port) || Number(port) > 65_535))
    throw new SettingError(name, "must be comma-separated ports, each listed once");
  return ports;
}

/** Reads an origin such as `https://api.example.com`. */
export function readOrigin(environment: SettingsSource, name: GatewaySettingName): string {
  const given = readRequired(environment, name);
  const url = URL.parse(given);
  const beyondOrigin = url && url.username + url.password + url.pathname + url.search + url.hash;
  if (!url || beyondOrigin !== "/" || !/^https?:$/.test(url.protocol))
    throw new SettingError(
      name,
      "must be an http or https URL without a path, such as https://api.example.com",
    );
  return url.origin;
}

/** Returns the host name. Returns `standard` if the variable is not set. */
export function readHostName(
  environment: SettingsSource,
  name: GatewaySettingName,
  standard: string,
): string {
  const given = readText(environment, name) || standard;
  if (!HOST_NAME.test(given) && isIP(given) === 0)
    throw new SettingError(name, "must be a host name or an IP address, for use in EHLO");
  return given;
}

/** Returns the domain name. Returns null if the variable is not set. */
export function readDomain(environment: SettingsSource, name: GatewaySettingName): string | null {
  const given = readText(environment, name).toLowerCase();
  if (given === "") return null;
  if (!HOST_NAME.test(given) || isIP(given) !== 0)
    throw new SettingError(name, "must be a domain name, such as postern.example.com");
  return given;
}

export function readUserName(environment: SettingsSource, name: GatewaySettingName): string {
  const given = readText(environment, name);
  if (!/^[!-~]{1,64}$/.test(given))
    throw new SettingError(name, "must be printable ASCII without spaces, at most 64 characters");
  return given;
}

/** Reads routes such as `*=127.0.0.1:8026, example.com=[::1]:25`. */
export function readRoutes(environment: SettingsSource): Route[] {
  return readList(environment, "EGRESS_ROUTES").map(parseRoute);
}

function parseRoute(entry: string): Route {
  const match = /^([^=\s]+)=(?:\[([^\]\s]+)\]|([^:\s[\]]+)):(\d{1,5})$/.exec(entry);
  const [, pattern = "", ipv6, name = "", digits = ""] = match ?? [];
  const port = Number(digits);
  const isHost = ipv6 === undefined ? HOST_NAME.test(name) : isIP(ipv6) === 6;
  const isPattern = pattern === "*" || HOST_NAME.test(pattern);
  if (!isHost || !isPattern || port < 1 || port > 65_535)
    throw new SettingError(
      "EGRESS_ROUTES",
      "must be comma-separated `domain=host:port`, with `*` for all other domains",
    );
  return { pattern: pattern.toLowerCase(), host: ipv6 ?? name, port };
}

/** Reads pools such as `{"marketing": ["198.51.100.7", "2001:db8::7"], "default": [...]}`. */
export function readSources(environment: SettingsSource): Map<string, readonly string[]> {
  const problem = new SettingError(
    "EGRESS_POOLS",
    "must be a JSON object of pool names, each with a list of at least one IP address",
  );
  let value: unknown;
  try {
    value = JSON.parse(readText(environment, "EGRESS_POOLS"));
  } catch {
    throw problem;
  }
  if (typeof value !== "object" || value === null || Array.isArray(value)) throw problem;
  return new Map(
    Object.entries(value).map(([name, addresses]: [string, unknown]) => {
      const listed =
        Array.isArray(addresses) &&
        addresses.length > 0 &&
        addresses.every((address) => typeof address === "string" && isIP(address) !== 0);
      if (!POOL_NAME.test(name) || !listed) throw problem;
      return [name, addresses as string[]];
    }),
  );
}

export function readAddresses(environment: SettingsSource, name: GatewaySettingName): string[] {
  const addresses = readList(environment, name);
  if (addresses.some((address) => isIP(address) === 0 || address.includes("%")))
    throw new SettingError(name, "must be comma-separated IP addresses");
  return addresses;
}

/** Reads DNS servers, each with or without a port: `9.9.9.9, 127.0.0.1:8053, [2620:fe::fe]:53`. */
export function readDnsServers(environment: SettingsSource, name: GatewaySettingName): string[] {
  const servers = readList(environment, name);
  const isServer = (server: string): boolean => {
    const [, bracketed, plain] = /^(?:\[([^\]]+)\]|([^:[\]]+))(?::\d{1,5})?$/.exec(server) ?? [];
    return isIP(bracketed ?? plain ?? server) !== 0;
  };
  if (!servers.every(isServer))
    throw new SettingError(
      name,
      "must be comma-separated IP addresses, each with or without `:port`",
    );
  return servers;
}
