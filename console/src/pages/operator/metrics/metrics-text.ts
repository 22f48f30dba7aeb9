// Reads Prometheus's text format 0.0.4: families with their help, type and samples. Pure.

export interface MetricSample {
  readonly name: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly value: number;
}

export interface Family {
  readonly name: string;
  /** Empty: the text has none. */
  readonly help: string;
  readonly type: "counter" | "gauge" | "histogram" | "summary" | "untyped";
  readonly samples: readonly MetricSample[];
}

const TYPES = ["counter", "gauge", "histogram", "summary", "untyped"] as const;
const NAME = /^[a-zA-Z_:][\w:]*/;
const LABEL = /^\s*([a-zA-Z_]\w*)\s*=\s*"((?:[^"\\]|\\.)*)"\s*/;
const META = /^#[ \t]+(HELP|TYPE)[ \t]+([a-zA-Z_:][\w:]*)(?:[ \t]+(.*))?$/;
const PART = /_(?:bucket|sum|count)$/;
const ESCAPED: Readonly<Record<string, string>> = { n: "\n", '"': '"', "\\": "\\" };

type Draft = { -readonly [Member in keyof Family]: Family[Member] } & { samples: MetricSample[] };

/** Returns the families in the text's order. A line that can't be read is left out. */
export function parseMetrics(text: string): Family[] {
  const families = new Map<string, Draft>();
  const familyOf = (name: string): Draft => {
    const known = families.get(name);
    if (known) return known;
    const made: Draft = { name, help: "", type: "untyped", samples: [] };
    families.set(name, made);
    return made;
  };
  for (const line of text.split(/\r?\n/)) {
    const meta = META.exec(line);
    if (meta) noteMeta(familyOf(meta[2] ?? ""), meta[1] ?? "", meta[3] ?? "");
    const sample = line.startsWith("#") ? null : parseSample(line);
    if (sample) familyOf(baseOf(sample.name, families)).samples.push(sample);
  }
  return [...families.values()];
}

function noteMeta(family: Draft, kind: string, rest: string): void {
  if (kind === "HELP") family.help = rest.replaceAll(/\\([n\\])/g, unescape);
  else family.type = TYPES.find((type) => type === rest.trim()) ?? "untyped";
}

/** Returns the family of a sample: a histogram's parts have names of their own. */
function baseOf(name: string, families: ReadonlyMap<string, Family>): string {
  const base = name.replace(PART, "");
  const type = families.get(base)?.type;
  return type === "histogram" || type === "summary" ? base : name;
}

/** Reads `name{label="value"} 1.5 1700000000000`. Labels and time may be left out. */
export function parseSample(line: string): MetricSample | null {
  const trimmed = line.trim();
  const name = NAME.exec(trimmed)?.[0];
  if (name === undefined) return null;
  const read = readLabels(trimmed.slice(name.length).trimStart());
  if (!read) return null;
  const [number, time, ...more] = read.rest.trim().split(/[ \t]+/);
  const value = parseValue(number ?? "");
  const isOver = more.length === 0 && (time === undefined || /^-?\d+$/.test(time));
  return value === null || !isOver ? null : { name, labels: read.labels, value };
}

/** Reads the braces, if there are some. Null: they are malformed. */
function readLabels(text: string) {
  const pairs: (readonly [name: string, value: string])[] = [];
  if (!text.startsWith("{")) return { labels: {}, rest: text };
  let rest = text.slice(1).trimStart();
  while (!rest.startsWith("}")) {
    const pair = LABEL.exec(rest);
    if (!pair) return null;
    pairs.push([pair[1] ?? "", unescape(pair[2] ?? "")]);
    rest = rest.slice(pair[0].length);
    if (rest.startsWith(",")) rest = rest.slice(1).trimStart();
    else if (!rest.startsWith("}")) return null;
  }
  return { labels: Object.fromEntries(pairs), rest: rest.slice(1) };
}

function parseValue(text: string): number | null {
  const infinite = /^([+-]?)Inf$/i.exec(text);
  if (infinite) return infinite[1] === "-" ? -Infinity : Infinity;
  if (/^NaN$/i.test(text)) return Number.NaN;
  const value = Number(text);
  return text === "" || Number.isNaN(value) ? null : value;
}

/** Undoes the escapes. An unknown one stands for itself. */
function unescape(text: string): string {
  return text.replaceAll(/\\(.)/g, (whole, one: string) => ESCAPED[one] ?? whole);
}
