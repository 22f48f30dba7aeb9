// Tests GET /v1/domains/:id/dns (src/resources/domains/dns-view.ts). The tests of verifying check
// that the state of each record agrees with the result of verifying the domain. Other files test
// the domain's policies, such as DMARC.
import { describe, expect, it } from "vitest";
import { call, domainOf } from "./calls.ts";
import { dnsOf } from "./domain-dns.ts";
import { dnsReply, outsideOfEachTest } from "./outside.ts";
import { onboardDomain, publishDomain, verify } from "./published-domain.ts";
import { repoint, setServers } from "./spoiled-zones.ts";

const outside = outsideOfEachTest();

async function publishTracking(body: Record<string, unknown> = { opens_enabled: true }) {
  const zone = await publishDomain(outside);
  const asked = { id: zone.domain.id, body: { tracking: { subdomain: "links", ...body } } };
  const tracked = await domainOf(call(zone.team, "PATCH /v1/domains/:id", asked));
  const [record] = tracked.tracking.dns_records;
  return { ...zone, host: `links.${zone.name}`, target: record?.value ?? "" };
}

describe("the records", () => {
  it("of a domain that is published in full are all ok, with what DNS has", async () => {
    const { team, domain, name, returnPathTarget } = await publishDomain(outside);
    const { records } = await dnsOf(team, domain.id);
    expect(records.map(({ name: at, expected, purpose }) => [at, expected, purpose])).toEqual(
      domain.dns_records.map((record) => [record.name, record.value, record.purpose]),
    );
    const host = `bounces.${name}`;
    const expected = { purpose: "verification", expected: returnPathTarget };
    const seen = { status: "ok", found: [returnPathTarget] };
    expect(records[0]).toEqual({
      type: "CNAME",
      name: "bounces",
      host,
      ...expected,
      ...seen,
      message:
        `${host} leads to ${returnPathTarget}, which has the MX and SPF ` +
        "records for the mail that comes back.",
    });
    expect(records.every(({ status }) => status === "ok")).toBe(true);
  });

  it("of a domain that is not published yet are missing, each with its advice", async () => {
    const { team, domain } = await publishDomain(outside);
    outside.zone = outside.zone.filter(({ type }) => type !== "CNAME");
    const { records } = await dnsOf(team, domain.id);
    for (const { host, expected, status, found, message } of records)
      expect([status, found, message]).toEqual([
        "missing",
        [],
        `${host} has no CNAME record. Publish one that points to ${expected}.`,
      ]);
  });

  it("show the chain of a CNAME in order", async () => {
    const { team, domain, name, returnPathTarget } = await publishDomain(outside);
    repoint(outside, `bounces.${name}`, `Detour.${name}`);
    outside.zone.push({ type: "CNAME", name: `detour.${name}`, data: returnPathTarget });
    const { records } = await dnsOf(team, domain.id);
    const found = [`detour.${name}`, returnPathTarget];
    expect(records[0]).toMatchObject({ status: "ok", found });
  });

  it("show a DKIM key that was published in place of its CNAME", async () => {
    const { team, domain, name } = await publishDomain(outside);
    outside.remove("CNAME", `ps1._domainkey.${name}`);
    outside.zone.push({ type: "TXT", name: `ps1._domainkey.${name}`, data: "v=DKIM1; p=MIIB" });
    const { records } = await dnsOf(team, domain.id);
    expect(records[1]).toMatchObject({ status: "mismatch", found: ["v=DKIM1; p=MIIB"] });
    expect(records[1]?.message).toContain("Replace it by a CNAME record");
  });

  it("name the value to publish for a CNAME with another value, or with two values", async () => {
    const { team, domain, name, returnPathTarget } = await publishDomain(outside);
    const advice = `Give bounces.${name} one CNAME record, with the value ${returnPathTarget}.`;
    outside.zone.push({ type: "CNAME", name: `bounces.${name}`, data: "other.example" });
    const two = (await dnsOf(team, domain.id)).records[0];
    expect(two).toMatchObject({ status: "mismatch", found: [returnPathTarget, "other.example"] });
    repoint(outside, `bounces.${name}`, "other.example");
    const other = (await dnsOf(team, domain.id)).records[0];
    expect(other).toMatchObject({ status: "mismatch", found: ["other.example"] });
    for (const record of [two, other]) expect(record?.message.endsWith(advice)).toBe(true);
  });

  it("tell the operator to repair the service's own records, to which the customer's lead", async () => {
    const { team, domain } = await publishDomain(outside);
    outside.remove("MX", "*.return-path.postern.test");
    const { records } = await dnsOf(team, domain.id);
    expect(records[0]?.status).toBe("mismatch");
    expect(records[0]?.message).toContain(
      "which has no MX record. Your record is right. The operator of the service must correct the " +
        "records at its target.",
    );
  });

  it("are unknown with the reason while DNS fails, and say to ask again", async () => {
    const { team, domain, name } = await publishDomain(outside);
    outside.onQuestion = (asked, type) => dnsReply(2, [], asked, type);
    const { records, policies } = await dnsOf(team, domain.id);
    expect(records[0]).toMatchObject({
      status: "unknown",
      found: [],
      message:
        `DNS could not be queried for bounces.${name}: SERVFAIL. Ask again in a minute. If DNS ` +
        "still gives no answer, check the name servers of the zone.",
    });
    const statuses = [...records, ...Object.values(policies)].map(({ status }) => status);
    expect(new Set(statuses)).toEqual(new Set(["unknown"]));
  });

  it("shorten long values and long lists", async () => {
    const { team, domain, name } = await onboardDomain(outside);
    const host = `cf-bounce._domainkey.${name}`;
    outside.zone.push({ type: "TXT", name: host, data: `"${"x".repeat(200)}"`.repeat(6) });
    for (let nth = 0; nth < 30; nth += 1)
      outside.zone.push({ type: "TXT", name: host, data: `text ${nth}` });
    const found = (await dnsOf(team, domain.id)).records.at(-1)?.found ?? [];
    expect(found).toHaveLength(20);
    expect(found[1]).toBe(`${"x".repeat(1_024)}…`);
  });
});

describe("the record of the tracking", () => {
  it("is ok when it leads to the service", async () => {
    const { team, domain, host, target } = await publishTracking();
    outside.zone.push({ type: "CNAME", name: host, data: target });
    const message = `${host} leads to ${target}, which has an address for opens and clicks.`;
    const record = { host, expected: target, purpose: "tracking", status: "ok", found: [target] };
    expect((await dnsOf(team, domain.id)).records.at(-1)).toMatchObject({ ...record, message });
  });

  it("is listed while tracking is off, and the message says that it is not needed", async () => {
    const { team, domain, host } = await publishTracking({});
    const record = (await dnsOf(team, domain.id)).records.at(-1);
    expect(record).toMatchObject({ host, status: "missing" });
    expect(record?.message).toMatch(/ Tracking is off, so nothing needs this record now\.$/);
  });
});

describe("the records of the courier cloudflare", () => {
  it("follow the domain's own, with the values that Cloudflare publishes", async () => {
    const { team, domain, name } = await onboardDomain(outside);
    const { records } = await dnsOf(team, domain.id);
    expect(records.slice(3).map(({ purpose, expected }) => [purpose, expected])).toEqual(
      domain.courier_dns_records?.map(({ purpose, value }) => [purpose, value]),
    );
    expect(records.slice(3).map(({ message }) => message)).toEqual([
      ...["route1", "route2", "route3"].map(
        (route) => `cf-bounce.${name} has the MX record ${route}.mx.cloudflare.net.`,
      ),
      `cf-bounce.${name} has one SPF record, which includes _spf.mx.cloudflare.net.`,
      `cf-bounce._domainkey.${name} has a DKIM key. Only Cloudflare knows whether it is the one that signs.`,
    ]);
    expect(records.at(-1)?.found).toEqual(["v=DKIM1; h=sha256; k=rsa; p=MIIB"]);
  });

  it("are ok with another mail server of Cloudflare's, as in verification", async () => {
    const { team, domain, name } = await onboardDomain(outside);
    setServers(outside, name, "route9.mx.cloudflare.net");
    const { records } = await dnsOf(team, domain.id);
    const message = `cf-bounce.${name} has another MX record below mx.cloudflare.net, which is enough.`;
    expect(records[3]).toMatchObject({
      status: "ok",
      found: ["route9.mx.cloudflare.net"],
      message,
    });
    expect((await verify(team, domain.id)).status).toBe("verified");
  });
});

describe("a record of Cloudflare's", () => {
  it.each([
    ["bounces", "missing", "MX", "cf-bounce", []],
    ["bounces", "mismatch", "MX", "cf-bounce", ["mx.example.net"]],
    ["spf", "missing", "TXT", "cf-bounce", []],
    ["spf", "mismatch", "TXT", "cf-bounce", ["v=spf1 -all"]],
    ["dkim", "missing", "TXT", "cf-bounce._domainkey", ["hello"]],
    ["dkim", "mismatch", "TXT", "cf-bounce._domainkey", ["v=DKIM1; p="]],
  ] as const)(
    "of purpose %s is %s for a %s at %s of %j",
    async (purpose, status, type, at, values) => {
      const { team, domain, name } = await onboardDomain(outside);
      outside.remove(type, `${at}.${name}`);
      for (const data of values) outside.zone.push({ type, name: `${at}.${name}`, data });
      const { records } = await dnsOf(team, domain.id);
      const seen = records.filter((record) => record.type === type && record.purpose === purpose);
      expect(seen.length).toBeGreaterThan(0);
      for (const record of seen) {
        expect(record).toMatchObject({ status, found: values });
        expect(record.message).toContain(`npx wrangler email sending enable ${name}`);
      }
    },
  );
});

describe("the view and verification", () => {
  it("are separate: the view stores nothing, and looks at verified domains too", async () => {
    const { team, domain } = await publishDomain(outside);
    const get = () => domainOf(call(team, "GET /v1/domains/:id", { id: domain.id }));
    await dnsOf(team, domain.id);
    expect(await get()).toMatchObject(domain);
    const verified = await verify(team, domain.id);
    outside.zone = [];
    const { records } = await dnsOf(team, domain.id);
    expect(records.every(({ status }) => status === "missing")).toBe(true);
    expect(await get()).toMatchObject(verified);
  });
});

describe("the DNS queries of a view", () => {
  it("are each sent once, and the view has the time of the request", async () => {
    const { team, domain } = await onboardDomain(outside);
    expect((await dnsOf(team, domain.id, 5_000)).checked_at).toBe("1970-01-01T00:00:05.000Z");
    expect(outside.questions.length).toBeGreaterThan(12);
    expect(new Set(outside.questions).size).toBe(outside.questions.length);
  });
});
