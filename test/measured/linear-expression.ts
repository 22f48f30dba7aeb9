// Decides whether a regular expression finds its matches in linear time for every text. Simple
// forms are decided here, the others by recheck (https://makenowjust-labs.github.io/recheck/).
// Small repetition counts are constant factors and are reduced first, because recheck would unroll
// them. recheck uses a build for the platform, or else its Java or JavaScript version, which is
// three times as slow.
import { check } from "recheck";

/** The most repetitions that count as a constant factor. A longer repetition counts as endless. */
const FACTOR = 1_000;
const CUT = 2;

const TOKEN =
  /\\(?:[pP]\{[^}]*\}|u\{[^}]*\}|u[0-9A-Fa-f]{4}|x[0-9A-Fa-f]{2}|.)|\[(?:\\.|[^\]\\])*\]|\{\d+,?\d*\}|\(\?<?[=!]|[^]/gsu;
const COUNT = /^\{(\d+)(,?)(\d*)\}$/;
const ENDLESS = /^(?:[*+]|\{\d+,\})$/;
const LOOK_AROUND = /^\(\?<?[=!]$/;
/** Matches one character, one escape or one character class of a regular expression. */
const ONE_CHARACTER = /^(?:[^\\^$.*+?()[\]{}|]|\.|\\[^bBkpPu1-9]|\[[^]*\])$/;
const characters = new Map<string, readonly boolean[]>();
const BACK_REFERENCE = /^\\[1-9k]$/;

/** Switches off recheck's time limits, because a slow machine must not change the verdict. */
const UNHURRIED = {
  timeout: null,
  seedingTimeout: null,
  incubationTimeout: null,
  attackTimeout: null,
};

/** Returns why the expression is too slow. Undefined: it takes linear time. */
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
 * Splits the whole expression into its alternatives. A search tries one after the other at each
 * place, so it takes linear time if every alternative does.
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
 * Shortens a count such as `{2,500}` without changing the verdict. In a look-around, a count may
 * limit how much text the rest of the expression reads, so a range there becomes endless instead.
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
 * Tells whether the expression has at most one endless repetition, of one character class, at a
 * harmless place: the expression is anchored, or the repetition is at the very end, where nothing
 * after it can fail.
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
 * Tells whether backtracking cannot succeed: the expression starts at a fixed place, and each
 * endless repetition is of one character class, and is last or is followed by a character outside
 * that class.
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
 * Tells whether the expression begins with an endless run of one character class and a look-behind
 * that forbids a start within such a run. Later endless repetitions are allowed only at the very
 * end.
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

/** Tells whether the expression repeats a group, or has a back reference. */
function repeatsMore(tokens: readonly string[]): boolean {
  const repeatsGroup = tokens.some(
    (token, index) => tokens[index - 1] === ")" && (ENDLESS.test(token) || COUNT.test(token)),
  );
  return repeatsGroup || tokens.some((token) => BACK_REFERENCE.test(token));
}

/** Returns which of the first 65,536 characters a token matches. */
function charactersOf(token: string, flags: string): readonly boolean[] {
  const key = `${token}/${flags}`;
  const pattern = new RegExp(`^${token}$`, flags.replace(/[gymd]/g, ""));
  const found =
    characters.get(key) ??
    Array.from({ length: 0x1_00_00 }, (_, code) => pattern.test(String.fromCharCode(code)));
  characters.set(key, found);
  return found;
}
