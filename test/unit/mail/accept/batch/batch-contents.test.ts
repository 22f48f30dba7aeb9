// Tests how a batch's contents are stored if the ledger has no room for them. They go to R2, a few
// at the same time, before their messages are accepted. If a message is refused, its content is
// removed again.
import { Buffer } from "node:buffer";
import { describe, expect, it } from "vitest";
import type { Env } from "../../../../../src/env.ts";
import { decodeContent } from "../../../../../src/mail/stored-content.ts";
import { bindings } from "../../../../support/api.ts";
import { makeSender, rowOf, sendBatch, textOf, usageOf } from "../sender-fixture.ts";
import { batch, bodyOf } from "./batch-answers.ts";

/** Content of more than 1 MB, which is stored in R2. */
const LARGE = { text: "é".repeat(530_000) };
const LOST = { ...LARGE, subject: "lost" };

/**
 * Returns a fake R2 bucket. It records which contents it got, how many at the same time, and which
 * it still has.
 */
function watchBucket(
  fails: (put: number) => boolean = () => false,
  until: Promise<unknown> = scheduler.wait(0),
) {
  const keys: string[] = [];
  const seen = { keys, atOnce: 0 };
  let under = 0;
  const put = async (key: string, value: Uint8Array<ArrayBuffer>): Promise<unknown> => {
    keys.push(key);
    const count = keys.length;
    under += 1;
    seen.atOnce = Math.max(seen.atOnce, under);
    await Promise.all([scheduler.wait(5), until]);
    under -= 1;
    if (fails(count)) throw new Error("R2 is down");
    return bindings.CONTENT.put(key, value);
  };
  const CONTENT = {
    put,
    delete: (gone: string[]) => bindings.CONTENT.delete(gone),
  } as unknown as R2Bucket;
  const left = async (): Promise<string[]> => {
    const found = await Promise.all(keys.map((key) => bindings.CONTENT.head(key)));
    return keys.filter((_, index) => found[index] !== null);
  };
  return { env: { CONTENT } satisfies Partial<Env>, seen, left };
}

describe("large contents of a batch", () => {
  it("are in R2 under their messages' ids, with default attachments; small contents are not", async () => {
    const sender = await makeSender();
    const { env, seen } = watchBucket();
    const bytes = Buffer.alloc(1_050_000, "ABC");
    const attached = { filename: "a.txt", content: bytes.toString("base64") };
    const body = {
      defaults: { attachments: [{ ...attached, content_type: "text/plain" }] },
      emails: [sender.body(), sender.body({ text: "Other" })],
    };
    const result = await sendBatch(sender, body, { env });
    const small = bodyOf(await batch(sender, [{}, LARGE], { env })).data;
    const ids = bodyOf(result).data.map(({ id }) => id ?? "");
    expect(seen.keys).toEqual([...ids, small[1]?.id].map((id) => `content/${id}`));
    const stored = await bindings.CONTENT.get(`content/${ids[1]}`);
    const { attachments, ...texts } = decodeContent(new Uint8Array(await stored!.arrayBuffer()));
    expect(texts).toEqual({ text: "Other", html: null });
    expect(attachments).toMatchObject([
      { filename: "a.txt", contentType: "text/plain", contentId: null },
    ]);
    expect(bytes.equals(attachments[0]!.content)).toBe(true);
  });

  it("are written six at a time, or fewer at a time if they are megabytes", async () => {
    const sender = await makeSender();
    const some = watchBucket();
    const eight = Array.from({ length: 8 }, () => LARGE);
    expect(await batch(sender, eight, { env: some.env })).toMatchObject({ status: 202 });
    expect([some.seen.atOnce, some.seen.keys.length]).toEqual([6, 8]);
    const huge = watchBucket();
    const emails = Array.from({ length: 6 }, () => sender.body());
    // Each attachment has 3.3 MB, so five messages have 16 MB of content.
    const attachments = [{ filename: "a", content: "A".repeat(4_400_000) }];
    const body = { emails, defaults: { attachments } };
    expect(await sendBatch(sender, body, { env: huge.env })).toMatchObject({ status: 202 });
    expect([huge.seen.atOnce, huge.seen.keys.length]).toEqual([5, 6]);
  });

  it("are removed for items over a label cap, and for all items over the volume quota", async () => {
    const sender = await makeSender({ labelCaps: { topicPerHour: 1 } });
    const some = watchBucket();
    const topics = ["one", "two"].map((topic) => ({ ...LARGE, topic }));
    const items = bodyOf(await batch(sender, topics, { env: some.env })).data;
    expect(items.map(({ status }) => status)).toEqual(["queued", "failed"]);
    expect(await some.left()).toEqual([`content/${items[0]?.id}`]);
    const none = watchBucket();
    const options = { key: "k", env: none.env, team: { limits: { daily: 1 } } };
    expect(await batch(sender, [LARGE, LARGE], options)).toMatchObject({
      refusal: { code: "quota_exceeded" },
    });
    expect([none.seen.keys.length, await none.left()]).toEqual([2, []]);
  });
});

describe("contents of a batch up to 1 MB each", () => {
  const attached = (bytes: number) => ({
    attachments: [{ filename: "a", content: Buffer.alloc(bytes).toString("base64") }],
  });

  it("are in the ledger up to 8 MB together; beyond that they are in R2, except small contents", async () => {
    const sender = await makeSender();
    const emails = Array.from({ length: 10 }, () => sender.body());
    const some = watchBucket();
    const defaults = attached(800_000);
    expect(await sendBatch(sender, { emails, defaults }, some)).toMatchObject({ status: 202 });
    expect(some.seen.keys).toEqual([]);
    const more = watchBucket();
    const result = await sendBatch(
      sender,
      { emails: [...emails, sender.body(attached(40_000))], defaults: attached(840_000) },
      { env: more.env },
    );
    expect(bodyOf(result).data).toHaveLength(11);
    expect(more.seen.keys).toHaveLength(11);
    expect(await usageOf(sender)).toMatchObject({ messages: 21 });
  });

  it("are in R2 beside a content over 1 MB, except small contents", async () => {
    const sender = await makeSender();
    const { env, seen } = watchBucket();
    const ids = bodyOf(
      await batch(sender, [attached(200_000), LARGE, attached(50_000)], { env }),
    ).data.map(({ id }) => id);
    expect(new Set(seen.keys)).toEqual(new Set(ids.slice(0, 2).map((id) => `content/${id}`)));
    expect(await rowOf(sender, ids[2] ?? "")).toMatchObject({ contentKey: null });
  });
});

describe("a batch content that can't be stored", () => {
  it("fails only its own item, and the 207 is kept for replays", async () => {
    const sender = await makeSender();
    const { env, seen, left } = watchBucket((put) => put === 2);
    const changes = [LARGE, LOST, {}];
    const result = await batch(sender, changes, { key: "k", env });
    expect(result).toMatchObject({ status: 207 });
    const items = bodyOf(result).data;
    expect(items).toMatchObject([
      { status: "queued" },
      { status: "failed", error: { type: "internal_error" } },
      { status: "queued" },
    ]);
    expect(await left()).toEqual([`content/${items[0]?.id}`]);
    expect(await batch(sender, changes, { key: "k", env })).toMatchObject({
      status: 207,
      body: textOf(result),
    });
    expect(seen.keys).toHaveLength(2);
    expect(await usageOf(sender)).toEqual({ messages: 2, jobs: 2, dailyUsed: 2 });
  });

  it.each([
    ["nothing else", []],
    ["items that failed for another reason", [{ from: "a@elsewhere.example" }]],
    ["items that a label cap kept out", [{ topic: "one" }]],
  ])(
    "beside %s is a 502 in the batch's shape that is not replayed, so that a retry can succeed at once",
    async (_, others) => {
      const sender = await makeSender({ labelCaps: { topicPerHour: 0 } });
      const { env } = watchBucket(() => true);
      for (const key of ["k", undefined]) {
        const options = { env, ...(key === undefined ? {} : { key }) };
        const result = await batch(sender, [LOST, ...others], options);
        expect(result).toMatchObject({
          kind: "reply",
          status: 502,
          headers: { "RateLimit-Limit": "1000" },
        });
        expect(result.headers).not.toHaveProperty("Retry-After");
        expect(bodyOf(result).data).toMatchObject([
          { error: { type: "internal_error" } },
          ...others.map(() => ({ status: "failed" })),
        ]);
      }
      expect(await usageOf(sender)).toEqual({ messages: 0, jobs: 0, dailyUsed: 0 });
      expect(bodyOf(await batch(sender, [LOST, ...others], { key: "k" })).data[0]).toMatchObject({
        status: "queued",
      });
    },
  );
});
