// Tests where the content of a send is stored: in the ledger, or in R2 if the content is too large
// or the ledger has no room. R2 gets the content before the message is accepted. The content is
// removed again when the message is refused.
import { Buffer } from "node:buffer";
import { describe, expect, it, vi } from "vitest";
import type { Env } from "../../../../src/env.ts";
import { LargeContent } from "../../../../src/ledger/open/large-content.ts";
import { LEDGER_LARGE_BYTES } from "../../../../src/limits.ts";
import { decodeContent } from "../../../../src/mail/stored-content.ts";
import { bindings } from "../../../support/api.ts";
import {
  acceptedId,
  contentOf,
  type FixtureSender,
  makeSender,
  RATE_HEADERS,
  rowOf,
  send,
  textOf,
  usageOf,
} from "./sender-fixture.ts";

/** Content of more than 1 MB, which is stored in R2. */
const LARGE = { text: "é".repeat(530_000) };
const MEGABYTE = 1024 * 1024;

async function storedContents(): Promise<string[]> {
  return (await bindings.CONTENT.list({ prefix: "content/" })).objects.map(({ key }) => key);
}

function makeBucket(put: R2Bucket["put"]): Partial<Env> {
  const real = bindings.CONTENT;
  return { CONTENT: { put, delete: (keys: string[]) => real.delete(keys) } as unknown as R2Bucket };
}

/** Makes a send's body with an attachment of this many bytes. */
function attached(sender: FixtureSender, bytes: number): Record<string, unknown> {
  const content = Buffer.alloc(bytes, "attached ").toString("base64");
  return sender.body({ attachments: [{ filename: "a.pdf", content }] });
}

/** Number of bytes of a message in the ledger's row: its content and its metadata together. */
async function bytesOf(sender: FixtureSender, id: string): Promise<number> {
  const { content, meta } = await rowOf(sender, id);
  return Buffer.byteLength(content ?? "") + Buffer.byteLength(meta);
}

describe("content up to 1 MB", () => {
  it("is in the row of its message, attachments as bytes, and R2 is not asked", async () => {
    const sender = await makeSender();
    const env = makeBucket(() => Promise.reject(new Error("R2 is down")));
    const id = acceptedId(await send(sender, attached(sender, 400_000), { env, key: "k" }));
    expect(await bytesOf(sender, id)).toBeLessThan(401_000);
    const { text, attachments } = await contentOf(sender, id);
    expect(text).toBe("Hi");
    expect(Buffer.alloc(400_000, "attached ").equals(attachments[0]!.content)).toBe(true);
    const long = { text: "é".repeat(300_000) };
    expect(await contentOf(sender, acceptedId(await sender.send(long, { env })))).toEqual({
      ...long,
      html: null,
      attachments: [],
    });
  });

  it("counts together with the message's facts, and is in R2 with one byte more", async () => {
    const sender = await makeSender();
    const first = acceptedId(await send(sender, attached(sender, 1_000_000)));
    const room = MEGABYTE - ((await bytesOf(sender, first)) - 1_000_000);
    const fits = acceptedId(await send(sender, attached(sender, room)));
    expect(await bytesOf(sender, fits)).toBe(MEGABYTE);
    const stored = acceptedId(await send(sender, attached(sender, room + 1)));
    expect(await rowOf(sender, stored)).toMatchObject({
      content: null,
      contentKey: `content/${stored}`,
    });
    const object = await bindings.CONTENT.get(`content/${stored}`);
    const { attachments } = decodeContent(new Uint8Array(await object!.arrayBuffer()));
    expect(attachments[0]?.content).toHaveLength(room + 1);
  });

  it("is in R2 once the ledger has no room for it; content up to 96 KB is not", async () => {
    const sender = await makeSender();
    vi.spyOn(LargeContent.prototype, "held", "get").mockReturnValue(LEDGER_LARGE_BYTES - 300_000);
    const body = attached(sender, 300_000);
    const keyed = await send(sender, body, { key: "k" });
    expect(await send(sender, body, { key: "k" })).toMatchObject({ body: textOf(keyed) });
    for (const id of [acceptedId(keyed), acceptedId(await send(sender, body))]) {
      expect(await rowOf(sender, id)).toMatchObject({ content: null, contentKey: `content/${id}` });
      expect(await bindings.CONTENT.head(`content/${id}`)).not.toBeNull();
    }
    const small = acceptedId(await send(sender, attached(sender, 90_000)));
    expect(await rowOf(sender, small)).toMatchObject({ contentKey: null });
    expect(await usageOf(sender)).toMatchObject({ messages: 3 });
  });
});

describe("content over 1 MB", () => {
  it("is stored once, however often its send is replayed", async () => {
    const sender = await makeSender();
    const first = await sender.send(LARGE, { key: "k" });
    const stored = await bindings.CONTENT.get(`content/${acceptedId(first)}`);
    expect(decodeContent(new Uint8Array(await stored!.arrayBuffer()))).toEqual({
      ...LARGE,
      html: null,
      attachments: [],
    });
    const before = await storedContents();
    expect(await sender.send(LARGE, { key: "k" })).toMatchObject({
      status: 202,
      body: textOf(first),
    });
    expect(await storedContents()).toEqual(before);
  });

  it("is removed when the message is over the quota", async () => {
    const sender = await makeSender({ limits: { daily: 1 } });
    const before = await storedContents();
    const two = { ...LARGE, to: ["a@example.org", "b@example.org"] };
    expect(await sender.send(two, { key: "k" })).toMatchObject({
      refusal: { code: "quota_exceeded" },
    });
    expect(await storedContents()).toEqual(before);
  });

  it("that can't be stored makes the answer a 502, and a retry under the same key succeeds", async () => {
    const sender = await makeSender();
    const broken = makeBucket(() => Promise.reject(new Error("R2 is down")));
    for (const key of ["k", undefined]) {
      const options = { env: broken, ...(key === undefined ? {} : { key }) };
      expect(await sender.send(LARGE, options)).toMatchObject({
        kind: "thrown",
        refusal: { code: "pipeline_unavailable" },
        headers: RATE_HEADERS,
      });
    }
    expect(await usageOf(sender)).toEqual({ messages: 0, jobs: 0, dailyUsed: 0 });
    expect(await sender.send(LARGE, { key: "k" })).toMatchObject({ status: 202 });
  });

  it("locks the send's key while it is stored: a concurrent request is refused with 409", async () => {
    const sender = await makeSender();
    const { promise: gate, resolve: open } = Promise.withResolvers<void>();
    const { promise: atGate, resolve: arrived } = Promise.withResolvers<void>();
    const slow = makeBucket((async (key: string, value: Uint8Array<ArrayBuffer>) => {
      arrived();
      await gate;
      return bindings.CONTENT.put(key, value);
    }) as R2Bucket["put"]);
    const first = sender.send(LARGE, { key: "k", env: slow });
    await atGate;
    expect(await sender.send(LARGE, { key: "k" })).toMatchObject({
      refusal: { code: "idempotency_concurrent" },
      headers: RATE_HEADERS,
    });
    open();
    expect(await first).toMatchObject({ status: 202 });
  });
});
