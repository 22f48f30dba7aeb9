// Tests the objects with the kept content of sent mail (src/resources/sent-content): their form,
// their names and their end.
import { Buffer } from "node:buffer";
import { fc } from "../../support/properties.ts";
import { describe, expect, it, vi } from "vitest";
import { newEmailId, newId } from "../../../src/lib/ids.ts";
import { DAY_MS } from "../../../src/limits.ts";
import {
  type WholeMessage,
  packSent,
  unpackSent,
} from "../../../src/resources/sent-content/sent-form.ts";
import {
  findSent,
  sentKeyOf,
  putSent,
  removeExpiredSent,
  removeSentOf,
} from "../../../src/resources/sent-content/sent-objects.ts";
import { bindings } from "../../support/api.ts";

const bucket = bindings.CONTENT;
const NOON = Date.UTC(2001, 5, 10, 12);

const someMessage = (content: WholeMessage["content"], startsAt = NOON): WholeMessage => ({
  startsAt,
  meta: JSON.stringify({ subject: "grün\n" }),
  content,
});

const someName = (startsAt = NOON, teamId = newId("team")) => ({
  teamId,
  emailId: newEmailId(startsAt),
  startsAt,
});

describe("a kept message", () => {
  it("is read as it was written, in any size, and never if it is cut", () => {
    const bytes = fc.uint8Array({ maxLength: 9_000 }).map((octets) => new Uint8Array(octets));
    const text = fc.string({ unit: "binary", maxLength: 4_500 }).map((one) => one.toWellFormed());
    fc.assert(
      fc.property(fc.oneof(bytes, text), fc.nat(), (content, cut) => {
        const stored = packSent(someMessage(content));
        const { content: read, ...rest } = unpackSent(stored);
        expect(Buffer.from(read)).toEqual(Buffer.from(content));
        expect({ ...rest, content: "" }).toEqual(someMessage(""));
        expect(typeof read).toBe(typeof content);
        expect(() => unpackSent(stored.subarray(0, cut % stored.length))).toThrow();
      }),
    );
  });

  it("is compressed between 4 KB and 1 MB", () => {
    const sizes = [2_000, 50_000, 2_000_000].map(
      (size) => packSent(someMessage("x".repeat(size))).length / size,
    );
    expect(sizes.map((share) => share < 0.1)).toEqual([false, true, false]);
  });
});

describe("the objects in R2", () => {
  it("include one for each message: if two consumers put it at once, the first one stays", async () => {
    const name = someName();
    const puts = ["one", "two"].map((text) => putSent(bucket, name, 7, someMessage(text)));
    await Promise.all(puts);
    const before = await findSent(bucket, name, 7);
    await putSent(bucket, name, 7, someMessage("three"));
    expect(await findSent(bucket, name, 7)).toEqual(before);
    const listed = await bucket.list({ prefix: `kept/20010617/${name.teamId}/` });
    expect(listed.objects).toHaveLength(1);
  });

  it("are found with the number of days that applied when they were stored, whatever applies now", async () => {
    const name = someName();
    await putSent(bucket, name, 30, someMessage("text"));
    for (const likely of [3, 7, 30] as const)
      expect(await findSent(bucket, name, likely)).toMatchObject({
        days: 30,
        kept: { content: "text" },
      });
    expect(await findSent(bucket, someName(), 3)).toBeNull();
  });

  it("do not count as found if they are cut off", async () => {
    vi.spyOn(console, "log").mockImplementation(() => {});
    const name = someName();
    await bucket.put(sentKeyOf(name, 3), packSent(someMessage("text")).subarray(0, 60));
    expect(await findSent(bucket, name, 3)).toBeNull();
  });

  it("are removed when their days are over, the oldest first, until the allowed calls are used up", async () => {
    const names = [0, 1, 2].map((day) => someName(NOON + day * DAY_MS));
    for (const name of names) await putSent(bucket, name, 3, someMessage("", name.startsAt));
    const left = async () => {
      const found = await Promise.all(names.map((name) => findSent(bucket, name, 3)));
      return found.map((one) => one !== null);
    };
    expect(await removeExpiredSent(bucket, NOON + 3 * DAY_MS, 9)).toBe(8);
    expect(await left()).toEqual([true, true, true]);
    expect(await removeExpiredSent(bucket, NOON + 5 * DAY_MS, 9)).toBe(7);
    expect(await left()).toEqual([false, false, true]);
  });

  it("of a deleted team are removed, and no others", async () => {
    const [mine, theirs] = [someName(), someName()];
    for (const name of [mine, theirs])
      for (const days of [3, 30] as const) await putSent(bucket, name, days, someMessage(""));
    await removeSentOf(bucket, mine.teamId, NOON, 100);
    expect(await findSent(bucket, mine, 3)).toBeNull();
    expect(await bucket.head(sentKeyOf(theirs, 3))).not.toBeNull();
    expect(await removeSentOf(bucket, theirs.teamId, NOON, 1)).toBe(0);
  });
});
