// Reads single settings from the environment and checks their form. Each function throws
// SettingError, which names the setting and says which values are valid.
import { readFileSync } from "node:fs";
import { isIP } from "node:net";
import { LOG_LEVELS, type GatewayLogLevel } from "./gateway-log.ts";
import {
  boundsOf,
  type GatewaySettingName,
  type NumberSettingName,
  standardOf,
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
  return environment[name]?.trim() || standardOf(name);
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
  let content: string;
  try {
    content = readFileSync(path, "utf8").trim();
  } catch (error) {
    throw new SettingError(name, `can't be read (${(error as NodeJS.ErrnoException).code})`);
  }
  if (content === "") throw new SettingError(name, "is empty");
  return content;
}

export function readInteger(environment: SettingsSource, name: NumberSettingName): number {
  const given = readText(environment, name);
  const [least, most] = boundsOf(name);
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

export function parseLogLevel(given: string): GatewayLogLevel {
  const level = LOG_LEVELS.find((known) => known === given);
  if (level === undefined)
    throw new SettingError("EGRESS_LOG", `must be one of ${LOG_LEVELS.join(", ")}`);
  return level;
}

/** Reads ports such as `587,2587,25`. */
export function readPorts(environment: SettingsSource, name: GatewaySettingName): number[] {
  const given = readText(environment, name).split(",");
  const listed = given.map((port) => port.trim()).filter((port) => port !== "");
  const read = listed.map(Number);
  const areDistinct =
    new Set(read.filter((port) => port !== 0)).size === read.filter((port) => port !== 0).length;
  if (!areDistinct || listed.some((port) => !/^\d{1,5}$/.test(port) || Number(port) > 65_535)) {
    throw new SettingError(name, "must be comma-separated ports, each listed once");
  }
  return read;
}

/** Reads an origin such as `https://api.example.com`. */
export function readOrigin(environment: SettingsSource, name: GatewaySettingName): string {
  const given = readRequired(environment, name);
  const url = URL.canParse(given) ? new URL(given) : null;
  const isOrigin =
    url !== null &&
    url.pathname === "/" &&
    url.search === "" &&
    url.hash === "" &&
    url.username === "" &&
    url.password === "";
  if (!isOrigin || (url.protocol !== "https:" && url.protocol !== "http:"))
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

/** Parses routes such as `*=127.0.0.1:8026, example.com=[::1]:25`. */
export function parseRoutes(given: string): Route[] {
  const entries = given.split(",").map((entry) => entry.trim());
  return entries.filter((entry) => entry !== "").map(parseRoute);
}

function isNameOrIpv4(host: string): boolean {
  return isIP(host) === 4 || HOST_NAME.test(host);
}

function isRoutePattern(pattern: string): boolean {
  return pattern === "*" || HOST_NAME.test(pattern);
}

function parseRoute(entry: string): Route {
  const match = /^([^=\s]+)=(?:\[([^\]\s]+)\]|([^:\s[\]]+)):(\d{1,5})$/.exec(entry);
  const [, pattern = "", ipv6, name = "", digits = ""] = match ?? [];
  const port = Number(digits);
  const isHost = ipv6 === undefined ? isNameOrIpv4(name) : isIP(ipv6) === 6;
  if (!isHost || !isRoutePattern(pattern) || port < 1 || port > 65_535)
    throw new SettingError(
      "EGRESS_ROUTES",
      "must be comma-separated `domain=host:port`, with `*` for all other domains",
    );
  return { pattern: pattern.toLowerCase(), host: ipv6 ?? name, port };
}

/** Parses pools such as `{"marketing": ["198.51.100.7", "2001:db8::7"], "default": [...]}`. */
export function parsePools(given: string): Map<string, readonly string[]> {
  const problem = new SettingError(
    "EGRESS_POOLS",
    "must be a JSON object of pool names, each with a list of at least one IP address",
  );
  let value: unknown;
  try {
    value = JSON.parse(given);
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

/** Parses IP addresses such as `198.51.100.1,2001:db8::7`. */
export function parseAddresses(name: string, given: string): string[] {
  const addresses = given
    .split(",")
    .map((address) => address.trim())
    .filter((address) => address !== "");
  if (addresses.some((address) => isIP(address) === 0 || address.includes("%")))
    throw new SettingError(name, "must be comma-separated IP addresses");
  return addresses;
}

/** Parses DNS servers, each with or without a port: `9.9.9.9, 127.0.0.1:8053, [2620:fe::fe]:53`. */
export function parseDnsServers(name: string, given: string): string[] {
  const servers = given
    .split(",")
    .map((server) => server.trim())
    .filter((server) => server !== "");
  for (const server of servers) {
    const [, bracketed, plain] = /^(?:\[([^\]]+)\]|([^:[\]]+))(?::\d{1,5})?$/.exec(server) ?? [];
    if (isIP(bracketed ?? plain ?? server) === 0)
      throw new SettingError(
        name,
        "must be comma-separated IP addresses, each with or without `:port`",
      );
  }
  return servers;
}
