// Tests how the SPF record of a domain's return-path is judged
// (src/resources/domains/policies/spf-policy.ts, spf-terms.ts).
import { beforeEach, describe, expect, it } from "vitest";
import { judgeSpf } from "../../../../src/resources/domains/policies/spf-policy.ts";
import { dnsResolver } from "../../../../src/resources/domains/resolver.ts";
import type { CourierName } from "../../../../src/settings.ts";
import { settings } from "./calls.ts";
import { dnsReply, outsideOfEachTest } from "./outside.ts";

const DOMAIN = { name: "shop.example", targetLabel: "label" };
const HOST = "bounces.shop.example";
const TARGET = "label.return-path.postern.test";
const REMEDY = `Publish one CNAME record at ${HOST}, with the value ${TARGET}.`;

const outside = outsideOfEachTest();

const judge = (courier: CourierName = "gateway") =>
  judgeSpf(dnsResolver(settings.dnsResolverUrl), DOMAIN, "postern.test", courier);

async function expectVerdict(verdict: string, words: string, courier?: CourierName) {
  const { status, message } = await judge(courier);
  expect(status).toBe(verdict);
  expect(message).toContain(words);
}

const text = (name: string, ...values: string[]) =>
  outside.zone.push(...values.map((data) => ({ type: "TXT" as const, name, data })));

const publishAlias = () => outside.zone.push({ type: "CNAME", name: HOST, data: TARGET });

/** Publishes the service's SPF record, and an alias from the domain's return-path to it. */
function setService(...policies: string[]): void {
  outside.remove("TXT", "*.return-path.postern.test");
  text("*.return-path.postern.test", ...policies);
  publishAlias();
}

describe("the SPF of a domain whose mail leaves by the service's own return-path", () => {
  it("is ok when the name leads to the service's record", async () => {
    publishAlias();
    expect(await judge()).toEqual({
      status: "ok",
      host: HOST,
      found: ["v=spf1 a:mx.postern.test -all"],
      message:
        `${HOST} has one SPF record, this service's own. It uses 1 of the 10 DNS lookups that ` +
        "receivers allow.",
    });
  });

  it("says of a relay that DNS does not show whether the record admits it", async () => {
    publishAlias();
    await expectVerdict("ok", "not show whether it admits your relay's addresses.", "smtp");
  });

  it("is missing when the name has no SPF record, and says what to publish", async () => {
    text(HOST, "v=spf10 all", "hello");
    expect(await judge()).toEqual({
      status: "missing",
      host: HOST,
      found: ["v=spf10 all", "hello"],
      message: `${HOST} has no SPF record, so SPF does not pass for this domain's mail. ${REMEDY}`,
    });
  });

  it("is wrong when the name has several SPF records", async () => {
    setService("v=spf1 -all", "v=spf1 a -all");
    const { status, found, message } = await judge();
    expect([status, found]).toEqual(["wrong", ["v=spf1 -all", "v=spf1 a -all"]]);
    expect(message).toContain(`${HOST} has 2 SPF records where one is allowed`);
  });

  it("is wrong when the record is another than the service's", async () => {
    text(HOST, "v=spf1 include:other.example -all");
    await expectVerdict("wrong", `${HOST} has an SPF record of its own`);
    await expectVerdict("wrong", REMEDY);
  });

  it("is ok when the name has the service's record without the CNAME", async () => {
    text(HOST, "v=spf1 a:mx.postern.test -all");
    expect((await judge()).status).toBe("ok");
  });

  it("is wrong when the aliases lead in a circle", async () => {
    outside.zone.push({ type: "CNAME", name: HOST, data: HOST });
    expect(await judge()).toMatchObject({
      status: "wrong",
      message: `${HOST} leads to no record: an alias loop. ${REMEDY}`,
    });
  });

  it.each([HOST, TARGET])("is unknown with the reason while DNS fails for %s", async (failing) => {
    text(HOST, "v=spf1 -all");
    outside.onQuestion = (name, type) =>
      name === failing ? dnsReply(2, [], name, type) : undefined;
    expect(await judge()).toMatchObject({
      status: "unknown",
      host: HOST,
      message:
        `DNS could not be queried for ${failing}: SERVFAIL. Ask again in a minute. If DNS still ` +
        "gives no answer, check the name servers of the zone.",
    });
  });

  it.each([
    ..."v=spf1 ipv4:192.0.2.1 -all|v=spf1 include -all|v=spf1 include: -all".split("|"),
    ..."v=spf1 all:x.example|v=spf1 192.0.2.1".split("|"),
    "v=spf1 -all \u0007",
    "v=spf1 +redirect=x.example",
  ])("is wrong for the term that SPF does not know in %j", async (policy) => {
    setService(policy);
    const { status, message } = await judge();
    expect(status).toBe("wrong");
    expect(message).toMatch(
      /^The SPF record of \S+ has the term "[\x20-\x7e]+", which SPF does not/,
    );
  });

  it("warns of a record that lets every host send", async () => {
    setService("v=spf1 a +all");
    await expectVerdict("warn", "ends in +all");
  });
});

describe("the DNS look-ups of an SPF record", () => {
  it.each([
    [0, "v=spf1 ip4:192.0.2.0/24 ip6:2001:db8::/32 -all"],
    [5, "v=spf1 A MX a:x.example/24//64 exists:%{i}.x.example ptr ~all"],
    [1, "v=spf1 unknown=value exp=x.example include:%{d}.example ?all"],
    [0, "v=spf1 -all include:after.example redirect=after.example"],
    [3, "v=spf1  include:one.example"],
    [3, "v=spf1 redirect=one.example"],
  ])("are %i for %s", async (count, policy) => {
    setService(policy);
    text("one.example", "v=spf1 a mx -all");
    await expectVerdict("ok", ` uses ${count} of the 10 DNS lookups`);
  });

  it("are counted in included records too, up to the limit of ten", async () => {
    text("nine.example", `v=spf1${" a".repeat(9)} -all`);
    setService("v=spf1 include:nine.example -all");
    expect((await judge()).status).toBe("ok");
    setService("v=spf1 mx include:nine.example -all");
    await expectVerdict("wrong", "needs more DNS look-ups than the 10 that receivers make");
  });

  it("end for records that include each other", async () => {
    text("a.example", "v=spf1 include:b.example");
    text("b.example", "v=spf1 include:a.example include:b.example");
    setService("v=spf1 include:a.example -all");
    expect((await judge()).status).toBe("wrong");
    expect(outside.questions.length).toBeLessThan(30);
  });

  it.each([
    ["include:gone.example leads to no SPF record", "include:gone.example"],
    ["include:two.example leads to 2 SPF records", "include:two.example"],
    ['include:odd.example leads to a record with the unknown term "x"', "include:odd.example"],
    ["redirect=gone.example leads to no SPF record", "redirect=gone.example"],
  ])("end in an error when %s", async (problem, term) => {
    text("two.example", "v=spf1 -all", "v=spf1 a");
    text("odd.example", "v=spf1 x");
    setService(`v=spf1 ${term}`);
    expect(await judge()).toMatchObject({
      status: "wrong",
      message: `The SPF record of ${HOST} ends in an error: ${problem}. Remove that term.`,
    });
  });

  it("are unknown while DNS fails for an included record", async () => {
    setService("v=spf1 include:slow.example -all");
    outside.onQuestion = (name, type) =>
      name === "slow.example" ? dnsReply(2, [], name, type) : undefined;
    await expectVerdict("unknown", "DNS could not be queried for slow.example: SERVFAIL.");
  });
});

describe("the SPF of a domain whose mail Cloudflare's Email Service carries", () => {
  const BOUNCES = "cf-bounce.shop.example";
  beforeEach(() => {
    text("_spf.mx.cloudflare.net", "v=spf1 ip4:192.0.2.0/24 ~all");
  });

  it("is ok with Cloudflare's record at Cloudflare's return-path", async () => {
    outside.onboard("shop.example");
    expect(await judge("cloudflare")).toEqual({
      status: "ok",
      host: BOUNCES,
      found: ["v=spf1 include:_spf.mx.cloudflare.net ~all"],
      message:
        `${BOUNCES} has one SPF record, which admits Cloudflare's Email Service. It uses 1 of ` +
        "the 10 DNS lookups that receivers allow.",
    });
  });

  it("is missing when the domain is not onboarded, though the service's own SPF record is there", async () => {
    publishAlias();
    const { status, host, message } = await judge("cloudflare");
    expect([status, host]).toEqual(["missing", BOUNCES]);
    expect(message).toContain("npx wrangler email sending enable shop.example");
  });

  it("is wrong with a record that does not admit Cloudflare", async () => {
    text(BOUNCES, "v=spf1 a -all");
    await expectVerdict("wrong", "record without include:_spf.mx.cloudflare.net.", "cloudflare");
  });
});
