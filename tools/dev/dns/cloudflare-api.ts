// Implements the record endpoints of Cloudflare's DNS API (`/client/v4/zones/{zone}/dns_records`)
// on the local record store, with the real API's envelope, error codes and paging.
import {
  canonicalContent,
  canonicalName,
  contentProblem,
  type DnsRecord,
  isWithin,
  RECORD_TYPES,
  type RecordContent,
  type RecordStore,
  type RecordType,
} from "./dns-records.ts";
import { ApiRefusal, refusalReply, resultReply } from "../api-reply.ts";
import type { HttpRequest, LocalReply } from "../http-server.ts";

const PER_PAGE_DEFAULT = 100;
const PER_PAGE_MAX = 5_000_000;
const ACCOUNT_ID = "0000000000000000000000000000cafe";
const DESTINATIONS_PER_PAGE = 50;
const VERIFIED_AT = "2026-01-01T00:00:00Z";
const TTL_AUTOMATIC = 1;
const LEAST_TTL = 60;
const MOST_TTL = 86_400;

export interface CloudflareZone {
  readonly id: string;
  /** The zone's domain. Each record of the zone has this name or a name below it. */
  readonly name: string;
  readonly token: string;
  /** Returns the verified destinations of Email Routing. Absent: the account has none. */
  readonly destinations?: () => readonly string[];
  /** The number of records that the zone may have. Absent: the zone has no limit. */
  readonly recordQuota?: number;
  /**
   * Answers the calls about the zone's custom hostnames. Absent: the zone has none. `path` has the
   * segments after the zone. Throws an ApiRefusal for a call that Cloudflare would refuse.
   */
  readonly hostnames?: (request: HttpRequest, path: readonly string[]) => LocalReply;
}

/** Answers a request below `/client/v4`. `path` is the rest of the path, after this prefix. */
export function serveCloudflare(
  request: HttpRequest,
  path: readonly string[],
  store: RecordStore,
  zone: CloudflareZone,
): LocalReply {
  try {
    return route(request, path, store, zone);
  } catch (error) {
    if (!(error instanceof ApiRefusal)) throw error;
    return refusalReply(error.status, error.code, error.message);
  }
}

function route(
  request: HttpRequest,
  path: readonly string[],
  store: RecordStore,
  zone: CloudflareZone,
): LocalReply {
  authenticate(request, zone.token);
  const [zones, zoneId, noun, id] = path;
  if (path.join("/") === `accounts/${ACCOUNT_ID}/email/routing/addresses`)
    return listDestinations(request.query, zone);
  if (zones === "zones" && noun === undefined && request.method === "GET")
    return readZone(request.query, zoneId, zone);
  if (zone.hostnames && zones === "zones" && zoneId === zone.id && noun === "custom_hostnames")
    return zone.hostnames(request, path.slice(2));
  if (zones !== "zones" || zoneId !== zone.id || noun !== "dns_records" || path.length > 4)
    throw unrouted(path.join("/"));
  const { recordQuota = Number.POSITIVE_INFINITY } = zone;
  const used = store.list().filter(({ name }) => isWithin(name, zone.name)).length;
  if (id === "usage" && request.method === "GET")
    return resultReply({ record_quota: zone.recordQuota ?? null, record_usage: used });
  if (id === undefined && request.method === "POST" && used >= recordQuota)
    throw new ApiRefusal(400, 81_045, "Record quota exceeded.");
  if (id === undefined) {
    if (request.method === "GET") return list(request.query, store, zone);
    if (request.method === "POST") return create(bodyOf(request), store, zone);
    throw new ApiRefusal(405, 10_405, `Method ${request.method} not allowed`);
  }
  const record = store.find(id);
  if (!record) throw new ApiRefusal(404, 81_044, "Record does not exist.");
  if (request.method === "GET") return resultReply(present(record, zone));
  if (request.method === "PUT") return update(record, bodyOf(request), store, zone);
  if (request.method === "PATCH")
    return update(record, { ...record, ...bodyOf(request) }, store, zone);
  if (request.method !== "DELETE")
    throw new ApiRefusal(405, 10_405, `Method ${request.method} not allowed`);
  store.remove([record]);
  return resultReply({ id: record.id });
}

function listDestinations(query: URLSearchParams, zone: CloudflareZone): LocalReply {
  const page = countOf(query, "page", 1, PER_PAGE_MAX);
  const perPage = countOf(query, "per_page", DESTINATIONS_PER_PAGE, DESTINATIONS_PER_PAGE);
  const addresses = zone.destinations?.() ?? [];
  const listed = addresses.slice((page - 1) * perPage, page * perPage);
  return resultReply(listed.map((email) => ({ email, verified: VERIFIED_AT })));
}

/** Returns the zone with this id, or lists the zones with this name. */
function readZone(
  query: URLSearchParams,
  id: string | undefined,
  zone: CloudflareZone,
): LocalReply {
  const presented = {
    id: zone.id,
    name: zone.name,
    status: "active",
    paused: false,
    type: "full",
    account: { id: ACCOUNT_ID, name: "local" },
  };
  if (id === undefined) {
    const name = query.get("name")?.toLowerCase();
    return resultReply(name === undefined || name === zone.name ? [presented] : []);
  }
  if (id !== zone.id) throw unrouted(`zones/${id}`);
  return resultReply(presented);
}

function unrouted(path: string): ApiRefusal {
  const words = `Could not route to /client/v4/${path}, perhaps your object identifier is invalid?`;
  return new ApiRefusal(404, 7003, words);
}

function authenticate(request: HttpRequest, token: string): void {
  const header = request.headers.authorization;
  if (header === undefined)
    throw new ApiRefusal(400, 9106, "Missing X-Auth-Key, X-Auth-Email or Authorization headers");
  const presented = /^Bearer (\S+)$/.exec(header)?.[1];
  if (presented === undefined) throw new ApiRefusal(400, 6003, "Invalid request headers");
  if (token === "" || presented !== token) throw new ApiRefusal(403, 9109, "Invalid access token");
}

function list(query: URLSearchParams, store: RecordStore, zone: CloudflareZone): LocalReply {
  const page = countOf(query, "page", 1, PER_PAGE_MAX);
  const perPage = countOf(query, "per_page", PER_PAGE_DEFAULT, PER_PAGE_MAX);
  const name = (query.get("name") ?? query.get("name.exact"))?.toLowerCase().replace(/\.$/, "");
  const type = query.get("type")?.toUpperCase();
  const content = query.get("content") ?? query.get("content.exact");
  const found = store
    .list()
    .filter((record) => isWithin(record.name, zone.name))
    .filter((record) => name === undefined || record.name === name)
    .filter((record) => type === undefined || record.type === type)
    .filter((record) => content === null || record.content === content);
  const result = found
    .slice((page - 1) * perPage, page * perPage)
    .map((record) => present(record, zone));
  const info = {
    page,
    per_page: perPage,
    count: result.length,
    total_count: found.length,
    total_pages: Math.max(1, Math.ceil(found.length / perPage)),
  };
  return resultReply(result, info);
}

function create(
  body: Record<string, unknown>,
  store: RecordStore,
  zone: CloudflareZone,
): LocalReply {
  const { name, content, ttl, comment } = parseRecord(body, zone);
  refuseConflict(store.at(name), content);
  return resultReply(present(store.add(name, content, ttl, comment), zone));
}

function update(
  record: DnsRecord,
  body: Record<string, unknown>,
  store: RecordStore,
  zone: CloudflareZone,
): LocalReply {
  const { name, content, ttl, comment } = parseRecord(body, zone);
  refuseConflict(
    store.at(name).filter((other) => other.id !== record.id),
    content,
  );
  const { id, created_on, modified_on } = record;
  return resultReply(
    present(store.update({ id, name, ...content, ttl, comment, created_on, modified_on }), zone),
  );
}

function parseRecord(
  body: Record<string, unknown>,
  zone: CloudflareZone,
): { name: string; content: RecordContent; ttl: number; comment: string | null } {
  const { type, name, content, priority, ttl = TTL_AUTOMATIC, comment, proxied } = body;
  if (!RECORD_TYPES.includes(type as RecordType))
    throw new ApiRefusal(400, 9004, "DNS record type is invalid.");
  if (typeof name !== "string" || name === "")
    throw new ApiRefusal(400, 9000, "DNS name is invalid.");
  if (typeof content !== "string")
    throw new ApiRefusal(400, 9005, `Content for ${String(type)} record is missing.`);
  const seconds = Number.isInteger(ttl) ? (ttl as number) : Number.NaN;
  if (ttl !== TTL_AUTOMATIC && !(seconds >= LEAST_TTL && seconds <= MOST_TTL)) {
    const words = "Invalid TTL. Must be between 60 and 86400 seconds, or 1 for Automatic.";
    throw new ApiRefusal(400, 9021, words);
  }
  const absolute = canonicalName(absoluteName(name, zone.name));
  if (absolute === null) throw new ApiRefusal(400, 9000, "DNS name is invalid.");
  const parsed: RecordContent = {
    type: type as RecordType,
    content: canonicalContent(type as RecordType, content),
    ...(type === "MX" && { priority: priority as number }),
    ...(proxied === true && isProxiable(type as RecordType) && { proxied }),
  };
  const problem = contentProblem(parsed);
  if (problem !== null) throw new ApiRefusal(400, 9005, problem);
  return {
    name: absolute,
    content: parsed,
    ttl: seconds,
    comment: typeof comment === "string" ? comment : null,
  };
}

/**
 * Returns the absolute name. Like the real API, it reads a name outside the zone as relative to the
 * zone.
 */
function absoluteName(name: string, zone: string): string {
  const given = name.toLowerCase().replace(/\.$/, "");
  if (given === "@") return zone;
  return isWithin(given, zone) ? given : `${given}.${zone}`;
}

function refuseConflict(standing: readonly DnsRecord[], content: RecordContent): void {
  const isSame = ({ type, content: text, priority }: DnsRecord): boolean =>
    type === content.type && text === content.content && priority === content.priority;
  if (standing.some(isSame))
    throw new ApiRefusal(400, 81_058, "An identical record already exists.");
  const types = [content, ...standing].map(({ type }) => type);
  if (types.length > 1 && types.includes("CNAME"))
    throw new ApiRefusal(400, 81_053, "An A, AAAA, or CNAME record with that host already exists.");
}

function present(record: DnsRecord, zone: CloudflareZone): Record<string, unknown> {
  return {
    proxied: false,
    ...record,
    zone_id: zone.id,
    zone_name: zone.name,
    proxiable: isProxiable(record.type),
    settings: {},
    meta: {},
    tags: [],
  };
}

function isProxiable(type: RecordType): boolean {
  return type === "A" || type === "AAAA" || type === "CNAME";
}

function bodyOf(request: HttpRequest): Record<string, unknown> {
  try {
    const body: unknown = JSON.parse(request.body.toString("utf8"));
    if (typeof body === "object" && body !== null && !Array.isArray(body))
      return body as Record<string, unknown>;
  } catch {
    // The check below refuses a body that is not an object, like every other invalid body.
  }
  throw new ApiRefusal(400, 9207, "Request body is invalid.");
}

function countOf(query: URLSearchParams, name: string, fallback: number, max: number): number {
  const value = query.get(name);
  if (value === null) return fallback;
  const count = Number(value);
  if (!Number.isInteger(count) || count < 1 || count > max)
    throw new ApiRefusal(400, 1004, `${name} is invalid`);
  return count;
}
