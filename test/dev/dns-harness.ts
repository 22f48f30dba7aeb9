// Starts a local DNS server for each test, and asks it over HTTPS.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Answer, decode, encode, RECURSION_DESIRED } from "dns-packet";
import { afterEach, beforeEach, expect } from "vitest";
import { type DnsServer, startDns } from "../../tools/dev/dns/dns-server.ts";
import { serviceRecords } from "../../tools/dev/dns/service-zone.ts";

const ZONE = { id: "zone-1", name: "postern.test", token: "secret" };

let directory: string;
export let dns: DnsServer;

/** Starts a DNS server for each test of the calling file. */
export function useDns(): void {
  beforeEach(async () => {
    directory = mkdtempSync(join(tmpdir(), "dns-"));
    await start();
  });
  afterEach(async () => {
    await dns.close();
    rmSync(directory, { recursive: true });
  });
}

export async function start(): Promise<void> {
  dns = await startDns(0, directory, ZONE, serviceRecords(ZONE.name));
}

export async function call(
  path: string,
  method = "GET",
  body?: unknown,
  headers: Record<string, string> = {},
): Promise<Response> {
  return fetch(`http://127.0.0.1:${dns.port}${path}`, {
    method,
    headers,
    body: body === undefined ? null : JSON.stringify(body),
  });
}

export async function put(name: string, type: string, data: unknown): Promise<void> {
  const response = await call("/records", "PUT", { name, type, data });
  expect(await response.json()).toMatchObject({ records: expect.anything() });
}

export function queryFor(name: string, type: string, id = 7): Buffer {
  return encode({
    type: "query",
    id,
    flags: RECURSION_DESIRED,
    questions: [{ name, type: type as "A", class: "IN" }],
  });
}

export async function doh(
  body: Uint8Array,
  contentType = "application/dns-message",
): Promise<Response> {
  return fetch(`http://127.0.0.1:${dns.port}/dns-query`, {
    method: "POST",
    headers: { "content-type": contentType },
    body: new Uint8Array(body),
  });
}

/** Asks the DNS server for a record. Returns the reply's code and the records as text. */
export async function ask(name: string, type: string): Promise<string[]> {
  const response = await doh(queryFor(name, type));
  expect(response.headers.get("content-type")).toBe("application/dns-message");
  const packet = decode(Buffer.from(await response.arrayBuffer()));
  expect(packet).toMatchObject({ id: 7, type: "response", flag_aa: true, flag_qr: true });
  const { rcode } = packet as unknown as { rcode: string };
  return [rcode, ...(packet.answers ?? []).map(inWords)];
}

function inWords(answer: Answer): string {
  if (answer.type === "MX")
    return `${answer.name} MX ${answer.data.preference} ${answer.data.exchange}`;
  if (answer.type === "TXT")
    return `${answer.name} TXT ${[answer.data].flat().map(String).join("|")}`;
  return (
    `${answer.name} ${answer.type} ` +
    ("data" in answer && typeof answer.data === "string" ? answer.data : "")
  );
}
