// Tests the rule for a request's Host header (tools/dev/loopback-host.ts). The inbox and the DNS
// server both enforce it.
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { type IncomingMessage, request } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { type DnsServer, startDns } from "../../tools/dev/dns/dns-server.ts";
import { type Inbox, startInbox } from "../../tools/dev/inbox/inbox.ts";
import { isLoopbackHost } from "../../tools/dev/loopback-host.ts";

const directory = mkdtempSync(join(tmpdir(), "hosts-"));
let inbox: Inbox;
let dns: DnsServer;

beforeAll(async () => {
  inbox = await startInbox({ http: 0, mx: 0 }, join(directory, "inbox"));
  dns = await startDns(0, join(directory, "dns"), {
    id: "zone-1",
    name: "postern.test",
    token: "secret",
  });
});

afterAll(async () => {
  await Promise.all([inbox.close(), dns.close()]);
  rmSync(directory, { recursive: true });
});

async function get(
  port: number,
  path: string,
  host: string,
  method = "GET",
): Promise<{ status: number; text: string }> {
  const outgoing = request({ port, host: "127.0.0.1", path, method, headers: { host } }).end();
  const [incoming] = (await once(outgoing, "response")) as [IncomingMessage];
  const text = (await incoming.setEncoding("utf8").toArray()).join("");
  return { status: incoming.statusCode ?? 0, text };
}

it.each([
  "localhost",
  "LocalHost:8025",
  "localhost.",
  "mail.localhost:1",
  "127.0.0.1",
  "127.0.0.1:8053",
  "127.8.9.10:80",
  "[::1]",
  "[::1]:8025",
])("the rule accepts the Host %s as this machine", (host) => {
  expect(isLoopbackHost(host)).toBe(true);
});

it.each([
  undefined,
  "",
  ":8025",
  "evil.test",
  "evil.test:8025",
  "127.0.0.1.evil.test",
  "127.evil.test:8025",
  "localhost.evil.test",
  "notlocalhost",
  "[::2]:8025",
  "[::1].evil.test",
  "10.0.0.1",
  "0.0.0.0:8025",
  "evil.test@127.0.0.1",
  "127.0.0.1:80:90",
])("the rule rejects the Host %s as another machine", (host) => {
  expect(isLoopbackHost(host)).toBe(false);
});

it.each([
  ["the inbox", () => inbox.httpPort, ["/", "/api/messages", "/api/rules"]],
  ["the DNS server", () => dns.port, ["/records", "/faults", "/dns-query?dns=AAAA"]],
] as const)(
  "%s answers 403 to a request for another host, and does nothing",
  async (_, port, paths) => {
    for (const path of paths) {
      const { status, text } = await get(port(), path, "rebound.evil.test:8025");
      expect([path, status]).toEqual([path, 403]);
      expect(JSON.parse(text)).toEqual({
        error: { message: expect.stringContaining("this request is for rebound.evil.test:8025") },
      });
    }
    expect((await get(port(), "/api/messages", "evil.test", "DELETE")).status).toBe(403);
    expect((await get(port(), paths[1], "inbox.localhost")).status).toBe(200);
  },
);
