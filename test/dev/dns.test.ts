// The local DNS server over its doors: DNS over HTTPS and UDP (over TCP: dns-tcp.test.ts), the
// Cloudflare DNS API, and the records that customers publish.
import { createSocket } from "node:dgram";
import { Resolver } from "node:dns/promises";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Answer, decode, encode, RECURSION_DESIRED } from "dns-packet";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { type DnsServer, startDns } from "../../dev/dns/dns-server.ts";
import { serviceRecords } from "../../dev/dns/service-zone.ts";

const ZONE = { id: "zone-1", name: "postern.test", token: "secret" };

let directory: string;
let dns: DnsServer;

async function start(): Promise<void> {
  dns = await startDns(0, directory, ZONE, serviceRecords(ZONE.name));
}

beforeEach(async () => {
  directory = mkdtempSync(join(tmpdir(), "dns-"));
  await start();
});

afterEach(async () => {
  await dns.close();
  rmSync(directory, { recursive: true });
});

async function call(
  path: string,
  method = "GET",
  body?: unknown,
  headers: Record<string, string> = {},
): Promise<Response> {
  const signal = AbortSignal.timeout(5000);
  return fetch(`http://127.0.0.1:${dns.port}${path}`, {
    method,
    headers,
    signal,
    body: body === undefined ? null : JSON.stringify(body),
  });
}

async function put(name: string, type: string, data: unknown): Promise<void> {
  const response = await call("/records", "PUT", { name, type, data });
  expect(await response.json()).toMatchObject({ records: expect.anything() });
}

function queryFor(name: string, type: string): Buffer {
  return encode({
    type: "query",
    id: 7,
    flags: RECURSION_DESIRED,
    questions: [{ name, type: type as "A", class: "IN" }],
  });
}

async function doh(body: Uint8Array, contentType = "application/dns-message"): Promise<Response> {
  return fetch(`http://127.0.0.1:${dns.port}/dns-query`, {
    method: "POST",
    headers: { "content-type": contentType },
    body: new Uint8Array(body),
  });
}

/** The code of the reply and its answers in words. */
async function ask(name: string, type: string): Promise<string[]> {
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
  return `${answer.name} ${answer.type} ${"data" in answer && typeof answer.data === "string" ? answer.data : ""}`;
}

describe("answers", () => {
  it("tells a name that does not exist from one without such a record", async () => {
    await put("a.b.example.test", "A", "127.0.0.1");
    expect(await ask("a.b.example.test", "A")).toEqual(["NOERROR", "a.b.example.test A 127.0.0.1"]);
    expect(await ask("a.b.example.test", "AAAA")).toEqual(["NOERROR"]);
    expect(await ask("b.example.test", "A")).toEqual(["NOERROR"]);
    expect(await ask("c.b.example.test", "A")).toEqual(["NXDOMAIN"]);
    expect(await ask("x.a.b.example.test", "A")).toEqual(["NXDOMAIN"]);
    expect(await ask("else.invalid", "TXT")).toEqual(["NXDOMAIN"]);
  });

  it("follows wildcards as RFC 4592 says", async () => {
    await put("*.example.test", "TXT", "wild");
    await put("host1.example.test", "A", "127.0.0.1");
    await put("_tcp.host2.example.test", "TXT", "below");
    expect(await ask("Any.Example.test", "TXT")).toEqual(["NOERROR", "Any.Example.test TXT wild"]);
    expect(await ask("deep.any.example.test", "TXT")).toEqual([
      "NOERROR",
      "deep.any.example.test TXT wild",
    ]);
    expect(await ask("any.example.test", "A")).toEqual(["NOERROR"]);
    expect(await ask("host1.example.test", "TXT")).toEqual(["NOERROR"]);
    expect(await ask("host2.example.test", "TXT")).toEqual(["NOERROR"]);
    expect(await ask("_udp.host2.example.test", "TXT")).toEqual(["NXDOMAIN"]);
    expect(await ask("*.example.test", "TXT")).toEqual(["NOERROR", "*.example.test TXT wild"]);
    expect(await ask("example.test", "TXT")).toEqual(["NOERROR"]);
  });

  it("follows aliases within the answer, and says when they end in nothing or in a circle", async () => {
    await put("bounces.example.test", "CNAME", "Label.Return-Path.postern.test.");
    expect(await ask("bounces.example.test", "MX")).toEqual([
      "NOERROR",
      "bounces.example.test CNAME label.return-path.postern.test",
      "label.return-path.postern.test MX 10 mx.postern.test",
    ]);
    expect(await ask("bounces.example.test", "CNAME")).toHaveLength(2);
    expect(await ask("bounces.example.test", "AAAA")).toEqual([
      "NOERROR",
      "bounces.example.test CNAME label.return-path.postern.test",
    ]);
    await put("dangling.example.test", "CNAME", "nothing.example.org");
    expect(await ask("dangling.example.test", "TXT")).toEqual([
      "NXDOMAIN",
      "dangling.example.test CNAME nothing.example.org",
    ]);
    await put("one.example.test", "CNAME", "two.example.test");
    await put("two.example.test", "CNAME", "one.example.test");
    expect(await ask("one.example.test", "A")).toEqual(["SERVFAIL"]);
  });

  it("parts long texts, and takes those that come in quotes as they are parted", async () => {
    await put("long.example.test", "TXT", "x".repeat(300));
    expect(await ask("long.example.test", "TXT")).toEqual([
      "NOERROR",
      `long.example.test TXT ${"x".repeat(255)}|${"x".repeat(45)}`,
    ]);
    await put("quoted.example.test", "TXT", '"one \\"1\\"" "two"');
    expect(await ask("quoted.example.test", "TXT")).toEqual([
      "NOERROR",
      'quoted.example.test TXT one "1"|two',
    ]);
  });

  it("has what set-up publishes for the service's domain", async () => {
    expect(await ask("l.return-path.postern.test", "TXT")).toEqual([
      "NOERROR",
      "l.return-path.postern.test TXT v=spf1 include:spf.postern.test ~all",
    ]);
    expect((await ask("spf.postern.test", "TXT"))[1]).toContain("v=spf1 ");
    expect(await ask("l.track.postern.test", "A")).toEqual([
      "NOERROR",
      "l.track.postern.test A 127.0.0.1",
    ]);
    expect(await ask("ps1.l.dkim.postern.test", "TXT")).toEqual(["NXDOMAIN"]);
  });

  it("answers GET, and refuses what is no query", async () => {
    const url = `http://127.0.0.1:${dns.port}/dns-query?dns=`;
    const response = await fetch(url + queryFor("mx.postern.test", "A").toString("base64url"));
    expect(decode(Buffer.from(await response.arrayBuffer())).answers).toHaveLength(1);
    expect((await fetch(`${url}AAAA`)).status).toBe(400);
    expect((await fetch(url)).status).toBe(400);
    expect((await doh(queryFor("mx.postern.test", "A"), "text/plain")).status).toBe(415);
    expect((await doh(Buffer.from("nonsense"))).status).toBe(400);
  });
});

describe("records of customers", () => {
  it("replaces what stands at a name and type, and removes it", async () => {
    await put("example.test", "TXT", ["one", "two"]);
    await put("example.test", "MX", { preference: 5, exchange: "mx.example.test" });
    await put("example.test", "TXT", "three");
    expect(await ask("example.test", "TXT")).toEqual(["NOERROR", "example.test TXT three"]);
    await put("example.test", "MX", "20 mx2.example.test");
    expect(await ask("example.test", "MX")).toEqual([
      "NOERROR",
      "example.test MX 20 mx2.example.test",
    ]);
    expect((await call("/records", "DELETE", { name: "example.test", type: "TXT" })).status).toBe(
      204,
    );
    expect(await ask("example.test", "TXT")).toEqual(["NOERROR"]);
    await call("/records", "DELETE", { name: "Example.test." });
    expect(await ask("example.test", "MX")).toEqual(["NXDOMAIN"]);
  });

  it("says what is wrong with a record", async () => {
    const bad = [
      [{ name: "a b", type: "A", data: "127.0.0.1" }, "name:"],
      [{ name: "a.test", type: "SRV", data: "x" }, "type:"],
      [{ name: "a.test", type: "A", data: "::1" }, "data: content for an A record"],
      [{ name: "a.test", type: "MX", data: "mx.test" }, "data:"],
      [{ name: "a.test", type: "CNAME", data: "a..b" }, "data: content for a CNAME record"],
      [{ name: "a.test", type: "TXT" }, "data:"],
    ] as const;
    for (const [body, message] of bad) {
      const response = await call("/records", "PUT", body);
      expect(response.status).toBe(400);
      expect(((await response.json()) as { error: { message: string } }).error.message).toContain(
        message,
      );
    }
    expect(await ask("a.test", "A")).toEqual(["NXDOMAIN"]);
  });

  it("keeps records through a restart", async () => {
    await put("example.test", "TXT", "kept");
    await dns.close();
    await start();
    expect(await ask("example.test", "TXT")).toEqual(["NOERROR", "example.test TXT kept"]);
    expect((await ask("l.return-path.postern.test", "MX")).length).toBe(2);
  });
});

describe("the Cloudflare DNS API", () => {
  const TXT = {
    type: "TXT",
    name: "ps1.l.dkim.postern.test",
    content: '"v=DKIM1; p=abc"',
    ttl: 300,
    proxied: false,
  };

  async function api(
    path = "",
    method = "GET",
    body?: unknown,
    authorization = "Bearer secret",
  ): Promise<{ status: number; json: Envelope }> {
    const headers: Record<string, string> = authorization === "" ? {} : { authorization };
    const response = await call(
      `/client/v4/zones/zone-1/dns_records${path}`,
      method,
      body,
      headers,
    );
    return { status: response.status, json: (await response.json()) as Envelope };
  }

  interface Envelope {
    success: boolean;
    errors: { code: number; message: string }[];
    messages: unknown[];
    result: { id: string; name: string; content: string; modified_on: string } & { id: string }[];
    result_info?: Record<string, number>;
  }

  it("creates, gets, changes and deletes a record, which DNS has at once", async () => {
    const created = await api("", "POST", TXT);
    expect(created).toMatchObject({
      status: 200,
      json: {
        success: true,
        errors: [],
        messages: [],
        result: { ...TXT, zone_name: "postern.test" },
      },
    });
    const { id } = created.json.result;
    expect(id).toMatch(/^[0-9a-f]{32}$/);
    expect(await ask(TXT.name, "TXT")).toEqual(["NOERROR", `${TXT.name} TXT v=DKIM1; p=abc`]);
    expect((await api(`/${id}`)).json.result).toMatchObject(TXT);
    expect((await api(`/${id}`, "PATCH", { content: "v=DKIM1; p=def" })).json.result.content).toBe(
      "v=DKIM1; p=def",
    );
    expect((await api(`/${id}`, "PUT", { ...TXT, name: "ps2.l.dkim" })).json.result.name).toBe(
      "ps2.l.dkim.postern.test",
    );
    expect(await ask("ps2.l.dkim.postern.test", "TXT")).toHaveLength(2);
    expect(await api(`/${id}`, "DELETE")).toMatchObject({
      status: 200,
      json: { success: true, result: { id } },
    });
    expect(await api(`/${id}`, "DELETE")).toMatchObject({
      status: 404,
      json: { success: false, errors: [{ code: 81044 }] },
    });
    expect(await ask("ps2.l.dkim.postern.test", "TXT")).toEqual(["NXDOMAIN"]);
  });

  it("lists by name and type, page by page", async () => {
    for (const label of ["a", "b", "c"])
      await api("", "POST", { ...TXT, name: `${label}.dkim.postern.test` });
    await put("customer.test", "TXT", "not in this zone");
    const page = await api("?type=TXT&content=%22v%3DDKIM1%3B%20p%3Dabc%22&page=2&per_page=2");
    expect(page.json.result.map((record) => (record as unknown as { name: string }).name)).toEqual([
      "c.dkim.postern.test",
    ]);
    expect(page.json.result_info).toEqual({
      page: 2,
      per_page: 2,
      count: 1,
      total_count: 3,
      total_pages: 2,
    });
    expect((await api("?name=B.dkim.postern.test")).json.result).toHaveLength(1);
    expect((await api("?name=customer.test")).json.result).toEqual([]);
    expect((await api("?per_page=none")).status).toBe(400);
  });

  it("refuses what the real one refuses, with its codes", async () => {
    await api("", "POST", TXT);
    expect(await api("", "POST", TXT)).toMatchObject({
      status: 400,
      json: { success: false, result: null, errors: [{ code: 81058 }] },
    });
    expect(await api("", "POST", { ...TXT, type: "CNAME", content: "a.test" })).toMatchObject({
      status: 400,
      json: { errors: [{ code: 81053 }] },
    });
    expect(await api("", "POST", { ...TXT, ttl: 5 })).toMatchObject({
      status: 400,
      json: { errors: [{ code: 9021 }] },
    });
    expect(await api("", "POST", { ...TXT, name: "a..b" })).toMatchObject({
      status: 400,
      json: { errors: [{ code: 9000 }] },
    });
    expect(await api("", "POST", { ...TXT, type: "NOPE" })).toMatchObject({
      status: 400,
      json: { errors: [{ code: 9004 }] },
    });
    expect(await api("", "GET", undefined, "")).toMatchObject({
      status: 400,
      json: { success: false, errors: [{ code: 9106 }] },
    });
    expect(await api("", "GET", undefined, "Bearer other")).toMatchObject({
      status: 403,
      json: { success: false, errors: [{ code: 9109 }] },
    });
    const other = await call("/client/v4/zones/other/dns_records", "GET", undefined, {
      authorization: "Bearer secret",
    });
    expect(other.status).toBe(404);
  });
});

describe("over UDP, at the same port", () => {
  const resolver = () => {
    const asking = new Resolver({ timeout: 500, tries: 1 });
    asking.setServers([`127.0.0.1:${dns.port}`]);
    return asking;
  };

  it("answers as over HTTPS, null MX, errors and silence included", async () => {
    await put("example.test", "MX", ["10 mx.example.test", "20 other.example.test"]);
    await put("null.test", "MX", "0 .");
    await put("mx.example.test", "AAAA", "::1");
    const servers = async (name: string) =>
      (await resolver().resolveMx(name))
        .map(({ exchange, priority }) => `${priority} ${exchange}`)
        .sort();
    expect(await servers("example.test")).toEqual(["10 mx.example.test", "20 other.example.test"]);
    expect(await servers("null.test")).toEqual(["0 "]);
    expect(await resolver().resolve6("mx.example.test")).toEqual(["::1"]);
    await expect(resolver().resolve4("mx.example.test")).rejects.toMatchObject({ code: "ENODATA" });
    await expect(resolver().resolveMx("nowhere.test")).rejects.toMatchObject({ code: "ENOTFOUND" });
    await call("/faults", "PUT", { dns_query: "servfail" });
    await expect(resolver().resolveMx("example.test")).rejects.toMatchObject({ code: "ESERVFAIL" });
    await call("/faults", "PUT", { dns_query: "hang" });
    await expect(resolver().resolveMx("example.test")).rejects.toMatchObject({ code: "ETIMEOUT" });
  });

  it("says so when an answer does not fit, and nothing to what is no query", async () => {
    await put("long.example.test", "TXT", "x".repeat(600));
    const socket = createSocket("udp4");
    const heard = once(socket, "message") as Promise<[Buffer]>;
    socket.send("nonsense", dns.port, "127.0.0.1");
    socket.send(queryFor("long.example.test", "TXT"), dns.port, "127.0.0.1");
    const [reply] = await heard;
    expect(decode(reply)).toMatchObject({
      id: 7,
      flag_tc: true,
      answers: [],
      questions: [{ name: "long.example.test" }],
    });
    socket.close();
  });
});

describe("faults", () => {
  const headers = { authorization: "Bearer secret" };

  it("fails queries as it is told, until it is told no more", async () => {
    await call("/faults", "PUT", { dns_query: "servfail" });
    expect(await ask("mx.postern.test", "A")).toEqual(["SERVFAIL"]);
    await call("/faults", "PUT", { dns_query: "refuse" });
    expect(await ask("mx.postern.test", "A")).toEqual(["REFUSED"]);
    await call("/faults", "PUT", { dns_query: "hang" });
    const url = `http://127.0.0.1:${dns.port}/dns-query?dns=${queryFor("mx.postern.test", "A").toString("base64url")}`;
    await expect(fetch(url, { signal: AbortSignal.timeout(100) })).rejects.toThrow(/timeout/i);
    expect((await call("/faults", "DELETE")).status).toBe(204);
    expect(await ask("mx.postern.test", "A")).toHaveLength(2);
  });

  it("fails API calls after so many, by method", async () => {
    await call("/faults", "PUT", { api: { status: 500, after: 1, method: "post" } });
    const path = "/client/v4/zones/zone-1/dns_records";
    const record = (name: string) => ({ type: "TXT", name, content: "x" });
    expect((await call(path, "POST", record("a"), headers)).status).toBe(200);
    const failed = await call(path, "POST", record("b"), headers);
    expect([failed.status, await failed.json()]).toMatchObject([500, { success: false }]);
    expect((await call(path, "GET", undefined, headers)).status).toBe(200);
    expect(await ask("b.postern.test", "TXT")).toEqual(["NXDOMAIN"]);
  });

  it("fails the queries about some domains alone", async () => {
    await put("a.broken.test", "A", "127.0.0.1");
    await call("/faults", "PUT", { dns_query: "servfail", dns_domains: ["Broken.test"] });
    expect(await ask("broken.test", "MX")).toEqual(["SERVFAIL"]);
    expect(await ask("A.broken.test", "A")).toEqual(["SERVFAIL"]);
    expect(await ask("unbroken.test", "A")).toEqual(["NXDOMAIN"]);
    expect(await ask("mx.postern.test", "A")).toHaveLength(2);
  });

  it("says what is wrong with a fault", async () => {
    for (const body of [
      { dns_domains: "a.test" },
      { dns_domains: ["a..test"] },
      { dns_query: "explode" },
      { api: { status: 200 } },
      { api: { status: 500, after: -1 } },
      { api: 500 },
    ]) {
      expect((await call("/faults", "PUT", body)).status).toBe(400);
    }
  });
});
