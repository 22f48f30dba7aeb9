// Tests how domains are verified (src/resources/domains/verify.ts).
import { describe, expect, it } from "vitest";
import { env } from "./calls.ts";
import { findSendingDomain } from "../../../../src/resources/domains/domain-lookups.ts";
import { coreFor } from "../../../../src/db/client.ts";
import { dnsReply, outsideOfEachTest } from "./outside.ts";
import { publishDomain, verify, verifyAndView } from "./published-domain.ts";
import { repoint, SPOILED_ZONES } from "./spoiled-zones.ts";

const outside = outsideOfEachTest();

describe("POST /v1/domains/:id/verify", () => {
  it.each([true, false])(
    "verifies a domain whose records all lead to the service's (resolver follows aliases: %s)",
    async (recursive) => {
      outside.recursive = recursive;
      const { team, domain } = await publishDomain(outside);
      const now = Date.UTC(2026, 10, 2);
      expect(await verify(team, domain.id, now)).toEqual({
        ...domain,
        status: "verified",
        verified_at: "2026-11-02T00:00:00.000Z",
      });
    },
  );

  it("accepts a target in any case and with a final dot", async () => {
    const { team, domain } = await publishDomain(outside);
    outside.onQuestion = (name, type) => {
      const record = outside.zone.find((one) => one.type === "CNAME" && one.name === name);
      if (type !== "CNAME" || !record) return undefined;
      const data = `${record.data.toUpperCase()}.`;
      return dnsReply(0, [{ name: name.toUpperCase(), type: "CNAME", ttl: 1, data }], name, type);
    };
    expect((await verify(team, domain.id)).status).toBe("verified");
  });

  it("verifies a domain whose aliases reach their targets through other aliases", async () => {
    const { team, domain, name } = await publishDomain(outside);
    const own = outside.zone.filter((one) => one.type === "CNAME" && one.name.endsWith(name));
    for (const record of own) {
      const detour = `detour.${record.name}`;
      repoint(outside, record.name, detour);
      repoint(outside, detour, `second.${detour}`);
      repoint(outside, `second.${detour}`, record.data);
    }
    const after = await verify(team, domain.id);
    expect(after).toMatchObject({ status: "verified", verification_failure: null });
  });

  it.each(SPOILED_ZONES)(
    "reports %s for %s, as the view of the records does",
    async (code, _how, spoil) => {
      const zone = await publishDomain(outside);
      spoil(outside, zone);
      const { after } = await verifyAndView(zone.team, zone.domain.id);
      expect(after).toEqual({
        ...zone.domain,
        verification_failure: { code, message: expect.stringContaining(zone.name) as string },
      });
      expect(await findSendingDomain(coreFor(env, zone.team.team.id), zone.name)).toBe(
        "unverified",
      );
    },
  );

  it("names the expected and the found target in the message, with odd bytes replaced", async () => {
    const { team, domain, name, returnPathTarget } = await publishDomain(outside);
    repoint(outside, `bounces.${name}`, "bad\u0007\u00e9.example.net");
    const message = (await verify(team, domain.id)).verification_failure?.message ?? "";
    expect(message).toContain(returnPathTarget);
    expect(message).toMatch(/^[\x20-\x7e]+$/);
  });

  it("names only the host and the reason when DNS fails for it", async () => {
    const { team, domain, name } = await publishDomain(outside);
    outside.onQuestion = (asked, type) =>
      asked === `bounces.${name}` ? dnsReply(2, [], asked, type) : undefined;
    const message = `DNS could not be queried for bounces.${name}: SERVFAIL.`;
    const { verification_failure: failure } = await verify(team, domain.id);
    expect(failure).toEqual({ code: "chain_broken", message });
  });

  it("verifies a domain after a failure, and keeps it verified when DNS fails later", async () => {
    const { team, domain, name, returnPathTarget } = await publishDomain(outside);
    repoint(outside, `bounces.${name}`, "elsewhere.example");
    expect((await verify(team, domain.id)).verification_failure?.code).toBe("apex_cname_mismatch");
    repoint(outside, `bounces.${name}`, returnPathTarget);
    const verified = await verify(team, domain.id, 5_000);
    const seen = { verification_failure: null, verified_at: "1970-01-01T00:00:05.000Z" };
    expect(verified).toMatchObject({ status: "verified", ...seen });
    outside.zone = [];
    expect(await verify(team, domain.id, 9_000)).toEqual(verified);
  });
});
