// Reads and writes the zone with the service's records through Cloudflare's DNS API (docs/dns.md
// §The records API). It lists the records of a name, and creates, replaces or removes a record.
import {
  codeOf,
  isRefusedRight,
  NO_ROUTE,
  RECORD_EXISTS,
  ZONE_FULL,
} from "./account/cloudflare-codes.ts";
import { type JsonResponse, call, member, NoHttpResponse, errorTextOf } from "./json-call.ts";
import { CallProblem } from "./setup-problem.ts";

export interface ZoneRecord {
  readonly id: string;
  readonly type: string;
  readonly name: string;
  /**
   * The text of a TXT record without quotes. For other types, the host that the record names, in
   * lower case.
   */
  readonly content: string;
  readonly priority: number | null;
}

export interface NewRecord {
  readonly type: string;
  readonly name: string;
  readonly content: string;
  readonly priority?: number;
  readonly proxied?: boolean;
}

export interface Zone {
  readonly id: string;
  /** The zone's name. Null means that the token may not read the name. */
  readonly name: string | null;
}

const TTL_AUTOMATIC = 1;
const AGAIN = "run this again: completed steps are kept";
const PER_PAGE = 100;
const LIST_PAGE = 500;
const MOST_PAGES = 20;
const NEEDS = "Zone · DNS · Edit for the domain's zone";

export class DnsApi {
  readonly #url: string;
  readonly #token: string;

  constructor(url: string, token: string) {
    this.#url = url.replace(/\/$/, "");
    this.#token = token;
  }

  /**
   * Returns the zone with the given id. If `id` is undefined, returns the zone that contains the
   * service domain. Throws a SetupProblem if the token can't read such a zone.
   */
  async findZone(id: string | undefined, serviceDomain: string): Promise<Zone> {
    if (id !== undefined) return this.#zoneOf(id);
    const labels = serviceDomain.split(".");
    for (let cut = 0; cut < labels.length - 1; cut += 1) {
      const name = labels.slice(cut).join(".");
      const answer = await this.#ask("GET", `/zones?name=${encodeURIComponent(name)}`);
      this.#refuse(answer, "GET /zones");
      const found = listOf(answer).find((zone) => member(zone, "name") === name);
      if (found !== undefined) return { id: textMember(found, "id"), name };
    }
    throw new CallProblem(
      `no zone that the DNS token can read contains ${serviceDomain}`,
      `add the domain to Cloudflare, give the token the permission ${NEEDS}, or set DNS_ZONE_ID`,
    );
  }

  async #zoneOf(id: string): Promise<Zone> {
    const answer = await this.#ask("GET", `/zones/${encodeURIComponent(id)}`);
    if (answer.status === 403) return { id, name: null };
    this.#refuse(answer, `GET /zones/${id}`);
    const name = member(answer.json, "result", "name");
    return { id, name: typeof name === "string" ? name.toLowerCase() : null };
  }

  async at(zone: Zone, name: string): Promise<ZoneRecord[]> {
    const answer = await this.#ask(
      "GET",
      `/zones/${zone.id}/dns_records?name=${encodeURIComponent(name)}&per_page=${PER_PAGE}`,
    );
    this.#refuse(answer, `reading the records of ${name}`);
    // The records are filtered by name again, because the API may ignore the name in the query.
    return listOf(answer)
      .map(toRecord)
      .filter((record) => record.name === name);
  }

  /** Returns the proxied records of the zone: Cloudflare's network answers for their names. */
  async proxied(zone: Zone): Promise<readonly ZoneRecord[]> {
    const found: ZoneRecord[] = [];
    for (let page = 1; page <= MOST_PAGES; page += 1) {
      const query = `page=${page}&per_page=${LIST_PAGE}`;
      const answer = await this.#ask("GET", `/zones/${zone.id}/dns_records?${query}`);
      this.#refuse(answer, "reading the zone's records");
      const listed = listOf(answer);
      found.push(...listed.filter((one) => member(one, "proxied") === true).map(toRecord));
      if (listed.length < LIST_PAGE) break;
    }
    return found;
  }

  /** Returns the zone's quota and number of records, or null if the API does not report them. */
  async room(zone: Zone): Promise<{ readonly quota: number; readonly used: number } | null> {
    const answer = await this.#ask("GET", `/zones/${zone.id}/dns_records/usage`);
    const quota = member(answer.json, "result", "record_quota");
    const used = member(answer.json, "result", "record_usage");
    return typeof quota === "number" && typeof used === "number" ? { quota, used } : null;
  }

  /**
   * Creates a record. Also succeeds if an identical record exists, because another run may have
   * created it in the meantime.
   */
  async create(zone: Zone, record: NewRecord): Promise<void> {
    const answer = await this.#ask("POST", `/zones/${zone.id}/dns_records`, toBody(record));
    if (codeOf(answer) !== RECORD_EXISTS)
      this.#refuse(answer, `publishing ${record.type} ${record.name}`);
  }

  async replace(zone: Zone, id: string, record: NewRecord): Promise<void> {
    const answer = await this.#ask("PUT", `/zones/${zone.id}/dns_records/${id}`, toBody(record));
    this.#refuse(answer, `changing ${record.type} ${record.name}`);
  }

  async remove(zone: Zone, record: ZoneRecord): Promise<void> {
    const answer = await this.#ask("DELETE", `/zones/${zone.id}/dns_records/${record.id}`);
    if (answer.status !== 404) this.#refuse(answer, `removing ${record.type} ${record.name}`);
  }

  async #ask(method: string, path: string, body?: unknown): Promise<JsonResponse> {
    if (this.#token === "")
      throw new CallProblem(
        "DNS_API_TOKEN is missing",
        `set DNS_API_TOKEN: it needs the permission ${NEEDS}`,
      );
    const answer = await call(method, `${this.#url}${path}`, { token: this.#token, body });
    if (!(answer instanceof NoHttpResponse)) return answer;
    throw new CallProblem(
      `the DNS API at ${this.#url} does not answer: ${answer.message}`,
      "check DNS_API_URL and the network, then run this again",
    );
  }

  #refuse(answer: JsonResponse, what: string): void {
    if (answer.status < 300 && member(answer.json, "success") === true) return;
    throw new CallProblem(`${what}: the DNS API answered ${errorTextOf(answer)}`, mendOf(answer));
  }
}

function mendOf(answer: JsonResponse): string {
  if (codeOf(answer) === ZONE_FULL)
    return `remove records of the zone, or upgrade its plan; then ${AGAIN}`;
  return isRefusedRight(answer) || codeOf(answer) === NO_ROUTE
    ? `DNS_API_TOKEN needs the permission ${NEEDS}; DNS_ZONE_ID must be the id of that zone`
    : AGAIN;
}

/** Returns a TXT record's text. The API gives it without quotes, or as strings in quotes. */
export function textOf(content: string): string {
  const strings = content.match(/\s*"(?:[^"\\]|\\.)*"/gy);
  return strings
    ? strings.map((text) => text.trimStart().slice(1, -1).replace(/\\(.)/g, "$1")).join("")
    : content;
}

function listOf({ json }: JsonResponse): unknown[] {
  const result = member(json, "result");
  return Array.isArray(result) ? result : [];
}

function toRecord(value: unknown): ZoneRecord {
  const type = textMember(value, "type");
  const content = textMember(value, "content");
  const priority = member(value, "priority");
  return {
    id: textMember(value, "id"),
    type,
    name: textMember(value, "name").toLowerCase(),
    content: type === "TXT" ? textOf(content) : content.toLowerCase().replace(/\.$/, ""),
    priority: typeof priority === "number" ? priority : null,
  };
}

function textMember(value: unknown, name: string): string {
  const found = member(value, name);
  return typeof found === "string" ? found : "";
}

function toBody({
  type,
  name,
  content,
  priority,
  proxied = false,
}: NewRecord): Record<string, unknown> {
  return {
    type,
    name,
    content: type === "TXT" ? quoteText(content) : content,
    ttl: TTL_AUTOMATIC,
    proxied,
    ...(priority === undefined ? {} : { priority }),
    comment: "postern",
  };
}

/**
 * Splits a text into quoted character strings of at most 255 bytes (RFC 1035 §3.3.14). The text
 * must not contain quotes or backslashes.
 */
function quoteText(text: string): string {
  return (text.match(/.{1,255}/g) ?? [""]).map((part) => `"${part}"`).join(" ");
}
