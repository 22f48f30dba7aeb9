// Tests which share of real bounce reports is recognized, and that no other mail counts as a bounce
// report (contract.md §Bounce reports). The collection has mail from servers, providers and people.
import { describe, expect, it } from "vitest";
import { outcomeOf } from "./reading.ts";
import { RETURNED } from "./returned.ts";

const LEAST_RATE = 0.95;

const bounces = RETURNED.filter(({ isBounce }) => isBounce);
const others = RETURNED.filter(({ isBounce }) => !isBounce);
const isFound = (text: string, recipient?: string) => outcomeOf(text, recipient) !== "nothing";

describe("the collection", () => {
  it("is large enough, and each message has a name", () => {
    expect(bounces.length).toBeGreaterThanOrEqual(100);
    expect(others.length).toBeGreaterThanOrEqual(40);
    const names = RETURNED.map(({ file, name }) => `${file}: ${name}`);
    expect(new Set(names).size).toBe(names.length);
    expect(names.filter((name) => name.endsWith(": "))).toEqual([]);
  });

  it("has at least 95 % of its bounces recognised", () => {
    const missed = bounces
      .filter(({ text }) => !isFound(text))
      .map(({ file, name }) => `${file}: ${name}`);
    expect(missed.length, missed.join("\n")).toBeLessThanOrEqual(bounces.length * (1 - LEAST_RATE));
  });

  it.each(others)("has no bounce in $name", ({ text }) => {
    expect(outcomeOf(text)).toBe("nothing");
  });

  it("suppresses no address that a report does not name", () => {
    const suppressing = RETURNED.filter(({ text }) =>
      outcomeOf(text, "zoe@elsewhere.example.org").endsWith("suppressed"),
    );
    expect(suppressing.map(({ name }) => name)).toEqual([]);
  });

  it("has no plain bounce after an auto-responder's header is added", () => {
    const inWords = bounces.filter(({ text }) => !/^Content-Type: multipart/im.test(text));
    expect(
      inWords.filter(({ text }) => isFound(`X-Autoreply: yes\r\n${text}`)).map(({ name }) => name),
    ).toEqual([]);
  });
});
