// Tests that every regular expression for text from outside (foreign servers, customers, operators)
// takes linear time, because a quadratic one can stop a whole isolate or gateway.
import { readdirSync } from "node:fs";
import { join, relative } from "node:path";
import { describe, expect, it } from "vitest";
import {
  FOREIGN_MAILBOX,
  FOREIGN_QUOTA,
  FOREIGN_REFUSAL,
  FOREIGN_SENDER,
} from "../../src/classify/foreign-language-rules.ts";
import { ABSENT_ADDRESS } from "../../src/classify/address-rules.ts";
import type { BounceRule } from "../../src/classify/bounce-class.ts";
import { INACTIVE } from "../../src/classify/inactive-rules.ts";
import { expressionsIn } from "./regular-expressions.ts";
import { slownessOf } from "./linear-expression.ts";

const ROOT = join(import.meta.dirname, "../..");
const FOLDERS = ["src", "smtp-gateway/src", "tools/setup", "tools/dev", "tools/harness/smtp"];

/** Files that build expressions from others by functions. The test checks the built expressions. */
const COMPOSED: ReadonlyMap<string, readonly RegExp[]> = new Map([
  [
    "src/classify/foreign-language-rules.ts",
    expressionsOf(FOREIGN_QUOTA, FOREIGN_SENDER, FOREIGN_MAILBOX, FOREIGN_REFUSAL),
  ],
  ["src/classify/address-rules.ts", expressionsOf(ABSENT_ADDRESS)],
  ["src/classify/inactive-rules.ts", expressionsOf(INACTIVE)],
  // The function in noun-and-predicate.ts builds the expressions of foreign-language-rules.ts.
  ["src/classify/noun-and-predicate.ts", []],
]);

/** Files with expressions that a developer writes for local use. */
const DEVELOPERS_OWN = new Set(["tools/dev/rule-list.ts"]);

describe("the search for slow expressions", () => {
  it.each([
    [String.raw`\?[^{}]*$`, ""],
    ["(a+)+$", ""],
    ["^(?:a|aa)*$", ""],
    ["^(?:a*){1,50}$", ""],
    ["a*b", ""],
    ["b|a+c", ""],
    ["a{1,2000}b", ""],
    [String.raw`^\s+b`, "m"],
    [String.raw`\s+$`, "g"],
    ["^(?=.{1,253}$)(?:a+)+$", ""],
    [String.raw`(?<!b)\s+\n`, "u"],
    ["(?<!b)a+c", ""],
    ["(?<!a)a+a*b", ""],
    ["^a*a*b", ""],
    ["^a*(?:b|a*c)", ""],
    ["^a+b?a+c", ""],
    [String.raw`^\s*a?\s*b`, ""],
    ["^[a-z]*A*B", "i"],
  ])("finds fault with /%s/%s", async (source, flags) => {
    expect(await slownessOf(source, flags)).toMatch(
      /^takes (?:\d\w+ degree polynomial|exponential)/,
    );
  });

  it.each([
    ["a+", "g"],
    ["a+b", "y"],
    ["^a+b", ""],
    [String.raw`(?<!\s)\s+$`, ""],
    ["a{1,200}b", ""],
    [".{1,300}(?:x|y).{1,300}z", ""],
    [String.raw`"(?:[^"\\]|\\.)*"`, "y"],
    ["<([^<>]*)>", "g"],
    ["(?<!a)a+b", ""],
    ["(?<! ) *@ *", "g"],
    ["^a([0-9]+)b", ""],
    [String.raw`^a[ \t]*:[ \t]*b`, ""],
    ["(?<![ab])a+c", "g"],
  ])("finds no fault with /%s/%s", async (source, flags) => {
    expect(await slownessOf(source, flags)).toBeUndefined();
  });
});

describe("the regular expressions", () => {
  const all = FOLDERS.flatMap(filesBelow).flatMap((path) =>
    expressionsIn(join(ROOT, path)).map((expression) => ({ path, ...expression })),
  );

  it("are all found, including those composed of constants", () => {
    expect(all.length).toBeGreaterThan(500);
    const composed = all
      .filter(({ path }) => path === "src/mail/compose/content-parameters.ts")
      .map(({ source }) => source);
    expect(composed).toContain(
      String.raw`; *([A-Za-z0-9!#$%&'*+.^_${"`"}|~-]+)=("(?:[ !#-[\]-~]|\\[ -~])*"|[A-Za-z0-9!#$%&'*+.^_${"`"}|~-]+)`,
    );
    expect(all.find(({ path }) => path === "src/resources/api-keys/key-secret.ts")?.source).toBe(
      "^ps_[0-9A-Za-z]{40}$",
    );
  });

  it("take linear time", async () => {
    const composed = Array.from(COMPOSED, ([path, made]) =>
      made.map(({ source, flags }) => ({ path, line: 0, source, flags })),
    ).flat();
    const judged = [
      ...all.filter(({ path, source }) => source !== undefined || !COMPOSED.has(path)),
      ...composed,
    ];
    const places = new Map(
      judged.map(({ path, line, source, flags }) => [
        source === undefined ? `${path}:${line}` : `/${source}/${flags}`,
        { place: `${path}:${line}`, path, source, flags },
      ]),
    );
    const faults: string[] = [];
    for (const { place, path, source, flags } of places.values()) {
      if (source === undefined && DEVELOPERS_OWN.has(path)) continue;
      const fault =
        source === undefined
          ? "is not made of constants, so it can't be judged"
          : await slownessOf(source, flags);
      if (fault !== undefined) faults.push(`${place} ${fault}`);
    }
    expect(faults).toEqual([]);
  });
});

function expressionsOf(...rules: readonly (readonly BounceRule[])[]): readonly RegExp[] {
  return rules.flat().flatMap(({ says }) => says);
}

function filesBelow(folder: string): string[] {
  return readdirSync(join(ROOT, folder), { recursive: true, withFileTypes: true })
    .filter(
      (entry) =>
        entry.isFile() &&
        /\.m?ts$|\.mjs$/.test(entry.name) &&
        !entry.parentPath.includes("node_modules"),
    )
    .map((entry) => relative(ROOT, join(entry.parentPath, entry.name)));
}
