// Tests how domains are verified for a team whose mail Cloudflare's Email Service carries
// (src/resources/domains/email-service-checks.ts).
import { describe, expect, it } from "vitest";
import { newTeam } from "./calls.ts";
import { dnsOf } from "./domain-dns.ts";
import { dnsReply, outsideOfEachTest } from "./outside.ts";
import { onboardDomain, publishDomain, verify, verifyAndView } from "./published-domain.ts";
import { setKey, setPolicy, setServers, SPOILED_AT_CLOUDFLARE } from "./spoiled-zones.ts";

const outside = outsideOfEachTest();

describe("POST /v1/domains/:id/verify with the courier cloudflare", () => {
  it.each([true, false])(
    "verifies a domain with its own records and Cloudflare's (resolver follows aliases: %s)",
    async (recursive) => {
      outside.recursive = recursive;
      const { team, domain } = await onboardDomain(outside);
      expect(await verify(team, domain.id, 5_000)).toEqual({
        ...domain,
        status: "verified",
        verified_at: "1970-01-01T00:00:05.000Z",
      });
    },
  );

  it.each(SPOILED_AT_CLOUDFLARE)(
    "reports %s for %s, as the view of the records does",
    async (code, _how, at, spoil) => {
      const { team, domain, name } = await onboardDomain(outside);
      spoil(outside, name);
      const { after } = await verifyAndView(team, domain.id);
      expect(after).toEqual({
        ...domain,
        verification_failure: { code, message: expect.any(String) as string },
      });
      const message = after.verification_failure?.message ?? "";
      expect(message.startsWith(`${at}.${name} has `)).toBe(true);
      expect(message).toContain(`npx wrangler email sending enable ${name}`);
    },
  );

  it("reports mx_missing for a domain that is not onboarded", async () => {
    const { team, domain, name } = await publishDomain(outside, newTeam("cloudflare"));
    expect((await verify(team, domain.id)).verification_failure).toEqual({
      code: "mx_missing",
      message:
        `cf-bounce.${name} has no MX record. Ask the operator to onboard exactly ${name} to ` +
        "Cloudflare's Email Sending, which publishes this record: npx wrangler email sending " +
        `enable ${name}`,
    });
  });

  it.each([
    ["MX", "cf-bounce"],
    ["TXT", "cf-bounce"],
    ["TXT", "cf-bounce._domainkey"],
  ])("reports chain_broken for SERVFAIL for the %s at %s", async (type, at) => {
    const { team, domain, name } = await onboardDomain(outside);
    outside.onQuestion = (asked, askedType) =>
      asked === `${at}.${name}` && askedType === type ? dnsReply(2, [], asked, type) : undefined;
    expect((await verify(team, domain.id)).verification_failure).toEqual({
      code: "chain_broken",
      message: `DNS could not be queried for ${at}.${name}: SERVFAIL.`,
    });
  });

  it("accepts a single mail server, an SPF record in another case, and a key beside other TXT records", async () => {
    const { team, domain, name } = await onboardDomain(outside);
    setServers(outside, name, "mx.example.net", "Route9.MX.cloudflare.net");
    setPolicy(outside, name, "v=spf1 a +Include:_SPF.mx.cloudflare.net -all", "hello");
    setKey(outside, name, "hello", "p=MIIB");
    expect((await verify(team, domain.id)).status).toBe("verified");
  });

  it("reports a fault of the domain's own records first, and then does not query Cloudflare's", async () => {
    const { team, domain, name } = await publishDomain(outside, newTeam("cloudflare"));
    outside.remove("CNAME", `bounces.${name}`);
    expect((await verify(team, domain.id)).verification_failure?.code).toBe("apex_cname_missing");
    expect(outside.questions.filter((question) => question.includes("cf-bounce"))).toEqual([]);
  });

  it.each([null, "gateway", "smtp"] as const)(
    "neither queries nor shows Cloudflare's records for a team with the courier %s",
    async (courier) => {
      const { team, domain } = await publishDomain(outside, newTeam(courier));
      const { records } = await dnsOf(team, domain.id);
      expect(records.map(({ type }) => type)).toEqual(["CNAME", "CNAME", "CNAME"]);
      expect((await verify(team, domain.id)).status).toBe("verified");
      expect(outside.questions.filter((question) => question.includes("cf-bounce"))).toEqual([]);
    },
  );
});
