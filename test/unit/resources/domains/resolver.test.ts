// Tests the resolver in src/resources/domains/resolver.ts.
import { fc } from "../../../support/properties.ts";
import { beforeEach, describe, expect, it, vi } from "vitest";
import { dnsResolver } from "../../../../src/resources/domains/resolver.ts";
import { settings } from "./calls.ts";
import { dnsReply, outsideOfEachTest } from "./outside.ts";

const LONG_TEXT = "x".repeat(700);

const outside = outsideOfEachTest();
const answerOf = (...values: string[]) => ({ kind: "answer", values });
const resolver = () => dnsResolver(settings.dnsResolverUrl);

beforeEach(() => {
  const strings = [LONG_TEXT.slice(0, 255), LONG_TEXT.slice(255, 510), LONG_TEXT.slice(510)];
  outside.zone.push(
    { type: "TXT", name: "end.example.org", data: "hello" },
    { type: "TXT", name: "end.example.org", data: '"split " "in two"' },
    { type: "MX", name: "end.example.org", data: "MX.example.org" },
    { type: "AAAA", name: "six.example.org", data: "2001:db8::1" },
    { type: "TXT", name: "long.example.org", data: strings.map((one) => `"${one}"`).join(" ") },
    { type: "TXT", name: "h12.far.example", data: "far away" },
  );
  const hops = Array.from({ length: 13 }, (_, hop) => `h${hop}.far.example`);
  for (const chain of [
    ["alias.example.com", "Next.Example.NET", "end.example.org"],
    ["next.example.net", "end.example.org"],
    ["dangling.example.com", "gone.example.com"],
    ["a.loop.example", "b.loop.example", "a.loop.example"],
    ["self.loop.example", "self.loop.example"],
    hops,
  ])
    for (const [at, data] of chain.slice(1).entries())
      outside.zone.push({ type: "CNAME", name: chain[at]!, data });
});

describe.each([true, false])("the resolver (its server follows aliases: %s)", (recursive) => {
  beforeEach(() => {
    outside.recursive = recursive;
  });

  it("distinguishes one hop from the end of the chain", async () => {
    const next = "next.example.net";
    expect((await resolver().aliases("Alias.example.com.", next)).names).toEqual([next]);
    const texts = answerOf("hello", "split in two");
    expect(await resolver().texts("alias.example.com")).toEqual(texts);
    const servers = answerOf("mx.example.org");
    expect(await resolver().mailServers("alias.example.com")).toEqual(servers);
    expect(await resolver().texts("h6.far.example")).toEqual(answerOf("far away"));
  });

  it("distinguishes a missing name from a missing record", async () => {
    expect(await resolver().texts("nowhere.example.com")).toEqual({ kind: "nxdomain" });
    expect(await resolver().texts("six.example.org")).toEqual({ kind: "nodata" });
    const end = await resolver().aliases("end.example.org", "elsewhere.example");
    expect(end).toEqual({ names: [], end: { kind: "nodata" } });
    expect(await resolver().texts("dangling.example.com")).toEqual({ kind: "nxdomain" });
  });

  it("ends loops and endless chains", async () => {
    for (const name of ["a.loop.example", "self.loop.example", "h0.far.example"]) {
      expect((await resolver().texts(name)).kind).toBe("failed");
      expect((await resolver().aliases(name, "elsewhere.example")).end.kind).toBe("failed");
    }
    expect(outside.questions.length).toBeLessThan(60);
  });

  it("finds an address of either family", async () => {
    expect((await resolver().addresses("x.track.postern.test")).kind).toBe("answer");
    expect(await resolver().addresses("six.example.org")).toEqual(answerOf("2001:db8::1"));
    expect(await resolver().addresses("end.example.org")).toEqual({ kind: "nodata" });
  });
});

it("the strings of a long TXT record are joined", async () => {
  expect(await resolver().texts("long.example.org")).toEqual(answerOf(LONG_TEXT));
});

describe("an unusable answer", () => {
  it.each([
    ["SERVFAIL", () => dnsReply(2, [], "x.example", "TXT"), "SERVFAIL"],
    ["REFUSED", () => dnsReply(5, [], "x.example", "TXT"), "REFUSED"],
    ["an unknown code", () => dnsReply(11, [], "x.example", "TXT"), "response code 11"],
    ["HTTP 500", () => new Response("oops", { status: 500 }), "the resolver answered HTTP 500"],
    [
      "a redirect",
      () => new Response(null, { status: 302, headers: { Location: "http://elsewhere.test/" } }),
      "the resolver answered HTTP 302",
    ],
    ["a page", () => new Response("<html>hello</html>"), "no readable answer"],
    ["nothing", () => new Response(""), "no readable answer"],
    ["no connection", () => Promise.reject(new TypeError("refused")), "no readable answer"],
    ["too much", () => new Response(new Uint8Array(70_000)), "no readable answer"],
  ])("is a failure with its reason: %s", async (_name, answer, reason) => {
    outside.onQuestion = answer;
    expect(await resolver().texts("x.example")).toEqual({ kind: "failed", reason });
  });

  it("that does not come in time is a failure", async () => {
    vi.restoreAllMocks();
    vi.spyOn(globalThis, "fetch").mockImplementation(
      (_input, init) =>
        new Promise((_resolve, reject) =>
          init?.signal?.addEventListener("abort", () => reject(new Error("aborted"))),
        ),
    );
    const late = dnsResolver(settings.dnsResolverUrl, 20).texts("x.example");
    expect(await late).toEqual({ kind: "failed", reason: "no answer in time" });
  });

  it("never crashes the resolver, whatever its bytes", async () => {
    const alias = { name: "x.example", type: "CNAME", ttl: 1, data: "y.example" } as const;
    const reply = dnsReply(0, [alias], "x.example", "TXT");
    const genuine = new Uint8Array(await reply.arrayBuffer());
    const mangled = fc
      .tuple(fc.nat(genuine.length - 1), fc.nat(255))
      .map(([at, byte]) => Uint8Array.from(genuine, (old, index) => (index === at ? byte : old)));
    await fc.assert(
      fc.asyncProperty(fc.oneof(fc.uint8Array({ maxLength: 200 }), mangled), async (bytes) => {
        outside.onQuestion = () => new Response(new Uint8Array(bytes));
        const found = await resolver().texts("x.example");
        expect(["answer", "nxdomain", "nodata", "failed"]).toContain(found.kind);
      }),
    );
  });
});
