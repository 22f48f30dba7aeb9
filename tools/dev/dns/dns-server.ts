// The local DNS server answers all DNS queries of the local stack. It serves DNS over HTTPS at
// /dns-query, DNS over TCP and UDP on the same port, and the Cloudflare DNS API at /client/v4.
// Tests and developers can set more records at /records, and faults at /faults (docs/local.md §Mail
// servers and DNS).
import type { Socket } from "node:net";
import { join } from "node:path";
import { serveCloudflare, type CloudflareZone } from "./cloudflare-api.ts";
import { refusalReply } from "../api-reply.ts";
import { type AnswerQuery, answerOrFail } from "./dns-answer.ts";
import { DnsFaults } from "./dns-faults.ts";
import { answerDoh } from "./dns-over-https.ts";
import { answerTcp, beginsDns } from "./dns-over-tcp.ts";
import { serveUdp } from "./dns-over-udp.ts";
import {
  canonicalContent,
  canonicalName,
  contentProblem,
  type DnsRecord,
  RECORD_TYPES,
  type RecordContent,
  RecordStore,
  type RecordType,
} from "./dns-records.ts";
import {
  type LocalReply,
  type HttpRequest,
  jsonBody,
  jsonReply,
  Problem,
  serveHttp,
} from "../http-server.ts";

const TTL_AUTOMATIC = 1;

/**
 * One record in the format of /records. `data` is a string ("10 mx.example" for MX), `{preference,
 * exchange}` for MX, or a list of such values.
 */
export interface PutRecord {
  readonly name: string;
  readonly type: RecordType;
  readonly data: unknown;
  readonly proxied?: boolean;
}

export interface DnsServer {
  readonly port: number;
  close(): Promise<void>;
}

/**
 * Starts the server on 127.0.0.1 with the records in `directory`. Null means that the records are
 * only in memory. Records in `standing` replace stored records with the same name and type. Port 0
 * means any free port.
 */
export async function startDns(
  port: number,
  directory: string | null,
  zone: CloudflareZone,
  standing: readonly PutRecord[] = [],
): Promise<DnsServer> {
  const store = new RecordStore(directory === null ? null : join(directory, "records.json"));
  const faults = new DnsFaults();
  for (const record of standing) putRecords(store, { ...record });
  const answer: AnswerQuery = (query) => answerOrFail(store, query, faults);
  const tcp = { isOwn: beginsDns, take: (socket: Socket) => answerTcp(socket, answer) };
  const handle = async (request: HttpRequest): Promise<LocalReply | null> =>
    request.path[0] === "dns-query"
      ? answerDoh(request, answer)
      : route(request, store, zone, faults);
  const http = await serveHttp(port, handle, tcp);
  const udp = await serveUdp(http.port, answer);
  return {
    port: http.port,
    async close() {
      await Promise.all([http.close(), udp.close()]);
    },
  };
}

function route(
  request: HttpRequest,
  store: RecordStore,
  zone: CloudflareZone,
  faults: DnsFaults,
): LocalReply | null {
  const [first, second] = request.path;
  if (first === "records") return routeRecords(request, store);
  if (first === "faults") return routeFaults(request, faults);
  if (first !== "client" || second !== "v4") throw new Problem(404, "there is nothing here");
  const status = faults.apiStatus(request.method);
  if (status === 0) return null;
  return status === null
    ? serveCloudflare(request, request.path.slice(2), store, zone)
    : refusalReply(status, 10_000, "a fault that was set at /faults");
}

function routeRecords(request: HttpRequest, store: RecordStore): LocalReply {
  if (request.method === "GET") return jsonReply(200, { records: store.list().map(present) });
  if (request.method === "PUT")
    return jsonReply(200, { records: putRecords(store, jsonBody(request)).map(present) });
  if (request.method !== "DELETE") throw new Problem(405, "only GET, PUT and DELETE");
  const body = jsonBody(request);
  const name = nameOf(body["name"]);
  const type = body["type"] === undefined ? null : typeOf(body["type"]);
  store.remove(store.at(name).filter((record) => type === null || record.type === type));
  return { status: 204 };
}

function routeFaults(request: HttpRequest, faults: DnsFaults): LocalReply {
  if (request.method === "PUT") faults.replace(jsonBody(request));
  else if (request.method === "DELETE") faults.replace({});
  else if (request.method !== "GET") throw new Problem(405, "only GET, PUT and DELETE");
  return request.method === "DELETE" ? { status: 204 } : jsonReply(200, faults.list());
}

/** Replaces all records with one name and type. */
function putRecords(store: RecordStore, body: Record<string, unknown>): DnsRecord[] {
  const name = nameOf(body["name"]);
  const type = typeOf(body["type"]);
  const contents = [body["data"]].flat().map((data) => contentOf(type, data));
  store.remove(store.at(name).filter((record) => record.type === type));
  const proxied = body["proxied"] === true && { proxied: true };
  return contents.map((content) =>
    store.add(name, { ...content, ...proxied }, TTL_AUTOMATIC, null),
  );
}

function nameOf(value: unknown): string {
  const name = typeof value === "string" ? canonicalName(value) : null;
  if (name === null) throw new Problem(400, "name: is not an absolute host name");
  return name;
}

function typeOf(value: unknown): RecordType {
  const type = String(value).toUpperCase() as RecordType;
  if (!RECORD_TYPES.includes(type))
    throw new Problem(400, `type: is not one of ${RECORD_TYPES.join(", ")}`);
  return type;
}

function contentOf(type: RecordType, data: unknown): RecordContent {
  const content = type === "MX" ? exchangeOf(data) : { type, content: data };
  if (typeof content.content !== "string") throw new Problem(400, "data: is not a string");
  const parsed = { ...content, content: canonicalContent(type, content.content) };
  const problem = contentProblem(parsed);
  if (problem !== null) throw new Problem(400, `data: ${problem}`);
  return parsed;
}

function exchangeOf(data: unknown): { type: "MX"; content: unknown; priority: number } {
  if (typeof data === "string") {
    const [, preference, exchange] = /^([0-9]{1,5})\s+(\S+)$/.exec(data) ?? [];
    return { type: "MX", content: exchange, priority: Number(preference) };
  }
  const { preference, exchange } = (data ?? {}) as Record<string, unknown>;
  return { type: "MX", content: exchange, priority: preference as number };
}

function present(record: DnsRecord): Record<string, unknown> {
  const { id, name, type, content, priority, ttl, proxied } = record;
  return {
    id,
    name,
    type,
    data: type === "MX" ? { preference: priority, exchange: content } : content,
    ttl,
    ...(proxied && { proxied }),
  };
}
