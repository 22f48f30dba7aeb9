// Tests the local DNS server over TCP (RFC 7766), which uses the same port as its HTTP: pipelined
// queries, long answers, broken connections, and HTTP requests at the same time.
import { Resolver } from "node:dns/promises";
import { once } from "node:events";
import { Agent, type IncomingMessage, request } from "node:http";
import { connect, createServer } from "node:net";
import { setImmediate as immediate } from "node:timers/promises";
import { decode } from "dns-packet";
import { expect, it } from "vitest";
import { listenOnLoopback } from "../../tools/harness/loopback.ts";
import { answerTcp } from "../../tools/dev/dns/dns-over-tcp.ts";
import { call, dns, put, queryFor, useDns } from "./dns-harness.ts";
import { LIMITS } from "../rings/test-limits.ts";

useDns();

function frame(...queries: Buffer[]): Buffer {
  const lengthOf = ({ length }: Buffer) => Buffer.from([length >> 8, length & 0xff]);
  return Buffer.concat(queries.flatMap((query) => [lengthOf(query), query]));
}

function* messagesIn(bytes: Buffer): Generator<Buffer> {
  for (let at = 0; at + 2 <= bytes.length; at += 2 + bytes.readUInt16BE(at))
    yield bytes.subarray(at + 2, at + 2 + bytes.readUInt16BE(at));
}

/** Writes the pieces one by one. Returns all replies until the server closes the connection. */
async function converse(...pieces: Buffer[]): Promise<ReturnType<typeof decode>[]> {
  const socket = connect(dns.port, "127.0.0.1");
  socket.setNoDelay(true);
  const heard: Buffer[] = [];
  socket.on("data", (chunk: Buffer) => heard.push(chunk));
  for (const piece of pieces) {
    socket.write(piece);
    await immediate();
  }
  socket.end();
  await once(socket, "close");
  return Array.from(messagesIn(Buffer.concat(heard)), (message) => decode(message));
}

it("the DNS server over TCP gives a resolver the complete answer that UDP truncated", async () => {
  const texts = Array.from({ length: 20 }, (_, index) => `${index}-${"x".repeat(200)}`);
  await put("long.example.test", "TXT", texts);
  const resolver = new Resolver({ timeout: LIMITS.testTimeout, tries: 1 });
  resolver.setServers([`127.0.0.1:${dns.port}`]);
  const found = await resolver.resolveTxt("long.example.test");
  expect(found.map((strings) => strings.join("")).sort()).toEqual(texts.sort());
});

it("the DNS server over TCP answers every query of a connection, whether sent in one piece or octet by octet", async () => {
  await put("a.example.test", "TXT", "a");
  await put("b.example.test", "TXT", "b");
  const pipelined = frame(
    queryFor("a.example.test", "TXT", 1),
    queryFor("b.example.test", "TXT", 2),
    queryFor("nowhere.test", "TXT", 3),
  );
  const octets = Array.from(frame(queryFor("b.example.test", "TXT", 4)), (octet) =>
    Buffer.of(octet),
  );
  const replies = await converse(pipelined, ...octets);
  const told = replies.map(({ id, answers = [] }) => {
    const texts = answers.map((one) => (one.type === "TXT" ? String(one.data) : one.type));
    return `${id}: ${texts.join()}`;
  });
  expect(told).toEqual(["1: a", "2: b", "3: ", "4: b"]);
});

it("the DNS server over TCP truncates only an answer that is too long for the two octets of its length", async () => {
  await put("long.example.test", "TXT", "x".repeat(60_000));
  await put("longer.example.test", "TXT", ["x".repeat(60_000), "y".repeat(6_000)]);
  const longest = { name: "longest.example.test", type: "TXT", data: "x".repeat(65_535) };
  expect((await call("/records", "PUT", longest)).status).toBe(400);
  const queries = ["long", "longer"].map((name) => queryFor(`${name}.example.test`, "TXT"));
  const [long, longer] = await converse(frame(...queries));
  expect(long).toMatchObject({ flag_tc: false, answers: [{ name: "long.example.test" }] });
  expect(longer).toMatchObject({ flag_tc: true, answers: [] });
});

it("the DNS server over TCP sends no answer to a query that a fault holds back, and answers the next query", async () => {
  await put("a.example.test", "TXT", "a");
  await call("/faults", "PUT", { dns_query: "hang", dns_domains: ["broken.test"] });
  const [held, answered] = [
    queryFor("broken.test", "TXT", 1),
    queryFor("a.example.test", "TXT", 2),
  ];
  const replies = await converse(frame(held, answered));
  expect(replies.map(({ id }) => id)).toEqual([2]);
});

it("the DNS server over TCP closes a connection that carries no DNS, and an idle one", async () => {
  const junk = connect(dns.port, "127.0.0.1");
  junk.write(frame(Buffer.from("no query")));
  await once(junk, "close");
  const idle = createServer((socket) => answerTcp(socket, () => null, 20));
  const silent = connect(await listenOnLoopback(idle), "127.0.0.1");
  silent.resume();
  await once(silent, "close");
  idle.close();
  expect([junk.destroyed, silent.destroyed]).toEqual([true, true]);
});

it("the DNS server over TCP serves HTTP on the same port: several requests on a connection, and a large body", async () => {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  const padding = " ".repeat(2_000_000);
  const statuses: number[] = [];
  const server = { agent, port: dns.port, host: "127.0.0.1" };
  for (const name of ["large.test", "small.test"]) {
    const outgoing = request({ ...server, path: "/records", method: "PUT" });
    const record = JSON.stringify({ name, type: "TXT", data: "z" });
    outgoing.end(name === "large.test" ? record + padding : record);
    const [incoming] = (await once(outgoing, "response")) as [IncomingMessage];
    statuses.push(incoming.statusCode ?? 0);
    incoming.resume();
    await once(incoming, "end");
  }
  agent.destroy();
  expect(statuses).toEqual([200, 200]);
  const [large] = await converse(frame(queryFor("large.test", "TXT")));
  expect(large).toMatchObject({ answers: [{ name: "large.test" }] });
});
