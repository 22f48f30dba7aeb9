// Reads and makes the objects of a Cloudflare zone that lead customers' tracking hosts to the
// worker: the fallback origin of its custom hostnames, and routes (docs/tracking.md §Hosts). The
// route `*/*` matches every proxied name of the zone. Therefore each name outside the service gets
// a route without a worker:
// https://developers.cloudflare.com/cloudflare-for-platforms/cloudflare-for-saas/start/advanced-settings/worker-as-origin/
import { type AccountApi, needsRight } from "../account-api.ts";
import type { ZoneRecord } from "../dns-api.ts";
import { isRefusedRight } from "./cloudflare-codes.ts";
import { errorTextOf, member } from "../json-call.ts";
import { CallProblem } from "../setup-problem.ts";

export const NEEDS_CERTIFICATES = "Zone · SSL and Certificates · Edit";
const NEEDS_ROUTES = "Zone · Workers Routes · Edit";
/**
 * The most routes that a zone may have: https://developers.cloudflare.com/workers/platform/limits/
 */
export const MOST_ROUTES = 1_000;
/** The pattern that matches every host of the zone. */
export const EVERY_HOST = "*/*";

/** If `script` is null, requests go to the origin and not to a worker. */
export interface ZoneRoute {
  readonly pattern: string;
  readonly script: string | null;
}

export interface FallbackOrigin {
  readonly origin: string;
  readonly status: string;
}

/** Returns the zone's fallback origin, or null. `api` must have the worker's own token. */
export async function fallbackOriginOf(
  api: AccountApi,
  zoneId: string,
): Promise<FallbackOrigin | null> {
  const path = originPath(zoneId);
  const answer = await api.ask("GET", path);
  const origin = member(answer.json, "result", "origin");
  const status = member(answer.json, "result", "status");
  if (answer.status < 300)
    return typeof origin === "string" && origin !== "" ? { origin, status: String(status) } : null;
  if (answer.status === 404) return null;
  throw new CallProblem(
    `GET ${path}: Cloudflare answered ${errorTextOf(answer)}`,
    isRefusedRight(answer) ? giveToken() : "run this again",
  );
}

/**
 * Sets the fallback origin. Only a token that may edit certificates can do this. The worker needs
 * the same right.
 */
export async function setFallbackOrigin(
  api: AccountApi,
  zoneId: string,
  origin: string,
): Promise<void> {
  await api.must("PUT", originPath(zoneId), giveToken(), { origin });
}

/** Lists the routes of workers in the zone. Throws a CallProblem if the call fails. */
export async function routesOf(api: AccountApi, zoneId: string): Promise<readonly ZoneRoute[]> {
  const listed = await api.list<unknown>(`/zones/${zoneId}/workers/routes`, giveRoutes());
  return listed.map((route) => {
    const script = member(route, "script");
    return {
      pattern: String(member(route, "pattern")),
      script: typeof script === "string" && script !== "" ? script : null,
    };
  });
}

export async function addRoute(
  api: AccountApi,
  zoneId: string,
  { pattern, script }: ZoneRoute,
): Promise<void> {
  const body = { pattern, ...(script !== null && { script }) };
  await api.must("POST", `/zones/${zoneId}/workers/routes`, giveRoutes(), body);
}

/**
 * Returns the zone's proxied names that do not belong to the service. A name that leads to the
 * service is a tracking host in the operator's own zone. `hosts` has the worker's own hosts.
 * `origin` is the name of the fallback origin.
 */
export function otherNames(
  proxied: readonly ZoneRecord[],
  hosts: readonly (string | undefined)[],
  origin: string,
): string[] {
  const ours = new Set([...hosts, origin, `*.${origin}`]);
  const others = proxied.filter(
    ({ name, content }) => !ours.has(name) && !content.endsWith(`.${origin}`),
  );
  return [...new Set(others.map(({ name }) => name))].toSorted();
}

/**
 * Returns the names without a route that matches all paths of the name. The route for every host
 * does not count.
 */
export function withoutRoute(names: readonly string[], routes: readonly ZoneRoute[]): string[] {
  const patterns = routes.map(({ pattern }) => pattern).filter((one) => one !== EVERY_HOST);
  return names.filter((name) => !patterns.some((pattern) => isWholeHost(pattern, name)));
}

/** Tells whether a pattern matches every path of a host. `*` at its beginning matches any text. */
function isWholeHost(pattern: string, name: string): boolean {
  const [host = "", ...path] = pattern.replace(/^https?:\/\//, "").split("/");
  if (path.join("/") !== "*") return false;
  return host === name || (host.startsWith("*") && name.endsWith(host.slice(1)));
}

function originPath(zoneId: string): string {
  return `/zones/${zoneId}/custom_hostnames/fallback_origin`;
}

function giveToken(): string {
  return `give DNS_API_TOKEN the permission ${NEEDS_CERTIFICATES}, then run this again`;
}

function giveRoutes(): string {
  return needsRight(NEEDS_ROUTES);
}
