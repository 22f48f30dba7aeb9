// How many of the world's bounce reports are found, and that nothing else is taken for one
// (contract.md §Bounce reports): the rate over a collection of what mail servers, providers and
// people send back.
import { describe, expect, it } from "vitest";
import { outcomeOf } from "./reading.ts";
import { RETURNED } from "./returned.ts";

const LEAST_RATE = 0.95;

const bounces = RETURNED.filter(({ isBounce }) => isBounce);
const others = RETURNED.filter(({ isBounce }) => !isBounce);
const isFound = (text: string, recipient?: string) => outcomeOf(text, recipient) !== "nothing";

describe("the collection", () => {
  it("is large enough to mean something, and each message of it has a name", () => {
    expect(bounces.length).toBeGreaterThanOrEqual(100);
    expect(others.length).toBeGreaterThanOrEqual(40);
    const names = RETURNED.map(({ file, name }) => `${file}: ${name}`);
    expect(new Set(names).size).toBe(names.length);
    expect(names.filter((name) => name.endsWith(": "))).toEqual([]);
  });

  it("has its bounces found, at least 95 of 100", () => {
    const missed = bounces
      .filter(({ text }) => !isFound(text))
      .map(({ file, name }) => `${file}: ${name}`);
    expect(missed.length, missed.join("\n")).toBeLessThanOrEqual(bounces.length * (1 - LEAST_RATE));
  });

  it.each(others)("has no bounce where there is none: $name", ({ text }) => {
    expect(outcomeOf(text)).toBe("nothing");
  });

  it("suppresses nobody for a report that does not name the address", () => {
    const suppressing = RETURNED.filter(({ text }) =>
      outcomeOf(text, "zoe@elsewhere.example.org").endsWith("suppressed"),
    );
    expect(suppressing.map(({ name }) => name)).toEqual([]);
  });

  it("has no bounce in words where an answering program's header stands before them", () => {
    const inWords = bounces.filter(({ text }) => !/^Content-Type: multipart/im.test(text));
    expect(
      inWords.filter(({ text }) => isFound(`X-Autoreply: yes\r\n${text}`)).map(({ name }) => name),
    ).toEqual([]);
  });
});
