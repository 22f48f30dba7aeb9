// Tests GET /v1/domains/{id}/dns over HTTP (contract.md §DNS as seen now), and checks each answer
// against the OpenAPI document. test/unit/resources/domains tests the rules.
import { describe, expect, it } from "vitest";
import type { DomainDns } from "../../src/resources/domains/dns-view-json.ts";
import type { z } from "zod";
import type { Domain } from "../../src/resources/domains/wire.ts";
import { call, ok, busyTeam } from "../support/api.ts";
import { Outside } from "../unit/resources/domains/outside.ts";
import { ofEachTest } from "../support/before-tests.ts";

type Added = z.output<typeof Domain>;

type Seen = z.output<typeof DomainDns>;

interface Checked {
  readonly problems: readonly object[];
}

const outside = ofEachTest(() => new Outside().install());
const team = ofEachTest(busyTeam);

async function addDomain({ key } = team): Promise<Added> {
  const name = `d${crypto.randomUUID().slice(0, 8)}.com`;
  return ok<Added>(call("POST", "/v1/domains", { key, body: { name } }), 201);
}

async function see({ id }: Pick<Added, "id">, { key } = team): Promise<Seen> {
  return ok<Seen>(call("GET", `/v1/domains/${id}/dns`, { key }));
}

const publishText = (name: string, data: string) => outside.zone.push({ type: "TXT", name, data });

describe("GET /v1/domains/{id}/dns", () => {
  it("shows every record and policy of a domain that has them all", async () => {
    const domain = await addDomain();
    const { name } = domain;
    outside.publish(name, domain.dns_records);
    publishText(`_dmarc.${name}`, `v=DMARC1; p=reject; rua=mailto:dmarc@${name}`);
    publishText(`_mta-sts.${name}`, "v=STSv1; id=20260401;");
    publishText(`default._bimi.${name}`, `v=BIMI1; l=https://${name}/logo.svg`);
    const seen = await see(domain);
    expect(seen.records).toEqual(
      domain.dns_records.map((record) => ({
        type: "CNAME",
        name: record.name,
        host: `${record.name}.${name}`,
        expected: record.value,
        purpose: record.purpose,
        status: "ok",
        found: [record.value],
        message: expect.stringContaining(`leads to ${record.value}, which has`) as string,
      })),
    );
    expect(seen.policies).toMatchObject({
      spf: { status: "ok", host: `bounces.${name}`, found: ["v=spf1 a:mx.postern.test -all"] },
      dmarc: { status: "ok", host: `_dmarc.${name}` },
      mta_sts: { status: "ok", host: `_mta-sts.${name}` },
      bimi: { status: "ok", host: `default._bimi.${name}` },
    });
    expect(new Date(seen.checked_at).toISOString()).toBe(seen.checked_at);
  });
});

describe("POST /v1/email/check", () => {
  it("names a record of the sending domain that no longer resolves, by a DNS answer of the last hour", async () => {
    const domain = await addDomain();
    const { id, name } = domain;
    outside.publish(name, domain.dns_records);
    publishText(`_dmarc.${name}`, `v=DMARC1; p=reject; rua=mailto:dmarc@${name}`);
    await ok(team.post(`/v1/domains/${id}/verify`));
    const dkim = domain.dns_records.find(({ purpose }) => purpose === "dkim");
    outside.remove("CNAME", `${dkim?.name}.${name}`);
    const body = { from: `a@${name}`, to: ["ada@example.net"], subject: "Hi", text: "Hi" };
    const check = async () => (await ok<Checked>(team.post("/v1/email/check", body))).problems;
    const expected = {
      rule: "domain-records",
      severity: "warning",
      where: { field: "from", line: null, column: null },
      message: `DKIM of ${name} no longer resolves.`,
    };
    expect(await check()).toMatchObject([expected]);
    outside.publish(name, domain.dns_records);
    expect(await check()).toMatchObject([expected]);
  });
});
