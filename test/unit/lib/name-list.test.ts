// Tests how a header lists names that come from callers (src/lib/name-list.ts).
import { describe, expect, it } from "vitest";
import { listNames } from "../../../src/lib/name-list.ts";

const paths = (...names: string[]) => names.map((name) => [name]);

describe("listNames", () => {
  it("returns undefined for no names", () => {
    expect(listNames([])).toBeUndefined();
  });

  it("sorts the paths", () => {
    expect(listNames([["scheduledAt"], ["emails", "3", "replyTo"], ["Reply-To"]])).toBe(
      "Reply-To, emails.3.replyTo, scheduledAt",
    );
  });

  it.each([
    ["a letter beyond ASCII", "größe"],
    ["a line break", "a\r\nX-Evil: 1"],
    ["a comma", "a,b"],
    ["a space", "a b"],
    ["no character", ""],
    ["65 characters", "x".repeat(65)],
    ["a lone surrogate", "\ud800"],
  ])("counts but does not list a name of %s", (_name, name) => {
    expect(listNames(paths(name))).toBe("+1");
    expect(listNames(paths("b", name, "a", name))).toBe("a, b, +2");
    expect(listNames([["attachments", "0", name]])).toBe("+1");
  });

  it("lists a name of 64 characters at any position", () => {
    const name = "x".repeat(64);
    expect(listNames([["emails", "3", name]])).toBe(`emails.3.${name}`);
  });

  it.each([1, 2, 7, 64])(
    "uses at most 512 bytes for names of %i characters and counts the rest",
    (length) => {
      const names = Array.from({ length: Math.min(36 ** length, 1_000) }, (_, index) =>
        index.toString(36).padStart(length, "x"),
      );
      const list = listNames(paths(...names)) ?? "";
      expect(list.length).toBeLessThanOrEqual(512);
      expect(list.length).toBeGreaterThan(Math.min(512 - length - 10, 36 * 3 - 3));
      const shown = list.split(", ").filter((name) => !name.startsWith("+"));
      expect(shown).toEqual(names.toSorted().slice(0, shown.length));
      const [, rest = "0"] = /\+(\d+)$/.exec(list) ?? [];
      expect(shown.length + Number(rest)).toBe(names.length);
    },
  );

  it("sorts the first thousand names, and only counts the others", () => {
    const many = Array.from({ length: 100_000 }, (_, index) => [
      `name${String(100_000 - index).padStart(6, "0")}`,
    ]);
    expect(listNames(many)).toMatch(/^name099001, name099002, .*, \+\d+$/);
  });
});
