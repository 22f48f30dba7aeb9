// Tests the local DNS server: its answers over HTTPS and UDP (TCP is in dns-tcp.test.ts), the
// records that customers publish through it, and the faults that it can imitate. The Cloudflare DNS
// API is in dns-api.test.ts.
import { createSocket } from "node:dgram";
import type { MxRecord } from "node:dns";
import { Resolver } from "node:dns/promises";
import { once } from "node:events";
import { decode } from "dns-packet";
import { describe, expect, it } from "vitest";
import { ask, call, dns, doh, put, queryFor, start, useDns } from "./dns-harness.ts";
import { LIMITS } from "../rings/test-limits.ts";

useDns();

/** Expects that the name has these records, and no others of the type. */
async function expectRecords(name: string, type: string, ...records: readonly string[]) {
  expect(await ask(name, type)).toEqual(["NOERROR", ...records.map((one) => `${name} ${one}`)]);
}

describe("DNS answers", () => {
  it("distinguish a name that does not exist from a name without such a record", async () => {
    await put("a.b.example.test", "A", "127.0.0.1");
    await expectRecords("a.b.example.test", "A", "A 127.0.0.1");
    expect(await ask("a.b.example.test", "AAAA")).toEqual(["NOERROR"]);
    expect(await ask("b.example.test", "A")).toEqual(["NOERROR"]);
    expect(await ask("c.b.example.test", "A")).toEqual(["NXDOMAIN"]);
    expect(await ask("x.a.b.example.test", "A")).toEqual(["NXDOMAIN"]);
    expect(await ask("else.invalid", "TXT")).toEqual(["NXDOMAIN"]);
  });

  it("follow wildcards as RFC 4592 says", async () => {
    await put("*.example.test", "TXT", "wild");
    await put("host1.example.test", "A", "127.0.0.1");
    await put("_tcp.host2.example.test", "TXT", "below");
    expect(await ask("Any.Example.test", "TXT")).toEqual(["NOERROR", "Any.Example.test TXT wild"]);
    await expectRecords("deep.any.example.test", "TXT", "TXT wild");
    expect(await ask("any.example.test", "A")).toEqual(["NOERROR"]);
    expect(await ask("host1.example.test", "TXT")).toEqual(["NOERROR"]);
    expect(await ask("host2.example.test", "TXT")).toEqual(["NOERROR"]);
    expect(await ask("_udp.host2.example.test", "TXT")).toEqual(["NXDOMAIN"]);
    expect(await ask("*.example.test", "TXT")).toEqual(["NOERROR", "*.example.test TXT wild"]);
    expect(await ask("example.test", "TXT")).toEqual(["NOERROR"]);
  });

  it("follow aliases within the answer, and show aliases that lead nowhere or in a circle", async () => {
    await put("bounces.example.test", "CNAME", "Label.Return-Path.postern.test.");
    const alias = "bounces.example.test CNAME label.return-path.postern.test";
    const mx = "label.return-path.postern.test MX 10 mx.postern.test";
    expect(await ask("bounces.example.test", "MX")).toEqual(["NOERROR", alias, mx]);
    expect(await ask("bounces.example.test", "CNAME")).toHaveLength(2);
    expect(await ask("bounces.example.test", "AAAA")).toEqual(["NOERROR", alias]);
    await put("dangling.example.test", "CNAME", "nothing.example.org");
    const dangling = "dangling.example.test CNAME nothing.example.org";
    expect(await ask("dangling.example.test", "TXT")).toEqual(["NXDOMAIN", dangling]);
    await put("one.example.test", "CNAME", "two.example.test");
    await put("two.example.test", "CNAME", "one.example.test");
    expect(await ask("one.example.test", "A")).toEqual(["SERVFAIL"]);
  });

  it("split long texts, and keep quoted character strings as they are", async () => {
    await put("long.example.test", "TXT", "x".repeat(300));
    await expectRecords("long.example.test", "TXT", `TXT ${"x".repeat(255)}|${"x".repeat(45)}`);
    await put("quoted.example.test", "TXT", '"one \\"1\\"" "two"');
    await expectRecords("quoted.example.test", "TXT", 'TXT one "1"|two');
  });

  it("contain the records that set-up publishes for the service's domain", async () => {
    const spf = "TXT v=spf1 include:spf.postern.test ~all";
    await expectRecords("l.return-path.postern.test", "TXT", spf);
    expect((await ask("spf.postern.test", "TXT"))[1]).toContain("v=spf1 ");
    await expectRecords("l.track.postern.test", "A", "A 127.0.0.1");
    expect(await ask("ps1.l.dkim.postern.test", "TXT")).toEqual(["NXDOMAIN"]);
  });

  it("are also given to GET; a body that is not a query is refused", async () => {
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
  it("replace those of the same name and type, and can be removed", async () => {
    await put("example.test", "TXT", ["one", "two"]);
    await put("example.test", "MX", { preference: 5, exchange: "mx.example.test" });
    await put("example.test", "TXT", "three");
    expect(await ask("example.test", "TXT")).toEqual(["NOERROR", "example.test TXT three"]);
    await put("example.test", "MX", "20 mx2.example.test");
    await expectRecords("example.test", "MX", "MX 20 mx2.example.test");
    const texts = { name: "example.test", type: "TXT" };
    expect((await call("/records", "DELETE", texts)).status).toBe(204);
    expect(await ask("example.test", "TXT")).toEqual(["NOERROR"]);
    await call("/records", "DELETE", { name: "Example.test." });
    expect(await ask("example.test", "MX")).toEqual(["NXDOMAIN"]);
  });

  it("are refused with the reason when they are invalid", async () => {
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
      const { error } = (await response.json()) as { error: { message: string } };
      expect(error.message).toContain(message);
    }
    expect(await ask("a.test", "A")).toEqual(["NXDOMAIN"]);
  });

  it("survive a restart", async () => {
    await put("example.test", "TXT", "kept");
    await dns.close();
    await start();
    expect(await ask("example.test", "TXT")).toEqual(["NOERROR", "example.test TXT kept"]);
    expect((await ask("l.return-path.postern.test", "MX")).length).toBe(2);
  });
});

describe("the DNS server over UDP, at the same port", () => {
  const resolver = (timeout = LIMITS.testTimeout) => {
    const asking = new Resolver({ timeout, tries: 1 });
    asking.setServers([`127.0.0.1:${dns.port}`]);
    return asking;
  };

  it("gives the same answers as over HTTPS, including null MX, errors and silence", async () => {
    await put("example.test", "MX", ["10 mx.example.test", "20 other.example.test"]);
    await put("null.test", "MX", "0 .");
    await put("mx.example.test", "AAAA", "::1");
    const words = ({ exchange, priority }: MxRecord) => `${priority} ${exchange}`;
    const servers = async (name: string) => (await resolver().resolveMx(name)).map(words).sort();
    expect(await servers("example.test")).toEqual(["10 mx.example.test", "20 other.example.test"]);
    expect(await servers("null.test")).toEqual(["0 "]);
    expect(await resolver().resolve6("mx.example.test")).toEqual(["::1"]);
    await expect(resolver().resolve4("mx.example.test")).rejects.toMatchObject({ code: "ENODATA" });
    await expect(resolver().resolveMx("nowhere.test")).rejects.toMatchObject({ code: "ENOTFOUND" });
    await call("/faults", "PUT", { dns_query: "servfail" });
    await expect(resolver().resolveMx("example.test")).rejects.toMatchObject({ code: "ESERVFAIL" });
    await call("/faults", "PUT", { dns_query: "hang" });
    const silent = resolver(500).resolveMx("example.test");
    await expect(silent).rejects.toMatchObject({ code: "ETIMEOUT" });
  });

  it("marks an answer that does not fit as truncated, and ignores a message that is not a query", async () => {
    await put("long.example.test", "TXT", "x".repeat(600));
    const socket = createSocket("udp4");
    const heard = once(socket, "message") as Promise<[Buffer]>;
    socket.send("nonsense", dns.port, "127.0.0.1");
    socket.send(queryFor("long.example.test", "TXT"), dns.port, "127.0.0.1");
    const [reply] = await heard;
    const questions = [{ name: "long.example.test" }];
    expect(decode(reply)).toMatchObject({ id: 7, flag_tc: true, answers: [], questions });
    socket.close();
  });
});

describe("the DNS server's faults", () => {
  const headers = { authorization: "Bearer secret" };

  it("make queries fail until a request removes the faults", async () => {
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

  it("fail API calls after a given number, by method", async () => {
    await call("/faults", "PUT", { api: { status: 500, after: 1, method: "post" } });
    const path = "/client/v4/zones/zone-1/dns_records";
    const record = (name: string) => ({ type: "TXT", name, content: "x" });
    expect((await call(path, "POST", record("a"), headers)).status).toBe(200);
    const failed = await call(path, "POST", record("b"), headers);
    expect([failed.status, await failed.json()]).toMatchObject([500, { success: false }]);
    expect((await call(path, "GET", undefined, headers)).status).toBe(200);
    expect(await ask("b.postern.test", "TXT")).toEqual(["NXDOMAIN"]);
  });

  it("fail only the queries about given domains", async () => {
    await put("a.broken.test", "A", "127.0.0.1");
    await call("/faults", "PUT", { dns_query: "servfail", dns_domains: ["Broken.test"] });
    expect(await ask("broken.test", "MX")).toEqual(["SERVFAIL"]);
    expect(await ask("A.broken.test", "A")).toEqual(["SERVFAIL"]);
    expect(await ask("unbroken.test", "A")).toEqual(["NXDOMAIN"]);
    expect(await ask("mx.postern.test", "A")).toHaveLength(2);
  });

  it("are refused with the reason when they are invalid", async () => {
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
