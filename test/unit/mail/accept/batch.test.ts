// A batch from its bytes to the ledger: what each item is answered, what they add up to, and what
// of it is kept for replays.
import { describe, expect, it } from "vitest";
import type { Env } from "../../../../src/env.ts";
import { bindings } from "../../../support/api.ts";
import {
  acceptedId,
  booksOf,
  insertDomain,
  makeSender,
  type Result,
  send,
  sendBatch,
  type FixtureSender,
} from "./fixture.ts";

const RATE_HEADERS = {
  "RateLimit-Limit": expect.stringMatching(/^\d+$/) as string,
  "RateLimit-Remaining": expect.stringMatching(/^\d+$/) as string,
  "RateLimit-Reset": expect.stringMatching(/^\d+$/) as string,
};
const ID = expect.stringMatching(
  /^email_[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/,
) as string;
const TIME = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/) as string;
const FOREIGN = { from: "a@elsewhere.example" };
const FROM_FOREIGN = {
  type: "validation_error",
  message:
    "The request is not valid: from must be on a verified domain of the team: elsewhere.example is not one",
  errors: { from: ["must be on a verified domain of the team: elsewhere.example is not one"] },
};

interface Item {
  readonly status: string;
  readonly index: number;
  readonly id?: string;
  readonly error?: Record<string, unknown>;
}

interface BatchBody {
  readonly summary: { readonly total: number; readonly queued: number; readonly failed: number };
  readonly data: readonly Item[];
}

/** Sends entries that are valid but for their changes. */
function batch(
  sender: FixtureSender,
  changes: readonly Record<string, unknown>[],
  options: Parameters<typeof sendBatch>[2] = {},
): Promise<Result> {
  return sendBatch(sender, { emails: changes.map((change) => sender.body(change)) }, options);
}

function bodyOf(result: Result): BatchBody {
  if (result.kind !== "reply") throw new Error(JSON.stringify(result));
  return JSON.parse(result.body) as BatchBody;
}

/** Of a 400 in the envelope. */
function errorsOf(result: Result): Record<string, string[]> {
  if (result.kind !== "reply" || result.status !== 400) throw new Error(JSON.stringify(result));
  return (JSON.parse(result.body) as { error: { errors: Record<string, string[]> } }).error.errors;
}

const queued = (index: number) => ({ status: "queued", index, id: ID, created_at: TIME });
const failed = (index: number, error: unknown) => ({ status: "failed", index, error });
const capped = (index: number, retryAfter: unknown = expect.any(Number)) =>
  failed(index, {
    type: "quota_exceeded",
    message: expect.stringContaining("topic_cardinality") as string,
    scope: "topic_cardinality",
    limit: 1,
    retry_after_seconds: retryAfter,
  });

async function makeCapped(
  caps: Partial<FixtureSender["team"]["labelCaps"]> = { topicPerHour: 1 },
): Promise<FixtureSender> {
  const { team } = await makeSender();
  return makeSender({ labelCaps: { ...team.labelCaps, ...caps } });
}

/** Replayed: the same status and bytes, and nothing accepted once more. */
async function expectReplay(
  sender: FixtureSender,
  first: Result,
  again: () => Promise<Result>,
): Promise<void> {
  const books = await booksOf(sender);
  expect(await again()).toEqual({
    ...first,
    headers: { ...RATE_HEADERS, "Idempotent-Replayed": "true" },
  });
  expect(await booksOf(sender)).toEqual(books);
}

describe("a batch that is taken", () => {
  it("answers 202 with an id for each entry, in the request's order, and debits every recipient", async () => {
    const sender = await makeSender();
    const now = Date.now();
    const result = await batch(sender, [{}, { to: ["a@example.org", "b@example.org"] }, {}], {
      now,
    });
    expect(result).toEqual({
      kind: "reply",
      status: 202,
      body: expect.any(String) as string,
      headers: RATE_HEADERS,
    });
    const body = bodyOf(result);
    expect(body).toEqual({
      summary: { total: 3, queued: 3, failed: 0 },
      data: [queued(0), queued(1), queued(2)],
    });
    const [first] = body.data;
    expect((result as { body: string }).body).toMatch(
      `{"summary":{"total":3,"queued":3,"failed":0},"data":[{"status":"queued","index":0,"id":"${first?.id}","created_at":"${new Date(now).toISOString()}"},`,
    );
    expect(new Set(body.data.map(({ id }) => id)).size).toBe(3);
    expect(await booksOf(sender)).toEqual({ messages: 3, jobs: 4, dailyUsed: 4 });
  });

  it("costs one request of the rate, whatever its size", async () => {
    const { team } = await makeSender();
    const sender = await makeSender({ limits: { ...team.limits, requestsPerSecond: 1 } });
    const now = Date.now();
    const hundred = Array.from({ length: 100 }, () => ({}));
    expect(await batch(sender, hundred, { now })).toMatchObject({
      status: 202,
      headers: { "RateLimit-Remaining": "1" },
    });
    expect(await batch(sender, [{ text: "é".repeat(60_000) }, {}], { now })).toMatchObject({
      status: 202,
    });
    expect(await batch(sender, [{}], { now })).toEqual({
      kind: "thrown",
      refusal: { code: "rate_limited" },
      headers: RATE_HEADERS,
    });
    expect(await booksOf(sender)).toMatchObject({ messages: 102 });
  });

  it("looks each sender's domain up once", async () => {
    const sender = await makeSender();
    let lookups = 0;
    const DB = new Proxy(bindings.DB, {
      get: (db, name) => {
        if (name === "prepare") lookups += 1;
        const member = Reflect.get(db, name) as unknown;
        return typeof member === "function" ? (member.bind(db) as unknown) : member;
      },
    });
    await batch(
      sender,
      [...Array.from({ length: 50 }, () => ({})), ...Array.from({ length: 50 }, () => FOREIGN)],
      { env: { DB } },
    );
    expect(lookups).toBe(2);
  });

  it("fits one call to the ledger when 100 messages are as large as may ride in their rows", async () => {
    const { team } = await makeSender();
    const sender = await makeSender({ limits: { ...team.limits, deliveryRatePerMinute: 0 } });
    const room = 96 * 1024 - JSON.stringify({ text: "", html: null, attachments: [] }).length - 3;
    const result = await sendBatch(sender, {
      defaults: {
        text: `€${"x".repeat(room)}`,
        headers: Object.fromEntries(
          Array.from({ length: 7 }, (_, n) => [`X-${n}`, "€".repeat(8_000)]),
        ),
      },
      emails: Array.from({ length: 100 }, () => sender.body({ text: undefined })),
    });
    expect(bodyOf(result).summary).toEqual({ total: 100, queued: 100, failed: 0 });
  });
});

describe("a batch that validation refuses", () => {
  it("sends nothing, and answers 400 in the envelope for errors that are 422 in a single send", async () => {
    const sender = await makeSender();
    const changes = [{}, {}, {}, { subject: "" }];
    const result = await batch(sender, changes, { key: "k" });
    expect(result).toEqual({
      kind: "reply",
      status: 400,
      body: '{"error":{"type":"validation_error","message":"The request is not valid: emails.3.subject must not be empty","errors":{"emails.3.subject":["must not be empty"]}}}',
      headers: RATE_HEADERS,
    });
    expect(await booksOf(sender)).toEqual({ messages: 0, jobs: 0, dailyUsed: 0 });
    await expectReplay(sender, result, () => batch(sender, changes, { key: "k" }));
  });

  it.each([
    ["nonsense", "body"],
    ["[]", "body"],
    ["{}", "emails"],
    ['{"emails":[]}', "emails"],
    ['{"emails":[1]}', "emails.0"],
    ['{"emails":[{}],"defaults":{"from":1}}', "defaults.from"],
  ])("answers %s with 400 on %s", async (body, path) => {
    const sender = await makeSender();
    expect(errorsOf(await sendBatch(sender, body))).toMatchObject({ [path]: [expect.any(String)] });
  });

  it("refuses the whole for a template of one entry that the team has not published", async () => {
    const sender = await makeSender();
    const changes = [{}, { text: undefined, template_id: `template_${crypto.randomUUID()}` }];
    expect(errorsOf(await batch(sender, changes))).toEqual({
      "emails.1.template_id": [expect.any(String)],
    });
  });

  it("refuses more headers than one call to the ledger holds, instead of a fault on every retry", async () => {
    const sender = await makeSender();
    const headers = Object.fromEntries(
      Array.from({ length: 25 }, (_, n) => [`X-${n}`, "€".repeat(8_000)]),
    );
    const result = await sendBatch(sender, {
      defaults: { headers },
      emails: Array.from({ length: 100 }, () => sender.body()),
    });
    expect(errorsOf(result)).toEqual({ emails: [expect.stringContaining("hold more than")] });
  });

  it("judges the senders' domains only when every entry is valid", async () => {
    const sender = await makeSender();
    const result = await batch(sender, [FOREIGN, { subject: "" }]);
    expect((result as { body: string }).body).not.toContain("elsewhere");
  });
});

describe("items that fail at the domain check", () => {
  it("leave the others queued: 207, which is replayed with its outcomes and sends nothing again", async () => {
    const sender = await makeSender();
    const changes = [{}, FOREIGN, {}];
    const result = await batch(sender, changes, { key: "k" });
    expect(result).toMatchObject({ kind: "reply", status: 207 });
    expect(result.headers).toEqual(RATE_HEADERS);
    expect(bodyOf(result)).toEqual({
      summary: { total: 3, queued: 2, failed: 1 },
      data: [queued(0), failed(1, FROM_FOREIGN), queued(2)],
    });
    expect(await booksOf(sender)).toEqual({ messages: 2, jobs: 2, dailyUsed: 2 });
    await insertDomain(
      sender.team.id,
      { id: `domain_${crypto.randomUUID()}`, name: "elsewhere.example" },
      "verified",
    );
    await expectReplay(sender, result, () =>
      batch(sender, changes, { key: "k", now: Date.now() + 60_000 }),
    );
  });

  it("are 400 in the batch's shape when they are all, and that is kept too", async () => {
    const sender = await makeSender();
    const result = await batch(sender, [FOREIGN, {}], {
      key: "k",
      allowedDomains: ["other.example"],
    });
    expect(result).toMatchObject({ kind: "reply", status: 400 });
    expect(bodyOf(result)).toEqual({
      summary: { total: 2, queued: 0, failed: 2 },
      data: [
        failed(0, expect.objectContaining({ type: "validation_error" })),
        failed(1, {
          type: "validation_error",
          message: expect.stringContaining(
            "The request is not valid: from may not use the domain",
          ) as string,
          errors: { from: [expect.stringContaining(sender.domain.name) as string] },
        }),
      ],
    });
    await expectReplay(sender, result, () => batch(sender, [FOREIGN, {}], { key: "k" }));
  });

  it("include those that inherited an IP pool that is not the team's", async () => {
    const sender = await makeSender();
    const emails = [sender.body(), sender.body({ ip_pool: "receipts" })];
    const result = await sendBatch(sender, { defaults: { ip_pool: "theirs" }, emails });
    expect(result).toMatchObject({ status: 207 });
    expect(bodyOf(result).data).toMatchObject([
      {
        status: "failed",
        error: {
          type: "validation_error",
          errors: { ip_pool: ["is not an IP pool of this team: the team's pools are receipts"] },
        },
      },
      { status: "queued" },
    ]);
    expect(
      await sendBatch(sender, { defaults: { ip_pool: "theirs" }, emails: [sender.body()] }),
    ).toMatchObject({ status: 400 });
  });
});

describe("the quota", () => {
  it("of the day refuses the batch as a whole, flat, and keeps nothing of that", async () => {
    const { team } = await makeSender();
    const sender = await makeSender({ limits: { ...team.limits, daily: 2 } });
    expect(await batch(sender, [{}, {}, {}], { key: "k" })).toMatchObject({
      kind: "thrown",
      refusal: { code: "quota_exceeded", quota: { scope: "daily", limit: 2 } },
      headers: RATE_HEADERS,
    });
    expect(await booksOf(sender)).toEqual({ messages: 0, jobs: 0, dailyUsed: 0 });
    expect(
      await batch(sender, [{}, {}, {}], { key: "k", team: { limits: team.limits } }),
    ).toMatchObject({ status: 202 });
  });

  it("of the month does so too, and asks nothing for items that failed before", async () => {
    const { team } = await makeSender();
    const sender = await makeSender({ limits: { ...team.limits, monthly: 2 } });
    expect(
      await batch(sender, [{ to: ["a@example.org", "b@example.org", "c@example.org"] }]),
    ).toMatchObject({
      refusal: { code: "quota_exceeded", quota: { scope: "monthly" } },
    });
    expect(await batch(sender, [{}, FOREIGN, {}])).toMatchObject({ status: 207 });
  });

  it("of labels fails the items over it with their scope, limit and wait; the others are queued: 207 without Retry-After", async () => {
    const sender = await makeCapped();
    const changes = [{ topic: "one" }, { topic: "two" }, {}, { topic: "one" }];
    const result = await batch(sender, changes, { key: "k" });
    expect(result).toMatchObject({ kind: "reply", status: 207 });
    expect(result.headers).toEqual(RATE_HEADERS);
    expect(bodyOf(result)).toEqual({
      summary: { total: 4, queued: 3, failed: 1 },
      data: [queued(0), capped(1, 3_600), queued(2), queued(3)],
    });
    expect(await booksOf(sender)).toEqual({ messages: 3, jobs: 3, dailyUsed: 3 });
    await expectReplay(sender, result, () => batch(sender, changes, { key: "k" }));
  });

  it("of labels that every item is over is 429 in the batch's shape, with the widest wait, and is not kept", async () => {
    const sender = await makeCapped({ topicPerHour: 1, campaignPer72Hours: 1 });
    const now = Date.now();
    await batch(sender, [{ topic: "one", campaign: "one" }], { now });
    const changes = [{ topic: "two" }, { campaign: "two" }];
    const result = await batch(sender, changes, { key: "k", now: now + 60_000 });
    expect(result).toMatchObject({ kind: "reply", status: 429 });
    expect(result.headers).toEqual({ ...RATE_HEADERS, "Retry-After": String(72 * 3_600 - 60) });
    const campaign = {
      scope: "campaign_cardinality",
      limit: 1,
      retry_after_seconds: 72 * 3_600 - 60,
    };
    expect(bodyOf(result)).toMatchObject({
      summary: { total: 2, queued: 0, failed: 2 },
      data: [capped(0, 3_540), failed(1, { type: "quota_exceeded", ...campaign })],
    });
    expect(await batch(sender, changes, { key: "k", now: now + 73 * 3_600_000 })).toMatchObject({
      status: 202,
    });
  });

  it("of labels is 429 in the batch's shape for a batch of one", async () => {
    const sender = await makeCapped({ topicPerHour: 0 });
    expect(bodyOf(await batch(sender, [{ topic: "one" }])).data).toMatchObject([
      { status: "failed", error: { limit: 0 } },
    ]);
  });

  it("of labels and the domain check between them are the caller's doing: 400, kept", async () => {
    const sender = await makeCapped({ topicPerHour: 0 });
    const changes = [{ topic: "one" }, FOREIGN];
    const result = await batch(sender, changes, { key: "k" });
    expect(result).toMatchObject({ kind: "reply", status: 400 });
    expect(result.headers).toEqual(RATE_HEADERS);
    expect(bodyOf(result).summary).toEqual({ total: 2, queued: 0, failed: 2 });
    await expectReplay(sender, result, () =>
      batch(sender, changes, {
        key: "k",
        team: { labelCaps: { ...sender.team.labelCaps, topicPerHour: 1 } },
      }),
    );
  });
});

describe("an Idempotency-Key", () => {
  it("is one cache for single sends and batches: used for the other it is a mismatch", async () => {
    const sender = await makeSender();
    const single = sender.body();
    const both = { ...single, emails: [single] };
    acceptedId(await send(sender, both, { key: "first single" }));
    expect(await sendBatch(sender, both, { key: "first single" })).toMatchObject({
      refusal: { code: "idempotency_mismatch" },
    });
    expect(await sendBatch(sender, both, { key: "first batch" })).toMatchObject({ status: 202 });
    expect(await send(sender, both, { key: "first batch" })).toMatchObject({
      refusal: { code: "idempotency_mismatch" },
    });
    expect(await booksOf(sender)).toMatchObject({ messages: 2 });
  });

  it("of the wrong form is refused before anything is looked at", async () => {
    const sender = await makeSender();
    expect(await sendBatch(sender, "nonsense", { key: "é" })).toMatchObject({
      kind: "thrown",
      refusal: { code: "malformed" },
    });
  });
});

it("answers a ledger that can't be reached with 502 in the batch's shape, and 502 for what validation refused", async () => {
  const sender = await makeSender();
  const down = () => Promise.reject(new Error("Durable Object reset"));
  const env = {
    TEAM_LEDGER: {
      getByName: () => ({ admit: down, begin: down, takeRequest: down }),
    } as unknown as Env["TEAM_LEDGER"],
  };
  const fault = { type: "internal_error", message: expect.stringContaining("Retry") as string };
  for (const change of [{}, { text: "é".repeat(60_000) }]) {
    for (const key of ["k", undefined]) {
      const result = await batch(sender, [change, FOREIGN, {}], {
        env,
        ...(key === undefined ? {} : { key }),
      });
      expect(result).toMatchObject({ kind: "reply", status: 502 });
      expect(bodyOf(result)).toEqual({
        summary: { total: 3, queued: 0, failed: 3 },
        data: [failed(0, fault), failed(1, FROM_FOREIGN), failed(2, fault)],
      });
    }
  }
  expect(await sendBatch(sender, "nonsense", { env })).toMatchObject({
    kind: "thrown",
    refusal: { code: "pipeline_unavailable" },
  });
});
