// Cloudflare's API about custom hostnames, the fallback origin and the routes of a zone, with the
// real API's codes. The second request for a certificate issues the certificate. The zone's member
// `certificates` names the hosts that get none.
import { randomUUID } from "node:crypto";
import { ApiRefusal, resultReply } from "../api-reply.ts";
import { type HttpRequest, jsonBody, type LocalReply } from "../http-server.ts";
import type { FrontHostname, FrontZone, WorkerRoute } from "./front-zone.ts";

const PER_PAGE = 20;
const PENDING = { status: "pending_validation" };
const REFUSED = {
  status: "validation_timed_out",
  validation_errors: [{ message: "caa_error: the CAA record of the name forbids the authority" }],
};

/**
 * Answers a call about custom hostnames, and changes the zone. `path` has the segments from
 * `custom_hostnames` on. Throws an ApiRefusal for a call that Cloudflare would refuse.
 */
export function serveHostnames(
  zone: FrontZone,
  request: HttpRequest,
  [, id]: readonly string[],
): LocalReply {
  const { method } = request;
  if (id === "fallback_origin") return resultReply(fallbackOrigin(zone, request));
  if (id === undefined && method === "GET") return listHostnames(zone, request.query);
  if (id === undefined && method === "POST") return resultReply(addHostname(zone, request));
  const known = zone.custom_hostnames.find((one) => one.id === id);
  if (!known) throw new ApiRefusal(404, 1436, "The custom hostname was not found.");
  if (method === "GET") return resultReply(known);
  if (method !== "DELETE") throw new ApiRefusal(405, 10_405, "Method not allowed");
  zone.custom_hostnames = zone.custom_hostnames.filter((one) => one !== known);
  return resultReply({ id });
}

/** Answers a call about the routes of workers. `id` is the route in the path of a deletion. */
export function serveRoutes(
  zone: FrontZone,
  method: string,
  id: string,
  { pattern, script }: Readonly<Record<string, unknown>>,
): unknown {
  const routes = zone.worker_routes;
  if (method === "GET") return routes;
  if (method === "DELETE") {
    zone.worker_routes = routes.filter((route) => route.id !== id);
    return { id };
  }
  if (routes.some((route) => route.pattern === pattern))
    throw new ApiRefusal(409, 10_020, "A route with the same pattern already exists.");
  const made: WorkerRoute = {
    id: randomUUID().replaceAll("-", ""),
    pattern: String(pattern),
    ...(typeof script === "string" && { script }),
  };
  zone.worker_routes = [...routes, made];
  return made;
}

function fallbackOrigin(zone: FrontZone, request: HttpRequest): unknown {
  if (request.method === "PUT") {
    zone.fallback_origin = String(jsonBody(request)["origin"]);
    return { origin: zone.fallback_origin, status: "pending_deployment" };
  }
  if (zone.fallback_origin === null)
    throw new ApiRefusal(404, 1551, "Resource not found: no fallback origin was set.");
  if (request.method === "DELETE") zone.fallback_origin = null;
  return { origin: zone.fallback_origin, status: "active" };
}

function addHostname(zone: FrontZone, request: HttpRequest): FrontHostname {
  const hostname = String(jsonBody(request)["hostname"]);
  if (zone.custom_hostnames.some((one) => one.hostname === hostname))
    throw new ApiRefusal(409, 1406, "Duplicate custom hostname found.");
  if (zone.custom_hostnames.length >= zone.hostname_quota)
    throw new ApiRefusal(403, 1405, "You have reached the quota of custom hostnames.");
  const ssl = zone.certificates[hostname] === "refused" ? REFUSED : PENDING;
  const made = { id: randomUUID(), hostname, ssl };
  zone.custom_hostnames = [...zone.custom_hostnames, made];
  return made;
}

function listHostnames(zone: FrontZone, query: URLSearchParams): LocalReply {
  const name = query.get("hostname");
  const before = zone.custom_hostnames.filter((one) => name === null || one.hostname === name);
  zone.custom_hostnames = zone.custom_hostnames.map((one) =>
    before.includes(one) ? { ...one, ssl: nextState(zone, one) } : one,
  );
  const page = Number(query.get("page") ?? 1);
  const perPage = Number(query.get("per_page") ?? PER_PAGE);
  return resultReply(before.slice((page - 1) * perPage, page * perPage), {
    page,
    per_page: perPage,
    total_count: before.length,
  });
}

/**
 * Returns the certificate's next state. Only a pending certificate is issued; a refused one stays
 * refused.
 */
function nextState({ certificates }: FrontZone, { hostname, ssl }: FrontHostname) {
  const isIssued = ssl.status === PENDING.status && certificates[hostname] === undefined;
  return isIssued ? { status: "active" } : ssl;
}
