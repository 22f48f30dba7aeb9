// Tests how a domain's tracking host is verified (src/resources/domains/verify.ts).
import { beforeEach, describe, expect, it } from "vitest";
import { call, type DomainJson, domainOf } from "./calls.ts";
import { Outside } from "./outside.ts";
import { type PublishedDomain, publishDomain, verify } from "./published-domain.ts";

let outside: Outside;

beforeEach(() => {
  outside = new Outside().install();
});

describe("POST /v1/domains/:id/verify with tracking", () => {
  async function publishTracking(): Promise<PublishedDomain & { withTracking: DomainJson }> {
    const zone = await publishDomain(outside);
    const body = { tracking: { opens_enabled: true, subdomain: "track" } };
    const withTracking = await domainOf(
      call(zone.team, "PATCH /v1/domains/:id", { id: zone.domain.id, body }),
    );
    return { ...zone, withTracking };
  }

  it("verifies tracking by its own CNAME, whatever the mail flow is", async () => {
    const { team, domain, name, withTracking } = await publishTracking();
    outside.remove("CNAME", `bounces.${name}`);
    outside.publish(name, withTracking.tracking.dns_records);
    const after = await verify(team, domain.id, 7_000);
    expect(after.status).toBe("pending");
    expect(after.tracking).toEqual({
      ...withTracking.tracking,
      status: "verified",
      verified_at: "1970-01-01T00:00:07.000Z",
    });
  });

  it.each([
    ["tracking_cname_missing", () => undefined],
    [
      "tracking_cname_mismatch",
      (name: string) =>
        void outside.zone.push({ type: "CNAME", name: `track.${name}`, data: "x.example" }),
    ],
    [
      "chain_broken",
      (name: string, target: string) => {
        outside.zone.push({ type: "CNAME", name: `track.${name}`, data: target });
        outside.zone = outside.zone.filter((record) => record.name !== "*.track.postern.test");
      },
    ],
  ])("reports %s and leaves the mail flow verified", async (code, spoil) => {
    const { team, domain, name, withTracking } = await publishTracking();
    spoil(name, withTracking.tracking.dns_records[0]?.value ?? "");
    const after = await verify(team, domain.id);
    expect(after).toMatchObject({ status: "verified", verification_failure: null });
    expect(after.tracking).toMatchObject({
      status: "pending",
      verified_at: null,
      verification_failure: { code, message: expect.stringContaining(`track.${name}`) as string },
    });
  });

  it("makes tracking pending again when a later check fails", async () => {
    const { team, domain, name, withTracking } = await publishTracking();
    outside.publish(name, withTracking.tracking.dns_records);
    expect((await verify(team, domain.id)).tracking.status).toBe("verified");
    outside.remove("CNAME", `track.${name}`);
    const after = await verify(team, domain.id);
    expect(after.status).toBe("verified");
    expect(after.tracking).toMatchObject({
      status: "pending",
      verified_at: null,
      verification_failure: { code: "tracking_cname_missing" },
    });
  });

  it("queries nothing while tracking is disabled", async () => {
    const { team, domain, name } = await publishDomain(outside);
    await call(team, "PATCH /v1/domains/:id", {
      id: domain.id,
      body: { tracking: { subdomain: "track" } },
    });
    expect((await verify(team, domain.id)).tracking.status).toBe("disabled");
    expect(outside.questions.filter((question) => question.endsWith(`track.${name}`))).toEqual([]);
  });
});
