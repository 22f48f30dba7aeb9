// Tests how a domain's tracking host is verified (src/resources/domains/verify.ts).
import { describe, expect, it } from "vitest";
import { call, type DomainJson, domainOf } from "./calls.ts";
import { dnsReply, outsideOfEachTest } from "./outside.ts";
import { repoint } from "./spoiled-zones.ts";
import { type PublishedDomain, publishDomain, verify, verifyAndView } from "./published-domain.ts";

const outside = outsideOfEachTest();

describe("POST /v1/domains/:id/verify with tracking", () => {
  async function publishTracking(): Promise<PublishedDomain & { withTracking: DomainJson }> {
    const zone = await publishDomain(outside);
    const body = { tracking: { opens_enabled: true, subdomain: "track" } };
    const patched = call(zone.team, "PATCH /v1/domains/:id", { id: zone.domain.id, body });
    return { ...zone, withTracking: await domainOf(patched) };
  }

  it("verifies tracking by its own CNAME, whatever the state of the mail records", async () => {
    const { team, domain, name, withTracking } = await publishTracking();
    outside.remove("CNAME", `bounces.${name}`);
    outside.publish(name, withTracking.tracking.dns_records);
    const after = await verify(team, domain.id, 7_000);
    expect(after.status).toBe("pending");
    const seen = { status: "verified", verified_at: "1970-01-01T00:00:07.000Z" };
    expect(after.tracking).toEqual({ ...withTracking.tracking, ...seen });
  });

  it.each([
    ["tracking_cname_missing", "missing", () => undefined],
    [
      "tracking_cname_mismatch",
      "mismatch",
      (name: string) => repoint(outside, `track.${name}`, "x.example"),
    ],
    [
      "chain_broken",
      "unknown",
      (name: string) =>
        void (outside.onQuestion = (asked, type) =>
          asked === `track.${name}` ? dnsReply(5, [], asked, type) : undefined),
    ],
    [
      "chain_broken",
      "mismatch",
      (name: string, target: string) => {
        repoint(outside, `track.${name}`, target);
        outside.remove("A", "*.track.postern.test");
      },
    ],
  ])(
    "reports %s, which the view shows as %s, and leaves the mail flow verified",
    async (code, status, spoil) => {
      const { team, domain, name, withTracking } = await publishTracking();
      spoil(name, withTracking.tracking.dns_records[0]?.value ?? "");
      const { after, shown } = await verifyAndView(team, domain.id);
      expect(shown).toMatchObject({ host: `track.${name}`, status });
      expect(after).toMatchObject({ status: "verified", verification_failure: null });
      expect(after.tracking).toMatchObject({
        status: "pending",
        verified_at: null,
        verification_failure: { code, message: expect.stringContaining(`track.${name}`) as string },
      });
    },
  );

  it("makes tracking pending again when a later check fails", async () => {
    const { team, domain, name, withTracking } = await publishTracking();
    outside.publish(name, withTracking.tracking.dns_records);
    expect((await verify(team, domain.id)).tracking.status).toBe("verified");
    outside.remove("CNAME", `track.${name}`);
    const after = await verify(team, domain.id);
    expect(after.status).toBe("verified");
    const failure = { verification_failure: { code: "tracking_cname_missing" } };
    expect(after.tracking).toMatchObject({ status: "pending", verified_at: null, ...failure });
  });

  it("queries nothing while tracking is disabled", async () => {
    const { team, domain, name } = await publishDomain(outside);
    const body = { tracking: { subdomain: "track" } };
    await call(team, "PATCH /v1/domains/:id", { id: domain.id, body });
    expect((await verify(team, domain.id)).tracking.status).toBe("disabled");
    expect(outside.questions.filter((question) => question.endsWith(`track.${name}`))).toEqual([]);
  });
});
