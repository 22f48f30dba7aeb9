// Tests the cache in src/lib/bounded-cache.ts.
import { expect, it } from "vitest";
import { BoundedCache } from "../../../src/lib/bounded-cache.ts";

it("a bounded cache keeps a value exactly for its lifetime", () => {
  const cache = new BoundedCache<string>(10, 60_000);
  cache.set("a", "one", 1_000);
  expect(cache.get("a", 60_999)).toBe("one");
  expect(cache.get("a", 61_000)).toBeUndefined();
  cache.set("a", "two", 70_000);
  expect(cache.get("a", 70_001)).toBe("two");
  cache.delete("a");
  expect(cache.get("a", 70_002)).toBeUndefined();
});

it("a full bounded cache drops the oldest entry", () => {
  const cache = new BoundedCache<number>(2, 60_000);
  cache.set("a", 1, 0);
  cache.set("b", 2, 0);
  cache.set("a", 3, 0);
  cache.set("c", 4, 0);
  expect(["a", "b", "c"].map((key) => cache.get(key, 0))).toEqual([3, undefined, 4]);
});

it("a bounded cache drops expired entries when an entry is added", () => {
  const cache = new BoundedCache<number>(10, 60_000);
  cache.set("a", 1, 0);
  cache.set("b", 2, 30_000);
  cache.set("c", 3, 60_000);
  // The cache dropped "a" when "c" was set. A look-up at an earlier time still finds "b" and "c".
  expect(["a", "b", "c"].map((key) => cache.get(key, 0))).toEqual([undefined, 2, 3]);
});
