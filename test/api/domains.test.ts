// Tests /v1/domains over HTTP (contract.md §Domains), and checks each answer against the OpenAPI
// document. test/unit/resources/domains tests the rules.
import { describe, expect, it } from "vitest";
import type { z } from "zod";
import type { Domain as DomainShape } from "../../src/resources/domains/wire.ts";
import { call, operator, ok, busyTeam } from "../support/api.ts";
import { Outside } from "../unit/resources/domains/outside.ts";
import { ofEachTest } from "../support/before-tests.ts";

type Domain = z.output<typeof DomainShape>;

const outside = ofEachTest(() => new Outside().install());
const team = ofEachTest(busyTeam);

const add = (name: string) => team.post("/v1/domains", { name });

const added = () => ok<Domain>(add(`d${crypto.randomUUID().slice(0, 8)}.example.com`), 201);

const at = <Body = Domain>(method: string, path: string, body?: unknown, status = 200) =>
  ok<Body>(call(method, path, { key: team.key, body }), status);

describe("a domain's life over HTTP", () => {
  it("goes from pending to verified, gets tracking, and ends", async () => {
    const { id, name, dns_records: records } = await added();
    const path = `/v1/domains/${id}`;
    const expected = { status: "pending", verification_failure: { code: "apex_cname_missing" } };
    expect(await at("POST", `${path}/verify`)).toMatchObject(expected);
    outside.publish("example.com", records);
    const facts = { id, name, status: "verified", verification_failure: null };
    expect(await at("POST", `${path}/verify`)).toMatchObject(facts);
    const tracked = await at("PATCH", path, {
      tracking: { opens_enabled: true, subdomain: "links" },
    });
    expect(tracked).toMatchObject({
      status: "verified",
      tracking: { status: "pending", subdomain: "links", dns_records: [{ purpose: "tracking" }] },
    });
    const sending = { held: false, since: null, code: null, message: null };
    expect(await at("GET", path)).toEqual({ ...tracked, sending });
    const response = await team.delete(path);
    expect(response.status).toBe(204);
    await at("GET", path, undefined, 404);
    await at("POST", `${path}/verify`, undefined, 404);
  });
});

describe("courier_dns_records", () => {
  const setCourier = (id: string, courier: string | null) =>
    ok(operator.patch(`/admin/teams/${id}`, { courier }));

  const recordsAt = (label: string) => [
    ...["route1", "route2", "route3"].map((route) => ({
      type: "MX",
      name: `cf-bounce${label}`,
      value: `${route}.mx.cloudflare.net`,
      purpose: "bounces",
    })),
    {
      type: "TXT",
      name: `cf-bounce${label}`,
      value: "v=spf1 include:_spf.mx.cloudflare.net ~all",
      purpose: "spf",
    },
    { type: "TXT", name: `cf-bounce._domainkey${label}`, value: null, purpose: "dkim" },
  ];

  it("are in every response after the domain's own records when cloudflare carries the mail", async () => {
    await setCourier(team.id, "cloudflare");
    const domain = await added();
    const path = `/v1/domains/${domain.id}`;
    const label = `.${domain.name.split(".")[0]}`;
    expect(domain).toHaveProperty("courier_dns_records", recordsAt(label));
    const expected = ["dns_records", "courier_dns_records", "courier_onboarding"];
    expect(Object.keys(domain).slice(3, 6)).toEqual(expected);
    const tracking = { opens_enabled: true, subdomain: "links" };
    const responses = [
      await at("GET", path),
      await at("PATCH", path, { tracking }),
      await at("POST", `${path}/verify`),
      ...(await at<{ data: Domain[] }>("GET", "/v1/domains")).data,
    ];
    expect(responses).toHaveLength(4);
    for (const response of responses)
      expect(response).toHaveProperty("courier_dns_records", recordsAt(label));
  });

  it("have the bare names for a domain that is registered itself", async () => {
    await setCourier(team.id, "cloudflare");
    const response = await add(`d${crypto.randomUUID().slice(0, 8)}.com`);
    expect(await response.json()).toHaveProperty("courier_dns_records", recordsAt(""));
  });

  it.each(["gateway", "smtp", null])(
    "are absent with the courier %s, and nothing else changes",
    async (courier) => {
      const { id } = await added();
      const before = await (await team.get(`/v1/domains/${id}`)).text();
      expect(before).not.toContain("courier_dns_records");
      await setCourier(team.id, "cloudflare");
      expect(await at("GET", `/v1/domains/${id}`)).toHaveProperty("courier_dns_records");
      await setCourier(team.id, courier);
      const after = await (await team.get(`/v1/domains/${id}`)).text();
      expect(after).toBe(before);
    },
  );
});
