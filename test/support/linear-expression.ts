// Whether a regular expression finds its matches in linear time, whatever the text: recheck judges
// it (https://makenowjust-labs.github.io/recheck/), as far as its form alone does not tell. Counts
// that are small enough to be constant factors are cut, since recheck would count them out. Where
// recheck has a build for the platform it takes that one, and elsewhere its own in Java or
// JavaScript, which judge the same and take three times as long.
import { check } from "recheck";

/**
 * A repetition up to so many times is a constant factor; one up to more of them counts as endless.
 */
const FACTOR = 1_000;
const CUT = 2;

const TOKEN =
  /\\(?:[pP]\{[^}]*\}|u\{[^}]*\}|u[0-9A-Fa-f]{4}|x[0-9A-Fa-f]{2}|.)|\[(?:\\.|[^\]\\])*\]|\{\d+,?\d*\}|\(\?<?[=!]|[^]/gsu;
const COUNT = /^\{(\d+)(,?)(\d*)\}$/;
const ENDLESS = /^(?:[*+]|\{\d+,\})$/;
const LOOK_AROUND = /^\(\?<?[=!]$/;
/** A character, an escape for one or for several, or a class. */
const ONE_CHARACTER = /^(?:[^\\^$.*+?()[\]{}|]|\.|\\[^bBkpPu1-9]|\[[^]*\])$/;
const characters = new Map<string, readonly boolean[]>();
const BACK_REFERENCE = /^\\[1-9k]$/;

/** Without limits of time a verdict is the same on every machine, however busy. */
const UNHURRIED = {
  timeout: null,
  seedingTimeout: null,
  incubationTimeout: null,
  attackTimeout: null,
};

/** What is wrong with the expression; undefined: it takes linear time. */
export async function slownessOf(source: string, flags: string): Promise<string | undefined> {
  for (const tokens of alternativesOf(source)) {
    if (
      isPlainlyLinear(tokens, flags) ||
      isDeterministic(tokens, flags) ||
      beginsBehindItsRun(tokens, flags)
    )
      continue;
    const verdict = await check(
      tokens.join(""),
      flags.replace("v", "u").replace(/[dg]/g, ""),
      UNHURRIED,
    );
    if (verdict.status === "unknown") return `can't be judged (${verdict.error.kind})`;
    if (verdict.status === "vulnerable")
      return `takes ${verdict.complexity.summary} time, as for ${verdict.attack.pattern}`;
  }
  return undefined;
}

/**
 * The alternatives of the whole expression: a search tries one after the other at each place, so it
 * is linear when each of them is.
 */
function alternativesOf(source: string): string[][] {
  const alternatives: string[][] = [[]];
  const groups: boolean[] = [];
  for (const token of source.match(TOKEN) ?? []) {
    if (token === "|" && groups.length === 0) {
      alternatives.push([]);
      continue;
    }
    if (token.startsWith("(")) groups.push(LOOK_AROUND.test(token));
    else if (token === ")") groups.pop();
    alternatives.at(-1)?.push(cut(token, groups.includes(true)));
  }
  return alternatives;
}

/**
 * A count in a look-around may guard all the rest by a length, which then must stay as it is or end
 * nowhere.
 */
function cut(token: string, isGuard: boolean): string {
  const [, least = "", comma = "", most = ""] = COUNT.exec(token) ?? [];
  if (least === "") return token;
  const from = Math.min(Number(least), CUT);
  if (comma === "") return Number(least) > FACTOR ? `{${CUT},}` : `{${from}}`;
  return most === "" || isGuard || Number(most) > FACTOR
    ? `{${from},}`
    : `{${from},${Math.min(Number(most), Math.max(CUT, from))}}`;
}

/**
 * What repeats endlessly is nothing, or one character that repeats either from one fixed place or
 * at the very end, where nothing can fail behind it.
 */
function isPlainlyLinear(tokens: readonly string[], flags: string): boolean {
  const endless = [...tokens.keys()].filter((index) => ENDLESS.test(tokens[index] ?? ""));
  const [at] = endless;
  if (at === undefined) return true;
  if (endless.length > 1 || repeatsMore(tokens)) return false;
  const isAnchored = isAnchoredIn(tokens, flags);
  const isLast = tokens.slice(at + 1).every((token) => token === ")" || token === "?");
  return isAnchored || (isLast && !tokens.some((token) => LOOK_AROUND.test(token)));
}

/**
 * From one fixed place, each endless repetition is of one character, and what must follow is
 * another: it can't give back what it took with success.
 */
function isDeterministic(tokens: readonly string[], flags: string): boolean {
  if (
    !isAnchoredIn(tokens, flags) ||
    repeatsMore(tokens) ||
    tokens.some((token) => LOOK_AROUND.test(token))
  )
    return false;
  return [...tokens.keys()].every((at) => {
    if (!ENDLESS.test(tokens[at] ?? "")) return true;
    if (at === tokens.length - 1) return true;
    const following = tokens.findIndex((token, index) => index > at && token !== ")");
    const [repeated = "", next = "", behind = ""] = [
      tokens[at - 1],
      tokens[following],
      tokens[following + 1],
    ];
    const isRequired = ONE_CHARACTER.test(next) && !/^(?:[*?]|\{0)/.test(behind);
    return (
      ONE_CHARACTER.test(repeated) &&
      isRequired &&
      charactersOf(repeated, flags).every((is, code) => !is || !charactersOf(next, flags)[code])
    );
  });
}

/**
 * It begins with a run of characters, and never in the middle of one; behind that nothing repeats
 * endlessly, but at the very end.
 */
function beginsBehindItsRun(tokens: readonly string[], flags: string): boolean {
  const [open, before = "", close, repeated = "", count = "", ...rest] = tokens;
  if (open !== "(?<!" || close !== ")" || !ENDLESS.test(count) || repeatsMore(tokens)) return false;
  if (!ONE_CHARACTER.test(before) || !ONE_CHARACTER.test(repeated)) return false;
  if (rest.some((token, at) => ENDLESS.test(token) && at < rest.length - 1)) return false;
  return charactersOf(repeated, flags).every(
    (is, code) => !is || charactersOf(before, flags)[code],
  );
}

function isAnchoredIn(tokens: readonly string[], flags: string): boolean {
  return flags.includes("y") || (tokens[0] === "^" && !flags.includes("m"));
}

/** Whether more than single characters is repeated. */
function repeatsMore(tokens: readonly string[]): boolean {
  const repeatsGroup = tokens.some(
    (token, index) => tokens[index - 1] === ")" && (ENDLESS.test(token) || COUNT.test(token)),
  );
  return repeatsGroup || tokens.some((token) => BACK_REFERENCE.test(token));
}

/** Which of the first 65,536 characters a token stands for. */
function charactersOf(token: string, flags: string): readonly boolean[] {
  const key = `${token}/${flags}`;
  const pattern = new RegExp(`^${token}$`, flags.replace(/[gymd]/g, ""));
  const found =
    characters.get(key) ??
    Array.from({ length: 0x1_00_00 }, (_, code) => pattern.test(String.fromCharCode(code)));
  characters.set(key, found);
  return found;
}
