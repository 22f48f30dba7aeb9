// Makes random templates and data for the comparison with Handlebars: seeded, mostly valid, with
// every construct of the language and some damage.

type Random = (below: number) => number;

/** Mulberry32: small, seeded, and random enough to vary templates. */
export function seedRandom(seed: number): Random {
  let state = seed;
  return (below) => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) % below;
  };
}

const NAMES = ["a", "b", "c", "list", "obj", "zero", "name", "mythis", "items", "x", "y"];
const STRANGE_NAMES = [
  ..."constructor __proto__ length hasOwnProperty 0 1 if this é prototype".split(" "),
  "a b",
];
const TEXTS = [
  ..."text |}} ü–𝒳 #}".split(" "),
  "",
  " ",
  "\n",
  "\r\n",
  "  \n",
  "\n\n  ",
  '<p class="x">',
  "</p>\n",
  "a & b",
  "{ ",
  "\t",
  " \\ ",
];
const STRINGS = ["", "x", "<b>&'\"`=</b>", "0", "1", "long text", "a", "b", "é\n"];
const DAMAGE = "{}{}~#/^!\\\"'[]() .@|=&>*\nae-";

export interface RandomSample {
  readonly template: string;
  readonly json: string;
  readonly escape: boolean;
  readonly isDamaged: boolean;
}

export function sample(seed: number): RandomSample {
  const random = seedRandom(seed);
  const data = Array.from(
    new Set(Array.from({ length: 6 }, () => pick(random, NAMES))),
    (name) => `${JSON.stringify(name)}:${jsonValue(random, 3)}`,
  );
  const template = statements(random, pick(random, [1, 1, 1, 2, 2, 3]), []);
  const isDamaged = random(6) === 0;
  return {
    template: isDamaged ? damage(random, template) : template,
    json: `{${data.join(",")}}`,
    escape: random(3) > 0,
    isDamaged,
  };
}

function pick<Item>(random: Random, items: readonly Item[]): Item {
  const item = items[random(items.length)];
  if (item === undefined) throw new Error("there is nothing to choose from");
  return item;
}

function jsonValue(random: Random, depth: number): string {
  const kind = random(depth > 0 ? 12 : 7);
  if (kind < 2) return JSON.stringify(pick(random, STRINGS));
  if (kind < 4) return pick(random, ["0", "1", "2", "-2.5", "1e21", "0.1"]);
  if (kind === 4) return "true";
  if (kind === 5) return "false";
  if (kind === 6) return "null";
  if (kind < 10)
    return `[${Array.from({ length: random(4) }, () => jsonValue(random, depth - 1)).join(",")}]`;
  const names = Array.from({ length: random(5) }, () =>
    pick(random, random(5) === 0 ? STRANGE_NAMES : NAMES),
  );
  return `{${names.map((name) => `${JSON.stringify(name)}:${jsonValue(random, depth - 1)}`).join(",")}}`;
}

/** Writes a random list of statements. `params` are the block parameters that they may use. */
function statements(random: Random, depth: number, params: readonly string[]): string {
  return Array.from({ length: 1 + random(depth > 1 ? 4 : 2) }, () =>
    statement(random, depth, params),
  ).join("");
}

function statement(random: Random, depth: number, params: readonly string[]): string {
  const kind = random(depth > 0 ? 22 : 12);
  if (kind < 4) return pick(random, TEXTS) + pick(random, TEXTS);
  if (kind < 8) return tag(random, expressionOrCall(random, params));
  if (kind === 8)
    return (
      pick(random, ["{{{", "{{~{"]) +
      space(random) +
      expressionOrCall(random, params) +
      pick(random, ["}}}", "}~}}"]).replace("}~}}", "}}}")
    );
  if (kind === 9) return tag(random, `&${space(random)}${expressionOrCall(random, params)}`, true);
  if (kind === 10)
    return pick(random, [
      ..."{{!}} {{!--}}".split(" "),
      "{{! note }}",
      "{{!-- {{a}} --}}",
      "{{~! x ~}}",
      "{{!--\n--~}}",
      "{{!-- a --b }} -- --}}",
    ]);
  if (kind === 11)
    return pick(random, [
      "\\{{a}}",
      "\\\\{{a}}",
      "\\{{a}} \\{{b}}",
      "\\\\\\{{a}}",
      "\\{{{a}}}",
      "\\{{{{a}} }}",
      "\\{{a ",
    ]);
  if (kind === 12) return rawBlock(random, params);
  return block(random, depth - 1, params);
}

function space(random: Random): string {
  return pick(random, ["", "", "", " ", "\n"]);
}

function tag(random: Random, inner: string, isTight = false): string {
  const before = pick(random, ["{{", "{{", "{{", "{{~"]) + (isTight ? "" : space(random));
  return before + inner + space(random) + pick(random, ["}}", "}}", "}}", "~}}"]);
}

function rawBlock(random: Random, params: readonly string[]): string {
  const name = pick(random, ["a", "b", "raw", "if", "each"]);
  const argument = name === "if" || name === "each" ? ` ${expression(random, params)}` : "";
  return `{{{{${name}${argument}}}}} ${pick(random, ["{{a}}", "x", "\\{{b}}", "{{{{c}}}}q{{{{/c}}}}", ""])} {{{{/${name}}}}}`;
}

function block(random: Random, depth: number, params: readonly string[]): string {
  const helper = pick(random, "if if unless each each each with with section inverse".split(" "));
  const open = pick(random, ["{{", "{{~"]);
  const end = pick(random, ["}}", "}}", "~}}", "}}\n"]);
  if (helper === "section" || helper === "inverse") {
    const subject = pick(
      random,
      "a b list obj a.b ./c this ../a @first @root.a [a] items".split(" "),
    );
    const close = subject === "[a]" ? "a" : subject;
    return `${open}${helper === "inverse" ? "^" : "#"}${subject}${end}${statements(random, depth, params)}${elseBranches(random, depth, params, helper === "inverse")}${open}/${close}${end}`;
  }
  const names =
    helper === "each" || helper === "with"
      ? pick(random, [[], [], ["x"], ["x", "y"], ["item", "key"], ["a"], ["mythis"]])
      : [];
  const zero =
    (helper === "if" || helper === "unless") && random(4) === 0
      ? ` includeZero=${pick(random, ["true", "false", "a", "1", '"x"'])}`
      : "";
  const as = names.length > 0 ? ` as |${names.join(" ")}|` : "";
  const sign = random(8) === 0 && names.length === 0 ? "^" : "#";
  return `${open}${sign}${helper} ${expression(random, params)}${zero}${as}${end}${statements(random, depth, [...names, ...params])}${elseBranches(random, depth, params, sign === "^")}${open}/${helper}${end}`;
}

/** Writes `else` branches. `isLast` excludes `else if`, which an inverted block does not allow. */
function elseBranches(
  random: Random,
  depth: number,
  params: readonly string[],
  isLast: boolean,
): string {
  const open = pick(random, ["{{", "{{~"]);
  switch (random(isLast ? 3 : 6)) {
    case 0:
      return "";
    case 1:
      return `${open}else}}${statements(random, depth, params)}`;
    case 2:
      return `{{^}}${statements(random, depth, params)}`;
    case 3:
      return `${open}else if ${expression(random, params)}}}${statements(random, depth, params)}${elseBranches(random, depth - 1, params, false)}`;
    case 4:
      return random(3) === 0
        ? `{{else each ${expression(random, params)} as |x y|}}${statements(random, depth, ["x", "y", ...params])}{{else}}${statements(random, depth, params)}`
        : "";
    default:
      return "";
  }
}

function expressionOrCall(random: Random, params: readonly string[]): string {
  return random(6) === 0
    ? `lookup ${expression(random, params)} ${expression(random, params)}`
    : path(random, params);
}

function expression(random: Random, params: readonly string[]): string {
  const kind = random(12);
  if (kind === 0) return `(lookup ${expression(random, params)} ${expression(random, params)})`;
  if (kind === 1)
    return pick(random, [
      '"a"',
      "'b'",
      '"x y"',
      "0",
      "1",
      "-1.5",
      "true",
      "false",
      "null",
      "undefined",
      '""',
      '"length"',
      '"q\\"q"',
    ]);
  return path(random, params);
}

function path(random: Random, params: readonly string[]): string {
  const name = pick(random, NAMES);
  switch (random(16)) {
    case 0:
      return pick(random, ["this", ".", "./a", "this.a", "this/b", "././a", "this.list.length"]);
    case 1:
      return pick(random, ".. ../a ../../a ../this ../../../b ../list.[1] ../obj/a".split(" "));
    case 2:
    case 3:
      return pick(
        random,
        (
          "@index @key @first @last @root.a @root @../index @../key @root.list.[0] @index.x " +
          "@_parent.index @first.a"
        ).split(" "),
      );
    case 4:
      return pick(random, [
        ..."list.[0] list.[1] a.[length] obj.[this] [this] a.length items.[1].a".split(" "),
        "[a b]",
        "obj.[a b]",
      ]);
    case 5:
      return pick(random, ["12", '"a"', "true", "null", "'a b'", "undefined", "0"]);
    case 6:
      return `${name}.${pick(random, STRANGE_NAMES.slice(0, 4))}`;
    case 7:
    case 8:
    case 9:
      return params.length > 0
        ? pick(random, params) + pick(random, ["", "", ".a", ".b", ".length"])
        : name;
    case 10:
    case 11:
      return `${name}${pick(random, [".", "/"])}${pick(random, NAMES)}`;
    default:
      return name;
  }
}

/** Removes, inserts or doubles one to three characters. */
export function damage(random: Random, template: string): string {
  let text = template;
  for (let times = 1 + random(3); times > 0; times -= 1) {
    const at = random(text.length + 1);
    const inserted = random(2) === 0 ? DAMAGE.charAt(random(DAMAGE.length)) : "";
    text = text.slice(0, at) + inserted + text.slice(at + random(2));
  }
  return text;
}
