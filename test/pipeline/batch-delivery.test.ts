// Sends batches through the whole service: from POST /v1/email/batch to the recipients' servers.
import { beforeEach, describe, expect, it, vi } from "vitest";
import { bindings, call, type ErrorBody, makeTeam, type TestTeam } from "../support/api.ts";
import { makeSendingDomain } from "../support/domain.ts";
import { FakeEgress } from "../support/fakes/fake-egress.ts";

interface BatchBody {
  readonly summary: { readonly total: number; readonly queued: number; readonly failed: number };
  readonly data: readonly {
    readonly status: string;
    readonly index: number;
    readonly id: string;
    readonly error?: { readonly type: string };
  }[];
}

let egress: FakeEgress;
let team: TestTeam;
let domain: string;

beforeEach(async () => {
  vi.restoreAllMocks();
  egress = new FakeEgress();
  team = await makeTeam({
    limits: { requests_per_second: 1_000, delivery_rate_per_minute: 60_000 },
  });
  domain = await makeSendingDomain(team.id);
});

function post(body: unknown, headers: Record<string, string> = {}): Promise<Response> {
  return call("POST", "/v1/email/batch", { key: team.key, body, headers });
}

const entry = (index: number) => ({
  to: [`person-${index}@receiver.example`],
  subject: `Message ${index}`,
  text: `Body ${index}.`,
});
const usage = () => bindings.TEAM_LEDGER.getByName(team.id).usage(Date.now());

describe("a batch of 100", () => {
  it("costs one request, and delivers each message once to its own recipient", async () => {
    const response = await post({
      defaults: { from: `Sender <hello@${domain}>`, tags: ["batch"] },
      emails: Array.from({ length: 100 }, (_, n) => entry(n)),
    });
    expect(response.status).toBe(202);
    expect(response.headers.get("X-Request-Id")).toMatch(/^req_/);
    const { summary, data } = await response.json<BatchBody>();
    expect(summary).toEqual({ total: 100, queued: 100, failed: 0 });
    expect(data.map(({ index }) => index)).toEqual(Array.from({ length: 100 }, (_, n) => n));
    await expect.poll(() => egress.carried.length, { interval: 100 }).toBeGreaterThanOrEqual(100);
    await expect
      .poll(usage, { interval: 100 })
      .toMatchObject({ messages: 0, jobs: 0, dailyUsed: 100 });
    expect(egress.carried).toHaveLength(100);
    for (const index of data.keys()) {
      const [copy] = egress.to(`person-${index}@receiver.example`);
      expect(copy?.message).toContain(`\r\nSubject: Message ${index}\r\n`);
      expect(copy?.message).toContain(`Body ${index}.`);
    }
    const events = await call("GET", `/v1/events?email_id=${data[42]?.id}`, { key: team.key });
    expect((await events.json<{ data: unknown[] }>()).data).toMatchObject([
      {
        type: "email.delivered",
        recipient: "person-42@receiver.example",
        subject: "Message 42",
        tags: ["batch"],
      },
      { type: "email.sent" },
    ]);
  });
});

describe("a batch with mixed outcomes", () => {
  it("sends its queued items once, and replays the 207 byte for byte", async () => {
    const from = `hello@${domain}`;
    const large = "long line\n".repeat(100_000);
    const body = {
      emails: [
        { ...entry(1), from },
        { ...entry(2), from: "hello@elsewhere.example" },
        { ...entry(3), from, text: large },
      ],
    };
    const first = await post(body, { "Idempotency-Key": "mixed" });
    expect([
      first.status,
      first.headers.get("Retry-After"),
      first.headers.get("Idempotent-Replayed"),
    ]).toEqual([207, null, null]);
    const bytes = await first.text();
    expect((JSON.parse(bytes) as BatchBody).data).toMatchObject([
      { status: "queued", index: 0 },
      { status: "failed", index: 1, error: { type: "validation_error" } },
      { status: "queued", index: 2 },
    ]);
    const again = await post(body, { "Idempotency-Key": "mixed" });
    expect([again.status, again.headers.get("Idempotent-Replayed"), await again.text()]).toEqual([
      207,
      "true",
      bytes,
    ]);
    await expect.poll(usage, { interval: 100 }).toMatchObject({ messages: 0, dailyUsed: 2 });
    expect(egress.carried.map(({ rcpt_to }) => rcpt_to).toSorted()).toEqual([
      "person-1@receiver.example",
      "person-3@receiver.example",
    ]);
    expect(egress.to("person-3@receiver.example")[0]?.message.length).toBeGreaterThan(1_000_000);
    await expect
      .poll(async () => (await bindings.CONTENT.list({ prefix: "content/" })).objects)
      .toEqual([]);
  });
});

describe("a batch that is refused", () => {
  it("is answered with 400 for one invalid entry, and sends nothing", async () => {
    const response = await post({
      defaults: { from: `hello@${domain}` },
      emails: [entry(1), { ...entry(2), subject: 5 }],
    });
    expect(response.status).toBe(400);
    expect(await response.json<ErrorBody>()).toEqual({
      error: {
        type: "validation_error",
        message: "The request is not valid: emails.1.subject must be a string",
        errors: { "emails.1.subject": ["must be a string"] },
      },
    });
    expect(await usage()).toMatchObject({ dailyUsed: 0 });
  });

  it("is answered with 429 in the quota's own shape when it is over the day's volume", async () => {
    const small = await makeTeam({ limits: { daily: 1 } });
    const from = `hello@${await makeSendingDomain(small.id)}`;
    const response = await call("POST", "/v1/email/batch", {
      key: small.key,
      body: { defaults: { from }, emails: [entry(1), entry(2)] },
    });
    const body = await response.json<{ retry_after_seconds: number }>();
    expect([response.status, body]).toEqual([
      429,
      {
        error: "quota_exceeded",
        message: "The team's daily sending limit of 1 is reached.",
        scope: "daily",
        limit: 1,
        retry_after_seconds: expect.any(Number) as number,
      },
    ]);
    expect(response.headers.get("Retry-After")).toBe(String(body.retry_after_seconds));
  });

  it("is answered with 429 and an error for each item when all are over a label cap", async () => {
    const capped = await makeTeam({ label_caps: { topic_per_hour: 0 } });
    const from = `hello@${await makeSendingDomain(capped.id)}`;
    const emails = [1, 2].map((index) => ({ ...entry(index), topic: "news" }));
    const response = await call("POST", "/v1/email/batch", {
      key: capped.key,
      body: { defaults: { from }, emails },
    });
    const error = {
      type: "quota_exceeded",
      message: "The team's limit of distinct labels (topic_cardinality) of 0 is reached.",
      scope: "topic_cardinality",
      limit: 0,
      retry_after_seconds: 3_600,
    };
    expect([response.status, response.headers.get("Retry-After"), await response.json()]).toEqual([
      429,
      "3600",
      {
        summary: { total: 2, queued: 0, failed: 2 },
        data: [0, 1].map((index) => ({ status: "failed", index, error })),
      },
    ]);
  });

  it("is refused unread without a key, as a form, and over 5 MB", async () => {
    expect((await call("POST", "/v1/email/batch", { body: { emails: [] } })).status).toBe(401);
    expect((await call("GET", "/v1/email/batch", { key: team.key })).status).toBe(405);
    expect(
      (
        await call("POST", "/v1/email/batch", {
          key: team.key,
          raw: "a=1",
          headers: { "Content-Type": "text/plain" },
        })
      ).status,
    ).toBe(415);
    const huge = await post({ emails: [{ ...entry(1), text: "x".repeat(5 * 1024 * 1024) }] });
    expect([huge.status, await huge.json()]).toEqual([413, { error: "payload_too_large" }]);
  });
});
