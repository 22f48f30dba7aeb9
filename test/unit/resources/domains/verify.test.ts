// What src/resources/domains/verify.ts guarantees.
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { coreFor } from "../../../../src/db/client.ts";
import { findSendingDomain } from "../../../../src/resources/domains/store.ts";
import { call, create, domainOf, type DomainJson, env, newTeam, randomName } from "./calls.ts";
import { dnsReply, Outside } from "./outside.ts";

let outside: Outside;

beforeEach(() => {
  outside = new Outside().install();
});
afterEach(() => vi.restoreAllMocks());

const verify = (team: ReturnType<typeof newTeam>, id: string, now = Date.now()) =>
  domainOf(call(team, "POST /v1/domains/:id/verify", { id, now }));

/** A domain whose customer published everything, its zone to be spoiled. */
async function published() {
  const team = newTeam();
  const name = randomName("example");
  const domain = await create(team, name);
  outside.publish(name, domain.dns_records);
  const [returnPath, first] = domain.dns_records;
  return {
    team,
    name,
    domain,
    returnPathTarget: returnPath?.value ?? "",
    keyTarget: first?.value ?? "",
  };
}

type Published = Awaited<ReturnType<typeof published>>;

describe("POST /v1/domains/:id/verify", () => {
  it.each([true, false])(
    "verifies a domain whose records all lead to ours (resolver follows aliases: %s)",
    async (recursive) => {
      outside.recursive = recursive;
      const { team, domain } = await published();
      const now = Date.UTC(2026, 10, 2);
      expect(await verify(team, domain.id, now)).toEqual({
        ...domain,
        status: "verified",
        verified_at: "2026-11-02T00:00:00.000Z",
      });
    },
  );

  it("takes a target in any case and with a final dot", async () => {
    const { team, domain } = await published();
    outside.onQuestion = (name, type) => {
      const record = outside.zone.find(
        (candidate) => candidate.type === "CNAME" && candidate.name === name,
      );
      return type === "CNAME" && record
        ? dnsReply(
            0,
            [
              {
                name: name.toUpperCase(),
                type: "CNAME",
                ttl: 1,
                data: `${record.data.toUpperCase()}.`,
              },
            ],
            name,
            type,
          )
        : undefined;
    };
    expect((await verify(team, domain.id)).status).toBe("verified");
  });

  it("a domain whose aliases reach their targets through other aliases is verified", async () => {
    const { team, domain, name } = await published();
    for (const record of outside.zone.filter(
      (one) => one.type === "CNAME" && one.name.endsWith(name),
    )) {
      const detour = `detour.${record.name}`;
      repoint(record.name, detour);
      outside.zone.push(
        { type: "CNAME", name: detour, data: `second.${detour}` },
        { type: "CNAME", name: `second.${detour}`, data: record.data },
      );
    }
    expect(await verify(team, domain.id)).toMatchObject({
      status: "verified",
      verification_failure: null,
    });
  });

  const spoiled: [code: string, how: string, spoil: (zone: Published) => void][] = [
    ["apex_cname_missing", "no CNAME", ({ name }) => outside.remove("CNAME", `bounces.${name}`)],
    [
      "apex_cname_missing",
      "an address in its place",
      ({ name }) => {
        outside.remove("CNAME", `bounces.${name}`);
        outside.zone.push({ type: "A", name: `bounces.${name}`, data: "192.0.2.9" });
      },
    ],
    [
      "apex_cname_mismatch",
      "another target",
      ({ name }) => repoint(`bounces.${name}`, "bounces.example.net"),
    ],
    [
      "apex_cname_mismatch",
      "a target below ours",
      ({ name, returnPathTarget }) => repoint(`bounces.${name}`, `x.${returnPathTarget}`),
    ],
    [
      "apex_cname_mismatch",
      "an alias of another target",
      ({ name }) => {
        repoint(`bounces.${name}`, `detour.${name}`);
        outside.zone.push({ type: "CNAME", name: `detour.${name}`, data: "x.track.postern.test" });
      },
    ],
    [
      "chain_broken",
      "an alias of an alias that leads nowhere",
      ({ name }) => {
        repoint(`bounces.${name}`, `detour.${name}`);
        outside.zone.push({ type: "CNAME", name: `detour.${name}`, data: `gone.${name}` });
      },
    ],
    [
      "chain_broken",
      "aliases of each other",
      ({ name }) => {
        repoint(`bounces.${name}`, `detour.${name}`);
        outside.zone.push({ type: "CNAME", name: `detour.${name}`, data: `bounces.${name}` });
      },
    ],
    [
      "chain_broken",
      "SERVFAIL for the second alias",
      ({ name }) => {
        repoint(`bounces.${name}`, `detour.${name}`);
        outside.onQuestion = (asked, type) =>
          asked === `detour.${name}` ? dnsReply(2, [], asked, type) : undefined;
      },
    ],
    [
      "chain_broken",
      "the right target beside another",
      ({ name }) =>
        void outside.zone.push({
          type: "CNAME",
          name: `bounces.${name}`,
          data: "x.track.postern.test",
        }),
    ],
    [
      "dkim_cname_missing",
      "no first selector",
      ({ name }) => outside.remove("CNAME", `ps1._domainkey.${name}`),
    ],
    [
      "dkim_cname_missing",
      "no second selector",
      ({ name }) => outside.remove("CNAME", `ps2._domainkey.${name}`),
    ],
    [
      "dkim_cname_mismatch",
      "another target",
      ({ name }) => repoint(`ps2._domainkey.${name}`, "ps2.example.net"),
    ],
    [
      "dkim_cname_mismatch",
      "the selectors swapped",
      ({ name, keyTarget }) => repoint(`ps2._domainkey.${name}`, keyTarget),
    ],
    [
      "dkim_mismatch",
      "a key of their own in place of the CNAME",
      ({ name }) => {
        outside.remove("CNAME", `ps1._domainkey.${name}`);
        outside.zone.push({
          type: "TXT",
          name: `ps1._domainkey.${name}`,
          data: "v=DKIM1; k=rsa; p=MIIB",
        });
      },
    ],
    [
      "dkim_mismatch",
      "another key at the target",
      ({ keyTarget }) => changeKey(keyTarget, (content) => content.replace("p=MII", "p=MIJ")),
    ],
    [
      "dkim_mismatch",
      "a revoked key at the target",
      ({ keyTarget }) => changeKey(keyTarget, () => '"v=DKIM1; k=rsa; p="'),
    ],
    [
      "dkim_mismatch",
      "two keys at the target",
      ({ keyTarget }) =>
        void outside.zone.push({ type: "TXT", name: keyTarget, data: "v=DKIM1; p=MIIB" }),
    ],
    ["chain_broken", "our TXT gone", ({ keyTarget }) => dropKey(keyTarget)],
    ["chain_broken", "our return-path gone", () => dropService("MX", "TXT")],
    ["mx_missing", "no MX", () => dropService("MX")],
    [
      "mx_missing",
      "a null MX",
      () => {
        dropService("MX");
        outside.zone.push({ type: "MX", name: "*.return-path.postern.test", data: "." });
      },
    ],
    ["spf_missing", "no TXT", () => dropService("TXT")],
    [
      "spf_missing",
      "no SPF among the TXT",
      () => {
        dropService("TXT");
        outside.zone.push({ type: "TXT", name: "*.return-path.postern.test", data: "v=spf10 all" });
      },
    ],
    [
      "spf_missing",
      "two SPF",
      () =>
        void outside.zone.push({
          type: "TXT",
          name: "*.return-path.postern.test",
          data: "v=spf1 -all",
        }),
    ],
    [
      "chain_broken",
      "SERVFAIL for the CNAME",
      () =>
        void (outside.onQuestion = (name, type) =>
          type === "CNAME" ? dnsReply(2, [], name, type) : undefined),
    ],
    [
      "chain_broken",
      "SERVFAIL for MX",
      () =>
        void (outside.onQuestion = (name, type) =>
          type === "MX" ? dnsReply(2, [], name, type) : undefined),
    ],
    [
      "chain_broken",
      "SERVFAIL for TXT",
      () =>
        void (outside.onQuestion = (name, type) =>
          type === "TXT" ? dnsReply(2, [], name, type) : undefined),
    ],
    [
      "chain_broken",
      "no resolver",
      () => void (outside.onQuestion = () => Promise.reject(new TypeError("refused"))),
    ],
  ];

  it.each(spoiled)("says %s for %s", async (code, _how, spoil) => {
    const zone = await published();
    spoil(zone);
    const after = await verify(zone.team, zone.domain.id);
    expect(after).toEqual({
      ...zone.domain,
      verification_failure: { code, message: expect.stringContaining(zone.name) as string },
    });
    expect(await findSendingDomain(coreFor(env, zone.team.team.id), zone.name)).toBe("unverified");
  });

  it("puts the expected and the found target into the message, whatever bytes were found", async () => {
    const { team, domain, name, returnPathTarget } = await published();
    repoint(`bounces.${name}`, "bad\u0007\u00e9.example.net");
    const message = (await verify(team, domain.id)).verification_failure?.message ?? "";
    expect(message).toContain(returnPathTarget);
    expect(message).toMatch(/^[\x20-\x7e]+$/);
  });

  it("goes from a failure to verified, and then no fault of DNS takes that back", async () => {
    const { team, domain, name, returnPathTarget } = await published();
    repoint(`bounces.${name}`, "elsewhere.example");
    expect((await verify(team, domain.id)).verification_failure?.code).toBe("apex_cname_mismatch");
    repoint(`bounces.${name}`, returnPathTarget);
    const verified = await verify(team, domain.id, 5_000);
    expect(verified).toMatchObject({
      status: "verified",
      verification_failure: null,
      verified_at: "1970-01-01T00:00:05.000Z",
    });
    outside.zone = [];
    expect(await verify(team, domain.id, 9_000)).toEqual(verified);
  });
});

describe("tracking", () => {
  async function tracked(): Promise<Published & { withTracking: DomainJson }> {
    const zone = await published();
    const body = { tracking: { opens_enabled: true, subdomain: "track" } };
    const withTracking = await domainOf(
      call(zone.team, "PATCH /v1/domains/:id", { id: zone.domain.id, body }),
    );
    return { ...zone, withTracking };
  }

  it("is verified by its own CNAME, whatever the mail flow is", async () => {
    const { team, domain, name, withTracking } = await tracked();
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
  ])("says %s and leaves the mail flow verified", async (code, spoil) => {
    const { team, domain, name, withTracking } = await tracked();
    spoil(name, withTracking.tracking.dns_records[0]?.value ?? "");
    const after = await verify(team, domain.id);
    expect(after).toMatchObject({ status: "verified", verification_failure: null });
    expect(after.tracking).toMatchObject({
      status: "pending",
      verified_at: null,
      verification_failure: { code, message: expect.stringContaining(`track.${name}`) as string },
    });
  });

  it("is pending again when a later check fails", async () => {
    const { team, domain, name, withTracking } = await tracked();
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

  it("asks nothing while it is disabled", async () => {
    const { team, domain, name } = await published();
    await call(team, "PATCH /v1/domains/:id", {
      id: domain.id,
      body: { tracking: { subdomain: "track" } },
    });
    expect((await verify(team, domain.id)).tracking.status).toBe("disabled");
    expect(outside.questions.filter((question) => question.endsWith(`track.${name}`))).toEqual([]);
  });
});

describe("findSendingDomain", () => {
  it("finds a verified domain of its team only, from the verification to the deletion", async () => {
    const { team, domain, name } = await published();
    const scope = coreFor(env, team.team.id);
    expect(await findSendingDomain(scope, name)).toBe("unverified");
    await verify(team, domain.id);
    expect(await findSendingDomain(scope, name)).toEqual({ id: domain.id, name });
    expect(await findSendingDomain(coreFor(env, newTeam().team.id), name)).toBeUndefined();
    await call(team, "DELETE /v1/domains/:id", { id: domain.id });
    expect(await findSendingDomain(scope, name)).toBeUndefined();
  });

  it("asks the database once, and again after a minute", async () => {
    const { team, domain, name } = await published();
    await verify(team, domain.id);
    const prepare = vi.fn(env.DB.prepare.bind(env.DB));
    const scope = { db: { prepare } as unknown as D1Database, teamId: team.team.id };
    const start = Date.now();
    const clock = vi.spyOn(Date, "now");
    for (const [after, asked] of [
      [0, 1],
      [59_999, 1],
      [60_000, 2],
    ] as const) {
      clock.mockReturnValue(start + after);
      expect(await findSendingDomain(scope, name)).toEqual({ id: domain.id, name });
      expect(prepare).toHaveBeenCalledTimes(asked);
    }
  });
});

function repoint(name: string, target: string): void {
  outside.remove("CNAME", name);
  outside.zone.push({ type: "CNAME", name, data: target });
}

function dropService(...types: string[]): void {
  outside.zone = outside.zone.filter(
    (record) => record.name !== "*.return-path.postern.test" || !types.includes(record.type),
  );
}

function changeKey(name: string, change: (content: string) => string): void {
  for (const [id, record] of outside.published)
    if (record.name === name)
      outside.published.set(id, { ...record, content: change(record.content) });
}

function dropKey(name: string): void {
  for (const [id, record] of outside.published)
    if (record.name === name) outside.published.delete(id);
}
