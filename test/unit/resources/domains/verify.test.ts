// Verifying domains (src/resources/domains/verify.ts).
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { env } from "./calls.ts";
import { findSendingDomain } from "../../../../src/resources/domains/domain-lookups.ts";
import { coreFor } from "../../../../src/db/client.ts";
import { dnsReply, Outside } from "./outside.ts";
import { type PublishedDomain, publishDomain, verify } from "./published-domain.ts";

let outside: Outside;

beforeEach(() => {
  outside = new Outside().install();
});
afterEach(() => vi.restoreAllMocks());

describe("POST /v1/domains/:id/verify", () => {
  it.each([true, false])(
    "verifies a domain whose records all lead to ours (resolver follows aliases: %s)",
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

  it("verifies a domain whose aliases reach their targets through other aliases", async () => {
    const { team, domain, name } = await publishDomain(outside);
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

  const spoiled: [code: string, how: string, spoil: (zone: PublishedDomain) => void][] = [
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

  it.each(spoiled)("reports %s for %s", async (code, _how, spoil) => {
    const zone = await publishDomain(outside);
    spoil(zone);
    const after = await verify(zone.team, zone.domain.id);
    expect(after).toEqual({
      ...zone.domain,
      verification_failure: { code, message: expect.stringContaining(zone.name) as string },
    });
    expect(await findSendingDomain(coreFor(env, zone.team.team.id), zone.name)).toBe("unverified");
  });

  it("names the expected and the found target in the message, with odd bytes replaced", async () => {
    const { team, domain, name, returnPathTarget } = await publishDomain(outside);
    repoint(`bounces.${name}`, "bad\u0007\u00e9.example.net");
    const message = (await verify(team, domain.id)).verification_failure?.message ?? "";
    expect(message).toContain(returnPathTarget);
    expect(message).toMatch(/^[\x20-\x7e]+$/);
  });

  it("names only the host and the reason when DNS fails for it", async () => {
    const { team, domain, name } = await publishDomain(outside);
    outside.onQuestion = (asked, type) =>
      asked === `bounces.${name}` ? dnsReply(2, [], asked, type) : undefined;
    expect((await verify(team, domain.id)).verification_failure).toEqual({
      code: "chain_broken",
      message: `DNS could not be queried for bounces.${name}: SERVFAIL.`,
    });
  });

  it("verifies a domain after a failure, and keeps it verified when DNS fails later", async () => {
    const { team, domain, name, returnPathTarget } = await publishDomain(outside);
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
