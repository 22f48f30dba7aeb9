// Tests a Monday of a busy sender through the whole pipeline (contract.md §Deliverability): one
// provider refuses all mail, one defers it, and others take it. The answer names both of these
// providers, and its counts by provider match the events.
import { expect, it } from "vitest";
import type { Deliverability } from "../../src/resources/deliverability/wire.ts";
import { ok } from "../support/api.ts";
import { DELIVERED } from "../support/fakes/fake-egress.ts";
import { Harness } from "../support/harness.ts";

const REFUSED = 46;
const MISSPELT = 2;
const DEFERRED = 12;
const TAKEN = 40;
const S3150 = {
  ...DELIVERED,
  code: 550,
  enhanced: "5.7.1",
  stage: "mail",
  mx_host: "acme-example.mail.protection.outlook.com",
};
const TSS04 = {
  ...DELIVERED,
  code: 421,
  enhanced: "4.7.0",
  text: "[TSS04] Messages from 192.0.2.7 temporarily deferred",
  stage: "mail",
  mx_host: "mta5.am0.yahoodns.net",
};

async function get<Answer>(harness: Harness, path: string): Promise<Answer> {
  return ok<Answer>(harness.team.get(path));
}

it("the refusing provider and the deferring provider are named, each with its first refusal", async () => {
  const harness = await Harness.make();
  const to = (count: number, domain: string) =>
    Array.from({ length: count }, (_, index) => `someone-${index}@${domain}`);
  const [outlook, yahoo] = [to(REFUSED, "acme.example"), to(DEFERRED, "yahoo.example")];
  for (const [index, address] of outlook.entries())
    harness.egress.replies(address, {
      ...S3150,
      text: `Messages from [192.0.2.${index}] weren't sent. Part of their network is on our block list (S3150).`,
    });
  const misspelt = to(MISSPELT, "team.acme.example");
  for (const address of misspelt)
    harness.egress.replies(address, {
      ...S3150,
      enhanced: "5.1.1",
      stage: "rcpt",
      text: "Unknown",
    });
  for (const address of yahoo) harness.egress.replies(address, TSS04);
  const others = [...to(20, "one.example"), ...to(TAKEN - 20, "gmail.com")];
  const all = [...outlook, ...misspelt, ...yahoo, ...others];
  const emails = all.map((address) => ({
    from: `a@${harness.domain}`,
    to: [address],
    subject: "Monday",
    text: "Hello.",
  }));
  const response = await harness.team.post("/v1/email/batch", { emails });
  expect(response.status).toBe(202);
  const report = () => get<Deliverability>(harness, "/v1/deliverability");
  const mail = async () =>
    Object.fromEntries(
      (await report()).providers.map(({ provider, current: { delivered, deferred, bounced } }) => [
        provider,
        { delivered, deferred, bounced },
      ]),
    );
  await expect.poll(mail).toEqual({
    microsoft: { delivered: 0, deferred: 0, bounced: REFUSED + MISSPELT },
    yahoo: { delivered: 0, deferred: DEFERRED, bounced: 0 },
    other: { delivered: 20, deferred: 0, bounced: 0 },
    google: { delivered: 20, deferred: 0, bounced: 0 },
  });
  const { findings, providers } = await report();
  const firstOf = async (query: string) =>
    (await harness.events(query)).map(({ occurred_at: at }) => at).toSorted()[0];
  expect(findings).toMatchObject([
    {
      kind: "refuses_all",
      provider: "microsoft",
      since: await firstOf("provider=microsoft&bounce_classification=SpamBlock"),
      evidence: { count: REFUSED, reply: expect.stringContaining("block list (S3150)") as string },
    },
    {
      kind: "defers_all",
      provider: "yahoo",
      since: await firstOf("event_type=email.delayed&recipient_domain=yahoo.example"),
      evidence: { count: DEFERRED },
    },
  ]);
  // The evidence has as many events as the finding counts. Bounces of misspelt addresses do not
  // count.
  for (const { evidence } of findings)
    expect(await harness.events(evidence.events.split("?")[1]!)).toHaveLength(evidence.count);
  expect(providers.map(({ current }) => current.sent)).toEqual([48, 20, 20, 12]);
  for (const { provider, current } of providers)
    expect(await harness.events(`provider=${provider}`)).toHaveLength(
      current.sent + current.delivered + current.deferred + current.bounced,
    );
});
