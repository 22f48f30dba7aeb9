// Stores the content of a large send in R2, before its message is accepted, and removes it again
// when the message is refused.
import { describe, expect, it } from "vitest";
import type { Env } from "../../../../src/env.ts";
import { bindings } from "../../../support/api.ts";
import { acceptedId, usageOf, makeSender, send } from "./sender-fixture.ts";

const RATE_HEADERS = {
  "RateLimit-Limit": expect.stringMatching(/^\d+$/) as string,
  "RateLimit-Remaining": expect.stringMatching(/^\d+$/) as string,
  "RateLimit-Reset": expect.stringMatching(/^\d+$/) as string,
};

/** Content that does not fit into the ledger's row. */
const LARGE = { text: "é".repeat(60_000) };

async function storedContents(): Promise<string[]> {
  return (await bindings.CONTENT.list({ prefix: "content/" })).objects.map(({ key }) => key);
}

function makeBucket(put: R2Bucket["put"]): Partial<Env> {
  const real = bindings.CONTENT;
  return { CONTENT: { put, delete: (keys: string[]) => real.delete(keys) } as unknown as R2Bucket };
}

describe("large content", () => {
  it("is stored once, however often its send is replayed", async () => {
    const sender = await makeSender();
    const first = await send(sender, sender.body(LARGE), { key: "k" });
    const stored = await bindings.CONTENT.get(`content/${acceptedId(first)}`);
    expect(await stored?.json()).toEqual({ text: LARGE.text, html: null, attachments: [] });
    const before = await storedContents();
    expect(await send(sender, sender.body(LARGE), { key: "k" })).toMatchObject({
      status: 202,
      body: (first as { body: string }).body,
    });
    expect(await storedContents()).toEqual(before);
  });

  it("is stored without an idempotency key too", async () => {
    const sender = await makeSender();
    expect(
      await bindings.CONTENT.head(`content/${acceptedId(await send(sender, sender.body(LARGE)))}`),
    ).not.toBeNull();
  });

  it("starts above 96 KB of UTF-8; smaller content stays in the row of its message", async () => {
    const sender = await makeSender();
    const room = 96 * 1024 - JSON.stringify({ text: "", html: null, attachments: [] }).length;
    const inline = acceptedId(
      await send(sender, sender.body({ text: "é".repeat(Math.floor(room / 2)) })),
    );
    const stored = acceptedId(
      await send(sender, sender.body({ text: `${"é".repeat(Math.floor(room / 2))}xx` })),
    );
    expect(await bindings.CONTENT.head(`content/${inline}`)).toBeNull();
    expect(await bindings.CONTENT.head(`content/${stored}`)).not.toBeNull();
  });

  it("is removed when the message is over the quota", async () => {
    const base = await makeSender();
    const sender = await makeSender({ limits: { ...base.team.limits, daily: 1 } });
    const before = await storedContents();
    expect(
      await send(sender, sender.body({ ...LARGE, to: ["a@example.org", "b@example.org"] }), {
        key: "k",
      }),
    ).toMatchObject({
      refusal: { code: "quota_exceeded" },
    });
    expect(await storedContents()).toEqual(before);
  });

  it("that can't be stored is a 502, and a retry under the same key succeeds", async () => {
    const sender = await makeSender();
    const broken = makeBucket(() => Promise.reject(new Error("R2 is down")));
    for (const key of ["k", undefined]) {
      expect(
        await send(sender, sender.body(LARGE), {
          env: broken,
          ...(key === undefined ? {} : { key }),
        }),
      ).toMatchObject({
        kind: "thrown",
        refusal: { code: "pipeline_unavailable" },
        headers: RATE_HEADERS,
      });
    }
    expect(await usageOf(sender)).toEqual({ messages: 0, jobs: 0, dailyUsed: 0 });
    expect(await send(sender, sender.body(LARGE), { key: "k" })).toMatchObject({ status: 202 });
  });

  it("being stored locks its key: a concurrent request is refused with 409", async () => {
    const sender = await makeSender();
    let open = (): void => undefined;
    const gate = new Promise<void>((resolve) => {
      open = resolve;
    });
    let arrived = (): void => undefined;
    const atGate = new Promise<void>((resolve) => {
      arrived = resolve;
    });
    const slow = makeBucket((async (key: string, value: string) => {
      arrived();
      await gate;
      return bindings.CONTENT.put(key, value);
    }) as R2Bucket["put"]);
    const first = send(sender, sender.body(LARGE), { key: "k", env: slow });
    await atGate;
    expect(await send(sender, sender.body(LARGE), { key: "k" })).toMatchObject({
      refusal: { code: "idempotency_concurrent" },
      headers: RATE_HEADERS,
    });
    open();
    expect(await first).toMatchObject({ status: 202 });
  });
});
