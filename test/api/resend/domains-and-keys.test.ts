// Tests domains, API keys and usage with Resend's official client (docs/from-resend.md §Domains,
// §API keys, §Usage).
import { expect, it } from "vitest";
import { makeTeam, ok, busyTeam } from "../../support/api.ts";
import { Outside } from "../../unit/resources/domains/outside.ts";
import { resendClient } from "./resend-client.ts";
import { ofEachTest } from "../../support/before-tests.ts";

const team = ofEachTest(busyTeam);
const outside = ofEachTest(() => new Outside().install());
const resend = ofEachTest(() => resendClient(team.key));

const newName = () => `r${crypto.randomUUID().slice(0, 8)}.example.com`;

async function made(more: object = {}) {
  const { data, error, headers } = await resend.domains.create({ name: newName(), ...more });
  expect(error).toBeNull();
  return { domain: data!, headers: headers! };
}

it("a domain is made, verified, tracked and removed", async () => {
  const { domain } = await made();
  expect(domain).toMatchObject({
    status: "not_started",
    region: "us-east-1",
    capabilities: { sending: "enabled", receiving: "disabled" },
    open_tracking: false,
    click_tracking: false,
  });
  expect(domain.id).toMatch(/^[0-9a-f-]{36}$/);
  const expected = { record: "SPF", type: "CNAME", ttl: "Auto", status: "not_started" };
  expect(domain.records[0]).toMatchObject(expected);
  expect(domain.records.slice(1).map(({ record }) => record)).toContain("DKIM");
  expect(await resend.domains.verify(domain.id)).toMatchObject({
    data: { object: "domain", id: domain.id },
  });
  expect(await resend.domains.get(domain.id)).toMatchObject({ data: { status: "pending" } });
  outside.publish("example.com", domain.records);
  await resend.domains.verify(domain.id);
  const update = { id: domain.id, openTracking: true };
  expect(await resend.domains.update({ ...update, tls: "enforced" })).toMatchObject({
    data: { object: "domain", id: domain.id },
    headers: { "x-ignored-members": "tls" },
  });
  const { data } = await resend.domains.get(domain.id);
  const facts = {
    status: "verified",
    open_tracking: true,
    click_tracking: false,
    tracking_subdomain: "links",
  };
  expect(data).toMatchObject(facts);
  expect(data?.records.map(({ record, status }) => [record, status])).toContainEqual([
    "Tracking",
    "not_started",
  ]);
  expect(await resend.domains.remove(domain.id)).toMatchObject({
    data: { object: "domain", id: domain.id, deleted: true },
  });
  expect(await resend.domains.get(domain.id)).toMatchObject({ error: { name: "not_found" } });
});

it("a domain is made with tracking, and members without a counterpart are named", async () => {
  const { domain, headers } = await made({
    region: "eu-west-1",
    customReturnPath: "send",
    capabilities: { receiving: "enabled" },
    tls: "opportunistic",
    clickTracking: true,
    trackingSubdomain: "go",
  });
  expect(domain).toMatchObject({ click_tracking: true, tracking_subdomain: "go" });
  expect(headers["x-ignored-members"]).toBe("capabilities, custom_return_path, region, tls");
});

it.each([
  [{ trackingSubdomain: "a b" }, /^`tracking_subdomain` must be labels/],
  [{ openTracking: "yes" }, /^`open_tracking` /],
])("a domain with %j is refused, and not made", async (more, message) => {
  const name = newName();
  expect(await resend.domains.create({ name, ...more } as never)).toMatchObject({
    error: { statusCode: 422, name: "validation_error", message: expect.stringMatching(message) },
  });
  const { data } = await resend.domains.list({ limit: 100 });
  expect(data?.data.map((one) => one.name)).not.toContain(name);
});

it("a list is paged by ids, in both directions", async () => {
  const ids: string[] = [];
  for (let count = 0; count < 4; count += 1) ids.unshift((await made()).domain.id);
  const page = async (options: object, client = resend) => {
    const { data } = await client.domains.list(options);
    return [data?.data.map(({ id }) => ids.indexOf(id)), data?.has_more];
  };
  expect(await page({})).toEqual([[0, 1, 2, 3], false]);
  expect(await page({ limit: 2 })).toEqual([[0, 1], true]);
  expect(await page({ limit: 2, after: ids[1] })).toEqual([[2, 3], false]);
  expect(await page({ limit: 2, after: `domain_${ids[0]}` })).toEqual([[1, 2], true]);
  expect(await page({ limit: 2, before: ids[3] })).toEqual([[1, 2], true]);
  expect(await page({ before: ids[1] })).toEqual([[0], false]);
  for (const query of ["after=x", "before=x", "limit=0", `after=${ids[0]}&before=${ids[1]}`])
    expect(await resend.get(`/domains?${query}`)).toMatchObject({
      error: { statusCode: 422, name: "validation_error" },
    });
  // The other client has another team's key, so these ids are refused as cursors.
  const other = resendClient((await busyTeam()).key);
  expect(await page({ after: ids[0] }, other)).toEqual([undefined, undefined]);
});

it("an API key is made for a domain, renamed and removed", async () => {
  const { domain } = await made();
  const wish = { name: "Key", permission: "sending_access" as const, domain_id: domain.id };
  const { data } = await resend.apiKeys.create(wish);
  const own = `/v1/api-keys/key_${data?.id}`;
  const shown = { permissions: "send_only", allowed_domains: [domain.name] };
  expect(await resend.apiKeys.update(data!.id, { name: "Other" })).toMatchObject({
    data: { object: "api_key", id: data?.id },
  });
  expect(await ok(team.get(own))).toMatchObject({ name: "Other", ...shown });
  expect(await resendClient(data!.token).domains.list()).toMatchObject({
    error: { statusCode: 401, name: "restricted_api_key" },
  });
  const { data: list } = await resend.apiKeys.list({ limit: 1 });
  expect(list).toMatchObject({ has_more: true, data: [{ id: data?.id, name: "Other" }] });
  expect(Object.keys(list?.data[0] ?? {})).toEqual(["id", "name", "created_at", "last_used_at"]);
  expect(await resend.apiKeys.remove(data!.id)).toMatchObject({ error: null });
  expect(await resend.apiKeys.remove(data!.id)).toMatchObject({ error: { name: "not_found" } });
});

it.each([
  [{ name: "A", permission: "all" }, "validation_error", /^`permission` must be one of/],
  [{ name: "A", domain_id: "x" }, "validation_error", /^`domain_id` is not the id/],
  [{ name: "A", domain_id: ".." }, "validation_error", /^`domain_id` is not the id/],
  [{}, "missing_required_field", /^`name` is required/],
])("an API key with %j is refused", async (body, name, message) => {
  expect(await resend.apiKeys.create(body as never)).toMatchObject({
    error: { statusCode: 422, name, message: expect.stringMatching(message) },
  });
});

it("usage has the team's quotas, and zeros for things that the service does not have", async () => {
  const { data } = await resend.usage.get();
  expect(data).toMatchObject({
    object: "usage",
    emails: { daily: { used: 0, sent: 0, received: 0 } },
    contacts: { used: 0, limit: 0 },
    broadcasts: { used: 0, limit: null },
    rate_limit: { limit: 10_000, duration: "1s" },
  });
  expect(data?.emails.monthly.limit).toBeGreaterThan(0);
});

it("a request that makes several calls of the service counts once", async () => {
  const slow = await makeTeam({ limits: { requests_per_second: 1 } });
  const { headers } = await resendClient(slow.key).suppressions.batch.add({
    emails: Array.from({ length: 12 }, (_, index) => `a${index}@example.org`),
  });
  expect(headers).toMatchObject({ "ratelimit-limit": "1", "ratelimit-remaining": "1" });
});
