// Tests which content of scheduled messages the sweep removes (src/mail/r2-content.ts): old
// content that no ledger needs, in one slice of the keys an hour.
import { describe, expect, it } from "vitest";
import { DAY_MS, HOUR_MS } from "../../../src/limits.ts";
import { contentKeyOf, removeUnneededContent } from "../../../src/mail/r2-content.ts";
import { uuidv7 } from "../../../src/lib/ids.ts";
import { bindings } from "../../support/api.ts";
import { newLedger, NOON, sendOf } from "../ledger/ledger-harness.ts";

/** An hour in which the sweep checks the objects in R2 whose keys are in the slice `7f`. */
const SLICE_HOUR = 127 * HOUR_MS;
const LATER = SLICE_HOUR + 256 * HOUR_MS * 3_000;

/** A fake bucket, since a test can't choose the upload time of an object in R2. */
function bucketOf(objects: ReadonlyMap<string, number>) {
  const deleted: string[] = [];
  const bucket = {
    list: ({ prefix, cursor }: R2ListOptions) => {
      const keys = [...objects.keys()].filter((key) => key.startsWith(prefix ?? "")).toSorted();
      const at = Number(cursor ?? 0);
      const page = keys.slice(at, at + 2);
      const listed = page.map((key) => ({ key, uploaded: new Date(objects.get(key)!) }));
      return Promise.resolve(
        at + 2 < keys.length
          ? { objects: listed, truncated: true, cursor: String(at + 2) }
          : { objects: listed, truncated: false },
      );
    },
    delete: (keys: string[]) => {
      deleted.push(...keys);
      return Promise.resolve();
    },
  };
  return { deleted, env: { ...bindings, CONTENT: bucket as unknown as R2Bucket } };
}

const inSlice = (): string => `email_${uuidv7(NOON).slice(0, -2)}7f`;

describe("the sweep of scheduled content", () => {
  it("asks the ledgers about old content of the hour's slice, and removes content that no ledger needs", async () => {
    const ledger = newLedger();
    const teamId = ledger.name ?? "";
    const [held, orphan, third, young] = [inSlice(), inSlice(), inSlice(), inSlice()];
    const key = (id: string): string => contentKeyOf(teamId, id, true);
    await ledger.admit(
      sendOf([
        { id: held, scheduledAt: NOON + DAY_MS, content: null, contentKey: key(held) },
        { id: third, scheduledAt: NOON + DAY_MS, content: null, contentKey: key(third) },
      ]),
    );
    await ledger.cancel(third, NOON);
    const other = `email_${uuidv7(NOON).slice(0, -2)}80`;
    const old = LATER - 40 * DAY_MS;
    const { deleted, env } = bucketOf(
      new Map([
        [key(held), old],
        [key(orphan), old],
        [key(third), old],
        [key(young), LATER - DAY_MS],
        [key(other), old],
        [contentKeyOf(teamId, orphan, false), old],
      ]),
    );
    await removeUnneededContent(env, LATER);
    expect(deleted.toSorted()).toEqual([key(orphan), key(third)].toSorted());
    await removeUnneededContent(env, LATER + HOUR_MS);
    expect(deleted.at(-1)).toBe(key(other));
  });
});
