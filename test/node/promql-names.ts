// Reads the names in a PromQL expression: its metrics with their matchers, and the labels by which
// it groups. It knows only the parts of the language that dashboards/ uses, and refuses any other
// character.

interface Selector {
  readonly metric: string;
  readonly matchers: readonly Matcher[];
}

interface Matcher {
  readonly label: string;
  /**
   * The values that the matcher names. Grafana's variables and regular expressions name no values.
   */
  readonly values: readonly string[];
}

export interface Names {
  readonly selectors: readonly Selector[];
  readonly groupings: readonly string[];
}

const TOKEN = /\s*("(?:[^"\\]|\\.)*"|\[[^\]]*\]|[a-z_]\w*|\d[\w.]*|[=!]~|[=!<>]=|[-+*/<>={}(),])/iy;
const NAME = /^[a-z_]/i;
const KEYWORDS = new Set(["and", "or", "unless", "bool"]);
const GROUPINGS = new Set(["by", "without", "on", "ignoring"]);

export function namesIn(expression: string): Names {
  const tokens = tokensOf(expression);
  const selectors: Selector[] = [];
  const groupings: string[] = [];
  while (tokens.length > 0) {
    const token = tokens.shift() ?? "";
    const next = tokens[0] ?? "";
    if (GROUPINGS.has(token)) groupings.push(...takeUntil(tokens, ")").filter(isName));
    else if (isName(token) && !KEYWORDS.has(token) && next !== "(" && !GROUPINGS.has(next))
      selectors.push({ metric: token, matchers: next === "{" ? takeMatchers(tokens) : [] });
  }
  return { selectors, groupings };
}

function tokensOf(expression: string): string[] {
  const tokens: string[] = [];
  TOKEN.lastIndex = 0;
  for (let at = 0; at < expression.trimEnd().length; at = TOKEN.lastIndex) {
    const token = TOKEN.exec(expression)?.[1];
    if (token === undefined) throw new Error(`not PromQL: ${expression.slice(at)}`);
    tokens.push(token);
  }
  return tokens;
}

const isName = (token: string) => NAME.test(token);

function takeUntil(tokens: string[], end: string): string[] {
  return tokens.splice(0, tokens.indexOf(end) + 1);
}

function takeMatchers(tokens: string[]): Matcher[] {
  const [, ...inside] = takeUntil(tokens, "}");
  const matchers: Matcher[] = [];
  for (let at = 0; at + 2 < inside.length; at += 4) {
    const [label = "", operator = "", text = ""] = inside.slice(at);
    const parts = operator.endsWith("~") ? text.slice(1, -1).split("|") : [text.slice(1, -1)];
    matchers.push({ label, values: parts.filter((part) => /^[\w-]+$/.test(part)) });
  }
  return matchers;
}
