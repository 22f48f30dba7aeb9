// Reads the console's style sheets for the tidy tests: each selector with the conditions that it
// stands under, the classes that it names, and the classes that the console's sources can put on an
// element.
import { readdirSync, readFileSync } from "node:fs";
import { join, relative } from "node:path";
import { isWritten, nodesOf, ROOT, type SourceFile } from "./source-files.ts";

const SHEETS = "console/src";

export interface StyleSheet {
  readonly path: string;
  readonly text: string;
}

/** A list of selectors under one set of conditions. */
interface StyleRule {
  readonly path: string;
  readonly selectors: readonly string[];
  /**
   * The at-rules around the selectors, such as `@media (width <= 820px)`. Empty when the rule
   * always applies.
   */
  readonly conditions: string;
}

/** Every style sheet of the console. */
export function styleSheets(): StyleSheet[] {
  return readdirSync(join(ROOT, SHEETS), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name.endsWith(".css"))
    .map((entry) => join(entry.parentPath, entry.name))
    .map((path) => ({ path: relative(ROOT, path), text: readFileSync(path, "utf8") }));
}

/** Returns the rules that are defined twice, as `conditions selectors: paths`. */
export function repeatedRules(sheets: readonly StyleSheet[]): string[] {
  const same = Map.groupBy(sheets.flatMap(rulesOf), ({ conditions, selectors }) =>
    [conditions, selectors.toSorted().join(", ")].filter(Boolean).join(" "),
  );
  return [...same]
    .filter(([, rules]) => rules.length > 1)
    .map(([rule, rules]) => `${rule}: ${rules.map(({ path }) => path).join(", ")}`);
}

/** Returns the selectors that more than one sheet has rules for, as `selector: paths`. */
export function scatteredSelectors(sheets: readonly StyleSheet[]): string[] {
  const places = sheets
    .flatMap(rulesOf)
    .flatMap(({ path, selectors }) => selectors.map((selector) => ({ selector, path })));
  return [...Map.groupBy(places, ({ selector }) => selector)]
    .map(([selector, found]) => ({ selector, paths: new Set(found.map(({ path }) => path)) }))
    .filter(({ paths }) => paths.size > 1)
    .map(({ selector, paths }) => `${selector}: ${[...paths].join(", ")}`);
}

/** Returns the classes of a sheet that no element can have, as `path: .class`. */
export function unusedClasses(sheet: StyleSheet, known: ReadonlySet<string>): string[] {
  const named = rulesOf(sheet).flatMap(({ selectors }) =>
    selectors.flatMap((selector) =>
      [...selector.replace(/"[^"]*"/g, "").matchAll(/\.([a-z][\w-]*)/gi)].map(([, name]) => name),
    ),
  );
  return [...new Set(named)]
    .filter((name) => name !== undefined && !known.has(name))
    .map((name) => `${sheet.path}: .${name}`);
}

/**
 * Returns the words of all string literals in a program, because a class name may be any of them.
 */
export function wordsOf({ tree }: Pick<SourceFile, "tree">): string[] {
  return nodesOf(tree).flatMap((node) => (isWritten(node) ? node.text.split(/\s+/) : []));
}

/** Reads a sheet's rules. A nested rule counts as a rule of its own. */
function rulesOf({ path, text }: StyleSheet): StyleRule[] {
  const rules: StyleRule[] = [];
  const around: { selectors: readonly string[]; conditions: string }[] = [];
  const tokens = text.replace(/\/\*[\s\S]*?\*\//g, "").match(/[{};]|[^{};]+/g) ?? [];
  let head = "";
  for (const token of tokens) {
    if (token === "}") around.pop();
    if (token === "{") {
      const { selectors = [], conditions = "" } = around.at(-1) ?? {};
      const inner = head.startsWith("@")
        ? { selectors, conditions: `${conditions} ${head}`.trim() }
        : { selectors: nested(selectors, head), conditions };
      around.push(inner);
      if (inner.selectors.length > 0 && !inner.conditions.includes("@keyframes"))
        rules.push({ path, ...inner });
    }
    head = /[{};]/.test(token) ? "" : token.replace(/\s+/g, " ").trim();
  }
  return rules;
}

/** Writes out the selectors of a nested rule in full. */
function nested(outer: readonly string[], head: string): string[] {
  const own = head.split(/,(?![^()]*\))/).map((selector) => selector.trim());
  if (outer.length === 0) return own;
  return outer.flatMap((parent) =>
    own.map((one) => (one.includes("&") ? one.replaceAll("&", parent) : `${parent} ${one}`)),
  );
}
