// Tests that acceptance, replay, quotas and caps are the same for single sends and batches over
// HTTP (contract.md §Sending, contract.md §Order of checks). The tests run over every entry of the
// endpoints table with `admitsItself`, and check each answer against the document. Sending a
// message again needs a message, so its tests stand in test/pipeline/content/send-again.test.ts.
import { describe, expect, it } from "vitest";
import { stopClock } from "../support/held-time.ts";
import type { Endpoint } from "../../src/endpoint.ts";
import { bindings, call, type ErrorBody, type TestTeam, fieldsOf } from "../support/api.ts";
import { FakeEgress } from "../support/fakes/fake-egress.ts";
import { exampleOf, named, published, request, errorOf } from "../support/endpoints.ts";
import { claimOf } from "../../src/mail/accept/submit/idempotency-claim.ts";
import type { SendContext } from "../../src/mail/accept/send-context.ts";
import idempotency from "../../vectors/idempotency-fingerprints.json" with { type: "json" };
import { ofEachTest, ofFile } from "../support/before-tests.ts";
import { TestSender } from "../support/test-sender.ts";

const sends = named(
  published.filter(({ admitsItself, path }) => admitsItself === true && !path.includes(":")),
);

const { pairs } = idempotency;
const JSON_BODY = { "Content-Type": "application/json" };

const egress = ofEachTest(() => new FakeEgress());
const team = ofFile(TestSender.make);

/** Returns the example of the OpenAPI document, sent from the team's own domain. */
const body = async (endpoint: Endpoint, owner = team) =>
  JSON.parse(
    JSON.stringify(await exampleOf(endpoint)).replaceAll("example.com", owner.domain),
  ) as unknown;

const used = async ({ id }: TestTeam) =>
  (await bindings.TEAM_LEDGER.getByName(id).usage(Date.now())).dailyUsed;

describe.each(sends)("%s", (_, endpoint) => {
  it("accepts the document's own example", async () => {
    const response = await request(endpoint, { key: team.key, body: await body(endpoint) });
    expect(response.status).toBe(202);
    expect(JSON.stringify(await response.json())).toMatch(/"id":"email_[0-9a-f]{8}-[0-9a-f]{4}-7/);
    await expect.poll(() => egress.carried.length).toBeGreaterThan(0);
  });

  it("answers the same key and body with the same bytes, sends once, and refuses the key with another body", async () => {
    const owner = await TestSender.make();
    const headers = { "Idempotency-Key": "once" };
    const options = { key: owner.key, body: await body(endpoint, owner), headers };
    const first = await request(endpoint, options);
    const debited = await used(owner);
    const again = await request(endpoint, options);
    expect([
      first.headers.get("Idempotent-Replayed"),
      again.headers.get("Idempotent-Replayed"),
    ]).toEqual([null, "true"]);
    expect([again.status, await again.text()]).toEqual([first.status, await first.text()]);
    expect(await used(owner)).toBe(debited);
    const changed = { ...(options.body as object), more: true };
    const other = request(endpoint, { ...options, body: changed });
    await errorOf(other, 422, "idempotency_mismatch");
  });

  it.each(["", "x".repeat(256), "a\tb"])("refuses %j as an Idempotency-Key", async (key) => {
    const headers = { "Idempotency-Key": key };
    const response = await request(endpoint, { key: team.key, headers });
    expect(await fieldsOf(response, 400)).toEqual(["idempotency_key"]);
    expect(response.headers.get("RateLimit-Limit")).toBe("10000");
  });

  it("counts a request with an invalid Idempotency-Key against the rate", async () => {
    stopClock();
    const owner = await TestSender.make({ limits: { requests_per_second: 1 } });
    const statuses = new Set<number>();
    for (let calls = 0; calls < 5; calls += 1)
      statuses.add(
        (await request(endpoint, { key: owner.key, headers: { "Idempotency-Key": "" } })).status,
      );
    expect([...statuses]).toEqual([400, 429]);
  });

  it.each(["daily", "monthly"])(
    "over the %s quota is refused as a whole with Retry-After, and nothing is stored",
    async (scope) => {
      const owner = await TestSender.make({ limits: { [scope]: 0 } });
      const headers = { "Idempotency-Key": "quota" };
      const options = { key: owner.key, body: await body(endpoint, owner), headers };
      for (const response of [await request(endpoint, options), await request(endpoint, options)]) {
        expect(response.status).toBe(429);
        expect(response.headers.has("Idempotent-Replayed")).toBe(false);
        const refusal = await response.json<{
          error: string;
          scope: string;
          limit: number;
          retry_after_seconds: number;
        }>();
        expect(refusal).toEqual({
          error: "quota_exceeded",
          message: expect.any(String),
          scope,
          limit: 0,
          retry_after_seconds: Number(response.headers.get("Retry-After")),
        });
      }
      expect(await used(owner)).toBe(0);
    },
  );
});

describe("the Idempotency-Key of a send", () => {
  it.each(pairs)(
    "marks a request as a repetition, or not, as the vector says: $name",
    async ({ name, first, second, same }) => {
      const post = (one: typeof first) => {
        const headers = { "Idempotency-Key": `vector: ${name}` };
        return call(one.method, one.path, {
          key: team.key,
          raw: one.body,
          headers: { ...JSON_BODY, ...headers },
        });
      };
      const [one, other] = [await post(first), await post(second)];
      const repeated = same ? [one.status, "true"] : [422, null];
      expect(one.headers.get("Idempotent-Replayed")).toBeNull();
      expect([other.status, other.headers.get("Idempotent-Replayed")]).toEqual(repeated);
      const { error } = await other.json<ErrorBody>();
      expect(error.type === "idempotency_mismatch").toBe(!same);
      for (const { method, path, body: text, fingerprint } of [first, second]) {
        const bytes = new TextEncoder().encode(text);
        const claim = await claimOf({} as SendContext, name, { method, path, bytes });
        expect(claim).toEqual({ key: name, fingerprint });
      }
    },
  );
});
