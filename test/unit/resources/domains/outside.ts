// Fakes everything outside src/resources/domains: a zone with wildcards, served by DNS over HTTPS
// and changed through the records API of Cloudflare's DNS. Both receive the service's calls through
// globalThis.fetch.
import { Buffer } from "node:buffer";
import { type Answer, decode, encode } from "dns-packet";
import { beforeEach, vi } from "vitest";

export interface TestZoneRecord {
  readonly type: "A" | "AAAA" | "CNAME" | "MX" | "TXT";
  readonly name: string;
  readonly data: string;
}

const SERVICE_DOMAIN = "postern.test";

/** Records that set-up publishes once for the service (docs/dns.md). */
const SERVICE_RECORDS: readonly TestZoneRecord[] = [
  { type: "MX", name: `*.return-path.${SERVICE_DOMAIN}`, data: `mx.${SERVICE_DOMAIN}` },
  { type: "TXT", name: `*.return-path.${SERVICE_DOMAIN}`, data: "v=spf1 a:mx.postern.test -all" },
  { type: "A", name: `*.track.${SERVICE_DOMAIN}`, data: "192.0.2.1" },
];

const nothing = () => undefined;

/**
 * Returns fakes that begin anew before each test. The domains of these tests have the same two RSA
 * keys, because each new key costs a fifth of a second.
 */
export function outsideOfEachTest(): Outside {
  const outside = new Outside();
  beforeEach(() => {
    outside.begin();
    reuseKeys();
  });
  return outside;
}

const pairs: Promise<unknown>[] = [];

function reuseKeys(): void {
  const make = crypto.subtle.generateKey.bind(crypto.subtle) as (
    ...given: unknown[]
  ) => Promise<unknown>;
  let made = 0;
  const reuse = (...given: unknown[]): Promise<unknown> => (pairs[made++ % 2] ??= make(...given));
  vi.spyOn(crypto.subtle, "generateKey").mockImplementation(reuse as never);
}

export class Outside {
  /** Records published through the records API, by their ids. */
  readonly published = new Map<string, { type: string; name: string; content: string }>();
  /** All DNS records that were not made through the records API. */
  zone: TestZoneRecord[] = [...SERVICE_RECORDS];
  /** Calls of the records API, as `METHOD path`. */
  readonly apiCalls: string[] = [];
  readonly questions: string[] = [];
  /**
   * If one of these functions returns a response, that response replaces the answer of the records
   * API, or of the DNS resolver.
   */
  onApi: (request: Request, nth: number) => Response | undefined | Promise<Response | undefined> =
    nothing;
  onQuestion: (name: string, type: string) => Response | Promise<Response> | undefined = nothing;
  /** True: the resolver follows aliases itself, as public resolvers do. */
  recursive = true;

  /** Forgets all records, calls and answers, and replaces fetch. */
  begin(): void {
    this.published.clear();
    this.zone = [...SERVICE_RECORDS];
    this.apiCalls.length = 0;
    this.questions.length = 0;
    this.onApi = nothing;
    this.onQuestion = nothing;
    this.recursive = true;
    this.install();
  }

  /** Replaces fetch until vi.restoreAllMocks(). */
  install(): this {
    vi.spyOn(globalThis, "fetch").mockImplementation(async (input, init) => {
      const request = new Request(input, init);
      const { pathname } = new URL(request.url);
      return pathname === "/dns-query" ? this.#resolve(request) : this.#api(request);
    });
    return this;
  }

  /** Publishes in DNS the records that the API shows, as a customer would. */
  publish(registrable: string, records: readonly { name: string; value: string }[]): void {
    for (const { name, value } of records)
      this.zone.push({ type: "CNAME", name: `${name}.${registrable}`, data: value });
  }

  /** Publishes the records of a domain that is onboarded to Cloudflare's Email Service. */
  onboard(domain: string): void {
    const host = `cf-bounce.${domain}`;
    for (const nth of [1, 2, 3])
      this.zone.push({ type: "MX", name: host, data: `route${nth}.mx.cloudflare.net` });
    const key = "v=DKIM1; h=sha256; k=rsa; p=MIIB";
    this.zone.push(
      { type: "TXT", name: host, data: "v=spf1 include:_spf.mx.cloudflare.net ~all" },
      { type: "TXT", name: `cf-bounce._domainkey.${domain}`, data: key },
    );
  }

  remove(type: TestZoneRecord["type"], name: string): void {
    this.zone = this.zone.filter((record) => record.type !== type || record.name !== name);
  }

  async #api(request: Request): Promise<Response> {
    const { pathname, searchParams } = new URL(request.url);
    this.apiCalls.push(`${request.method} ${pathname}`);
    const odd = await this.onApi(request, this.apiCalls.length);
    if (odd) return odd;
    const prefix = "/client/v4/zones/zone-for-tests/dns_records";
    if (
      !pathname.startsWith(prefix) ||
      request.headers.get("Authorization") !== "Bearer dns-token-for-tests"
    )
      return apiError(403);
    if (request.method === "POST") return this.create(await request.json());
    if (request.method === "GET") {
      const found = [...this.published].filter(
        ([, record]) =>
          record.type === searchParams.get("type") && record.name === searchParams.get("name"),
      );
      return Response.json({
        success: true,
        result: found.map(([id, record]) => Object.assign({ id }, record)),
      });
    }
    const id = pathname.slice(prefix.length + 1);
    return this.published.delete(id)
      ? Response.json({ success: true, result: { id } })
      : apiError(404);
  }

  create(record: { type: string; name: string; content: string }): Response {
    const id = crypto.randomUUID().replaceAll("-", "");
    this.published.set(id, record);
    return Response.json({ success: true, errors: [], result: { id, ...record } });
  }

  async #resolve(request: Request): Promise<Response> {
    const query = decode(Buffer.from(await request.arrayBuffer()));
    const question = query.questions?.[0];
    if (!question || request.headers.get("Content-Type") !== "application/dns-message")
      return new Response(null, { status: 400 });
    this.questions.push(`${question.type} ${question.name}`);
    const odd = await this.onQuestion(question.name, question.type);
    if (odd) return odd;
    const answers: Answer[] = [];
    let name = question.name.toLowerCase();
    let here = this.#at(name);
    for (;;) {
      answers.push(
        ...here
          .filter((record) => record.type === question.type)
          .map((record) => toAnswer(name, record)),
      );
      const alias = here.find((record) => record.type === "CNAME");
      if (question.type === "CNAME" || !alias) break;
      answers.push(toAnswer(name, alias));
      name = alias.data;
      here = this.#at(name);
      if (!this.recursive || answers.length > 20) break;
    }
    return dnsReply(
      answers.length === 0 && here.length === 0 ? 3 : 0,
      answers,
      question.name,
      question.type,
    );
  }

  #at(name: string): TestZoneRecord[] {
    const texts = Array.from(
      this.published.values(),
      ({ name: at, content }) => ({ type: "TXT", name: at, data: content }) as const,
    );
    const all = [...this.zone, ...texts];
    const exact = all.filter((record) => record.name === name);
    return exact.length > 0
      ? exact
      : all.filter((record) => record.name === `*.${name.split(".").slice(1).join(".")}`);
  }
}

export function dnsReply(rcode: number, answers: Answer[], name: string, type: string): Response {
  const packet = {
    type: "response" as const,
    id: 0,
    flags: 0x180 | rcode,
    questions: [{ name, type: type as "A" }],
    answers,
  };
  return new Response(new Uint8Array(encode(packet)), {
    headers: { "Content-Type": "application/dns-message" },
  });
}

function apiError(status: number): Response {
  return Response.json(
    { success: false, errors: [{ code: 81_044, message: "no" }], result: null },
    { status },
  );
}

function toAnswer(name: string, record: TestZoneRecord): Answer {
  if (record.type === "MX")
    return { name, type: "MX", ttl: 60, data: { preference: 10, exchange: record.data } };
  if (record.type === "TXT")
    return { name, type: "TXT", ttl: 60, data: characterStrings(record.data) };
  return { name, type: record.type, ttl: 60, data: record.data };
}

/** Parses a TXT value: strings in quotes as in RFC 1035, or one string without quotes. */
function characterStrings(content: string): string[] {
  const strings = [...content.matchAll(/"([^"]*)"/g)].map((match) => match[1] ?? "");
  return strings.length > 0 ? strings : [content];
}
