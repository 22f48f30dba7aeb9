// Checks customers' tracking hosts (docs/tracking.md §Hosts). It requests a link on each host of
// the key's team, and reads the fallback origin and the routes of the zone.
import { DnsApi } from "../dns-api.ts";
import {
  EVERY_HOST,
  fallbackOriginOf,
  otherNames,
  routesOf,
  withoutRoute,
  type ZoneRoute,
} from "../account/tracking-zone.ts";
import { call, type JsonResponse, NoHttpResponse } from "../json-call.ts";
import type { Domain } from "../operator-client.ts";
import { trackOrigin } from "../record-sets.ts";
import { hostOf } from "../setting-prompts.ts";
import type { LogIn } from "./account-login.ts";
import { unlessRefused } from "./check-account.ts";
import type { Target } from "./doctor-target.ts";
import {
  critical,
  type CheckResult,
  ok,
  notKnown,
  type CheckResults,
  warning,
} from "./check-result.ts";

const HOST = "tracking.host";
const ZONE = "tracking.zone";
/** The path of an unknown link. On every host, the service answers it with its own page. */
const LINK = "/c/doctor";
const NO_CERTIFICATE =
  "verify the domain again, which makes its custom hostname; the dashboard shows its certificate " +
  "under SSL/TLS, Custom Hostnames";
const NO_ORIGIN = "npm run setup makes the fallback origin, if DNS_API_TOKEN has the right for it";
const NO_ROUTE = "npm run setup makes the route */* to the worker, or says why it does not";

/** The meaning of each of Cloudflare's codes on a tracking host, and its remedy. */
const CODES: Readonly<Record<string, readonly [what: string, mend: string]>> = {
  1001: ["Cloudflare knows no such custom hostname", NO_CERTIFICATE],
  1014: ["the host is in another account's zone, and has no custom hostname here", NO_CERTIFICATE],
  1016: ["the zone has no fallback origin", NO_ORIGIN],
  522: ["no route leads the host to the worker", NO_ROUTE],
  523: ["no route leads the host to the worker", NO_ROUTE],
};

export type Reached = JsonResponse | NoHttpResponse;

/** Requests a link on each tracking host. A local stack serves no such host. */
export async function checkTrackingHosts(
  { url, isLocal }: Target,
  domains: readonly Domain[],
): Promise<CheckResults> {
  const tracked = domains.flatMap(({ name, tracking: { status, subdomain } }) =>
    status === "disabled" || !subdomain ? [] : [{ host: `${subdomain}.${name}`, status }],
  );
  if (isLocal || tracked.length === 0) return [];
  const own = await call("GET", `${url}${LINK}`);
  return Promise.all(
    tracked.map(async ({ host, status }) =>
      judgeHost(host, status === "verified", await call("GET", `https://${host}${LINK}`), own),
    ),
  );
}

/**
 * Judges the answer of a host. `own` is the answer of the service's own host to the same link.
 * `isUsed`: links in new mail lead to the host.
 */
export function judgeHost(
  host: string,
  isUsed: boolean,
  reached: Reached,
  own: Reached,
): CheckResult {
  const judge = isUsed ? critical : warning;
  const tail = isUsed ? "" : "; mail of its domain is sent untracked until then";
  if (reached instanceof NoHttpResponse)
    return judge(
      HOST,
      `${host}: no answer over https (${reached.message})${tail}`,
      /ENOTFOUND|EAI_AGAIN/.test(reached.message)
        ? "publish the domain's tracking CNAME (GET /v1/domains)"
        : NO_CERTIFICATE,
    );
  if (own instanceof NoHttpResponse)
    return notKnown(HOST, `${host}: not judged, because the worker does not answer`);
  if (reached.status === own.status && reached.text === own.text)
    return ok(HOST, `${host}: a link comes through to this service`);
  const code = /error code: ?(\d{3,4})/i.exec(reached.text)?.[1] ?? String(reached.status);
  const [what, mend] = CODES[code] ?? [
    "something other than this service answers",
    `look at the CNAME of ${host}, and at the zone's routes and security rules`,
  ];
  return judge(HOST, `${host}: ${what} (HTTP ${reached.status}, code ${code})${tail}`, mend);
}

/** Checks the zone with wrangler's login and the worker's token. */
export async function checkTrackingZone(
  { serviceDomain, dnsApi, url, publicUrl, consoleUrl, trackingHosts }: Target,
  login: LogIn,
): Promise<CheckResults> {
  if (serviceDomain === undefined || trackingHosts === "direct") return [];
  const found = await login();
  if (found.kind === "out") return notKnown(ZONE, `not looked at: ${found.reason}`);
  if (dnsApi === undefined) return notKnown(ZONE, "not looked at: DNS_API_TOKEN is not known here");
  return unlessRefused(ZONE, async () => {
    const { api, config } = found;
    const zone = await api.zoneOf(serviceDomain);
    if (zone === null) return notKnown(ZONE, `${serviceDomain} is in no zone of this account`);
    const target = trackOrigin({ SERVICE_DOMAIN: serviceDomain });
    const [origin, routes, proxied] = await Promise.all([
      fallbackOriginOf(api.withToken(dnsApi.token), zone.id),
      routesOf(api, zone.id),
      new DnsApi(dnsApi.url, dnsApi.token).proxied(zone),
    ]);
    const hosts = [publicUrl, url, consoleUrl].map(hostOf);
    const others = otherNames(proxied, [...hosts, serviceDomain], target);
    return [judgeOrigin(origin, target), judgeRoutes(routes, config.worker, others)].flat();
  });
}

function judgeOrigin(
  found: { readonly origin: string; readonly status: string } | null,
  target: string,
): CheckResult {
  const check = "tracking.origin";
  if (found === null)
    return warning(check, "the zone has no fallback origin: mail is sent untracked", NO_ORIGIN);
  const { origin, status } = found;
  if (origin !== target)
    return warning(
      check,
      `the zone's fallback origin is ${origin}, of another service: mail is sent untracked`,
      "give the service domain a zone of its own (docs/tracking.md)",
    );
  if (status === "active") return ok(check, `${origin} is the zone's fallback origin`);
  return warning(check, `the fallback origin ${origin} is ${status}`, "wait some minutes");
}

function judgeRoutes(
  routes: readonly ZoneRoute[],
  worker: string,
  others: readonly string[],
): CheckResults {
  const every = routes.find(({ pattern }) => pattern === EVERY_HOST);
  if (every?.script !== worker) {
    const leads = every === undefined ? "is missing" : `leads to ${every.script ?? "no worker"}`;
    const what = `the route ${EVERY_HOST} ${leads}: mail is sent untracked`;
    return warning("tracking.route", what, NO_ROUTE);
  }
  const taken = withoutRoute(others, routes);
  const route = ok("tracking.route", `the route ${EVERY_HOST} leads to ${worker}`);
  if (taken.length === 0) return route;
  const website = critical(
    "tracking.website",
    `the route ${EVERY_HOST} takes other names of the zone: ${taken.join(", ")}`,
    "TRACKING_ROUTES=yes npm run setup gives each of them a route without a worker",
  );
  return [route, website];
}
