// Tests src/resources/requests/used-links.ts: a link works once. A used link is forgotten when it
// has expired.
import { describe, expect, it } from "vitest";
import { useLinkOnce } from "../../../../src/resources/requests/used-links.ts";

const NOW = 1_900_000_000_000;

function memory(): { readonly kv: SyncKvStorage; readonly stored: () => unknown } {
  let value: unknown;
  const kv = { get: () => value, put: (_: string, next: unknown) => void (value = next) };
  return { kv: kv as unknown as SyncKvStorage, stored: () => value };
}

describe("a link of the console", () => {
  it("works once, whatever other links were used", () => {
    const { kv } = memory();
    const uses = ["a", "b", "a", "b", "c"].map((id) => useLinkOnce(kv, id, NOW + 1_000, NOW));
    expect(uses).toEqual([true, true, false, false, true]);
  });

  it("is remembered only until it expires, so that few links are kept", () => {
    const { kv, stored } = memory();
    useLinkOnce(kv, "a", NOW + 1_000, NOW);
    useLinkOnce(kv, "b", NOW + 2_000, NOW + 999);
    expect(stored()).toEqual({ a: NOW + 1_000, b: NOW + 2_000 });
    useLinkOnce(kv, "c", NOW + 3_000, NOW + 1_000);
    expect(stored()).toEqual({ b: NOW + 2_000, c: NOW + 3_000 });
  });
});
