// Tests how a batch is accepted, from its bytes to the ledger: the answer for each item, the status
// of the response, and what is stored to repeat the response for the same idempotency key.
import { beforeEach, describe, expect, it, vi } from "vitest";
import { bindings } from "../../../../support/api.ts";
import {
  type FixtureSender,
  insertDomain,
  makeSender,
  RATE_HEADERS,
  sendBatch,
  textOf,
  usageOf,
} from "../sender-fixture.ts";
import {
  batch,
  bodyOf,
  errorsOf,
  expectReplay,
  failedItem,
  FOREIGN,
  FROM_FOREIGN,
  queuedItem,
} from "./batch-answers.ts";
import { watchedDatabase } from "../../../../support/fakes/watched-database.ts";
import { withCore } from "../../../../support/every-core.ts";
import { coreWith } from "../../../../../src/db/core-shards.ts";

let sender: FixtureSender;

beforeEach(async () => {
  sender = await makeSender();
});

const headersOf = (count: number) =>
  Object.fromEntries(Array.from({ length: count }, (_, n) => [`X-${n}`, "€".repeat(8_000)]));

describe("an accepted batch", () => {
  it("is answered with 202 and an id for each entry, and debits every recipient", async () => {
    const now = Date.now();
    const two = { to: ["a@example.org", "b@example.org"] };
    const result = await batch(sender, [{}, two, {}], { now });
    expect(result).toMatchObject({ kind: "reply", status: 202 });
    expect(result.headers).toEqual(RATE_HEADERS);
    const body = bodyOf(result);
    expect(body).toEqual({
      summary: { total: 3, queued: 3, failed: 0 },
      data: [queuedItem(0), queuedItem(1), queuedItem(2)],
    });
    const [first] = body.data;
    expect(textOf(result)).toMatch(
      `{"summary":{"total":3,"queued":3,"failed":0},"data":[{"status":"queued","index":0,"id":"${first?.id}","created_at":"${new Date(now).toISOString()}"},`,
    );
    expect(new Set(body.data.map(({ id }) => id)).size).toBe(3);
    expect(await usageOf(sender)).toEqual({ messages: 3, jobs: 4, dailyUsed: 4 });
  });

  it("looks up each sender's domain once", async () => {
    const { id } = sender.team;
    const prepare = vi.fn((sql: string) => coreWith(bindings, id).prepare(sql));
    const env = withCore(id, watchedDatabase(prepare));
    await batch(sender, [{}, FOREIGN, {}, FOREIGN], { env });
    expect(prepare).toHaveBeenCalledTimes(2);
  });

  it("fits into one call to the ledger with 100 largest inline contents", async () => {
    const room = 96 * 1024 - JSON.stringify({ text: "", html: null, attachments: [] }).length - 3;
    const defaults = { text: `€${"x".repeat(room)}`, headers: headersOf(7) };
    const emails = Array.from({ length: 100 }, () => sender.body({ text: undefined }));
    const result = await sendBatch(sender, { defaults, emails });
    expect(bodyOf(result).summary).toEqual({ total: 100, queued: 100, failed: 0 });
  });
});

describe("a batch with a validation error", () => {
  it("sends nothing, and is answered with 400 where a single send gets 422", async () => {
    const changes = [{}, {}, {}, { subject: "" }];
    const result = await batch(sender, changes, { key: "k" });
    expect(result).toEqual({
      kind: "reply",
      status: 400,
      body:
        '{"error":{"type":"validation_error","message":"The request is not valid: ' +
        'emails.3.subject must not be empty","errors":{"emails.3.subject":["must not be ' +
        'empty"]}}}',
      headers: RATE_HEADERS,
    });
    expect(await usageOf(sender)).toEqual({ messages: 0, jobs: 0, dailyUsed: 0 });
    await expectReplay(sender, result, () => batch(sender, changes, { key: "k" }));
  });

  it.each([
    ["nonsense", "body"],
    ["[]", "body"],
    ['{"emails":[{}],"defaults":{"from":1}}', "defaults.from"],
  ])("is answered with 400: %s has an error at %s", async (body, path) => {
    expect(errorsOf(await sendBatch(sender, body))).toMatchObject({ [path]: [expect.any(String)] });
  });

  it("is refused when its headers exceed one call to the ledger", async () => {
    const emails = Array.from({ length: 100 }, () => sender.body());
    const result = await sendBatch(sender, { defaults: { headers: headersOf(25) }, emails });
    expect(errorsOf(result)).toEqual({ emails: [expect.stringContaining("hold more than")] });
  });

  it("has an error about a sender's domain only if every entry is valid", async () => {
    const result = await batch(sender, [FOREIGN, { subject: "" }]);
    expect(textOf(result)).not.toContain("elsewhere");
  });
});

describe("batch items with a from domain that is not verified", () => {
  it("leave the others queued; the 207 is replayed, and sends nothing again", async () => {
    const changes = [{}, FOREIGN, {}];
    const result = await batch(sender, changes, { key: "k" });
    expect(result).toMatchObject({ kind: "reply", status: 207 });
    expect(result.headers).toEqual(RATE_HEADERS);
    expect(bodyOf(result)).toEqual({
      summary: { total: 3, queued: 2, failed: 1 },
      data: [queuedItem(0), failedItem(1, FROM_FOREIGN), queuedItem(2)],
    });
    expect(await usageOf(sender)).toEqual({ messages: 2, jobs: 2, dailyUsed: 2 });
    const elsewhere = { id: `domain_${crypto.randomUUID()}`, name: "elsewhere.example" };
    await insertDomain(sender.team.id, elsewhere, "verified");
    const later = { key: "k", now: Date.now() + 60_000 };
    await expectReplay(sender, result, () => batch(sender, changes, later));
  });

  it("are answered with 400 when no item is queued, and that is replayed too", async () => {
    const options = { key: "k", allowedDomains: ["other.example"] };
    const result = await batch(sender, [FOREIGN, {}], options);
    expect(result).toMatchObject({ kind: "reply", status: 400 });
    expect(bodyOf(result)).toEqual({
      summary: { total: 2, queued: 0, failed: 2 },
      data: [
        failedItem(0, expect.objectContaining({ type: "validation_error" })),
        failedItem(1, {
          type: "validation_error",
          message: expect.stringContaining("from may not use the domain") as string,
          errors: { from: [expect.stringContaining(sender.domain.name) as string] },
        }),
      ],
    });
    await expectReplay(sender, result, () => batch(sender, [FOREIGN, {}], { key: "k" }));
  });

  it("fail in the same way as items that inherited an unknown IP pool", async () => {
    const emails = [sender.body(), sender.body({ ip_pool: "receipts" })];
    const result = await sendBatch(sender, { defaults: { ip_pool: "theirs" }, emails });
    expect(result).toMatchObject({ status: 207 });
    const errors = { ip_pool: ["is not an IP pool of this team: the team's pools are receipts"] };
    expect(bodyOf(result).data).toMatchObject([
      { status: "failed", error: { type: "validation_error", errors } },
      { status: "queued" },
    ]);
    const failing = { defaults: { ip_pool: "theirs" }, emails: [sender.body()] };
    expect(await sendBatch(sender, failing)).toMatchObject({ status: 400 });
  });
});

describe("a permissive batch", () => {
  const templateId = `template_${crypto.randomUUID()}`;
  const unpublished = "is not a published template of this team";
  const invalid = (...errors: readonly [path: string, problem: string][]) => ({
    type: "validation_error",
    message: expect.stringMatching(
      `^The request is not valid: ${errors[0]?.[0]} ${errors[0]?.[1]}`,
    ) as string,
    errors: Object.fromEntries(
      errors.map(([path, problem]) => [path, [expect.stringContaining(problem) as string]]),
    ),
  });

  it("sends the valid messages, and fails each other with its errors as a single send", async () => {
    const body = {
      validation: "permissive",
      defaults: { ip_pool: "theirs" },
      emails: [
        sender.body({ ip_pool: undefined, subject: "" }),
        sender.body({ ip_pool: "receipts" }),
        7,
        sender.body({ ip_pool: "receipts", to: ["nobody"], text: undefined, template_id: "x" }),
        sender.body({ ip_pool: "receipts", text: undefined, template_id: templateId }),
        sender.body({ ip_pool: "receipts", subject: "{{a", variables: { a: 1 } }),
        sender.body({ ip_pool: "receipts", ...FOREIGN }),
        sender.body({ ip_pool: "receipts", subject: "", ...FOREIGN }),
        sender.body({ ip_pool: "receipts", to: ["a@example.org", "b@example.org"] }),
      ],
    };
    const result = await sendBatch(sender, body, { key: "k" });
    expect(result).toMatchObject({ kind: "reply", status: 207, headers: RATE_HEADERS });
    expect(bodyOf(result)).toEqual({
      summary: { total: 9, queued: 2, failed: 7 },
      data: [
        failedItem(0, invalid(["subject", "must not be empty"], ["ip_pool", "is not an IP pool"])),
        queuedItem(1),
        failedItem(2, invalid(["body", "must be a JSON object"])),
        failedItem(3, invalid(["to.0", "is not an email address"], ["template_id", unpublished])),
        failedItem(4, invalid(["template_id", unpublished])),
        failedItem(5, invalid(["subject", "has an error at line 1"])),
        failedItem(6, FROM_FOREIGN),
        failedItem(7, invalid(["subject", "must not be empty"])),
        queuedItem(8),
      ],
    });
    expect(await usageOf(sender)).toEqual({ messages: 2, jobs: 3, dailyUsed: 3 });
    await expectReplay(sender, result, () => sendBatch(sender, body, { key: "k" }));
    expect(errorsOf(await sendBatch(sender, { ...body, validation: "strict" }))).toEqual(
      errorsOf(await sendBatch(sender, { ...body, validation: undefined })),
    );
  });

  it("of invalid messages alone gets a 400 in the form of a batch's answer, which is replayed", async () => {
    const body = { validation: "permissive", emails: [{}, sender.body({ subject: "" })] };
    const result = await sendBatch(sender, body, { key: "k", team: { limits: { daily: 0 } } });
    expect(result).toMatchObject({ kind: "reply", status: 400 });
    expect(bodyOf(result)).toMatchObject({
      summary: { total: 2, queued: 0, failed: 2 },
      data: [{ status: "failed" }, failedItem(1, invalid(["subject", "must not be empty"]))],
    });
    await expectReplay(sender, result, () => sendBatch(sender, body, { key: "k" }));
  });

  it("takes nothing from a quota for an invalid message", async () => {
    const body = {
      validation: "permissive",
      emails: [sender.body(), sender.body({ subject: "" }), sender.body({ to: ["nobody"] })],
    };
    const team = { limits: { daily: 1 } };
    expect(await sendBatch(sender, body, { team })).toMatchObject({ status: 207 });
    const refused = { kind: "thrown", refusal: { code: "quota_exceeded" } };
    expect(await sendBatch(sender, body, { team })).toMatchObject(refused);
  });

  it("names 100 errors in all, and at least the first of each message, however long they are", async () => {
    const long = `{{${"€".repeat(2_000)} 1}}`;
    const headers = Object.fromEntries(Array.from({ length: 25 }, (_, n) => [`X-${n}`, long]));
    const emails = Array.from({ length: 100 }, () => ({ variables: { a: 1 } }));
    const body = {
      validation: "permissive",
      defaults: sender.body({ headers, to: undefined }),
      emails: emails.map((entry) => ({ ...entry, to: ["a@example.org"] })),
    };
    const result = await sendBatch(sender, body, { key: "k" });
    const named = bodyOf(result).data.map(({ error }) => Object.keys(error?.["errors"] ?? {}));
    expect(named.map(({ length }) => length)).toEqual([
      ...Array.from({ length: 4 }, () => 25),
      ...Array.from({ length: 96 }, () => 1),
    ]);
    expect(JSON.stringify(bodyOf(result)).length).toBeLessThan(400_000);
    await expectReplay(sender, result, () => sendBatch(sender, body, { key: "k" }));
  });
});
