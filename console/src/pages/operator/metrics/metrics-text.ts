// Parses the service's metrics (Prometheus text format 0.0.4) into families, each with its help
// text, its type and its samples. Pure.

export interface MetricSample {
  readonly name: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly value: number;
}

export interface Family {
  readonly name: string;
  /** Empty if the metrics have no help text. */
  readonly help: string;
  readonly type: "counter" | "gauge" | "histogram" | "untyped";
  readonly samples: readonly MetricSample[];
}

const META = /^# (HELP|TYPE) (\S+) (.*)$/;
const SAMPLE = /^([\w:]+)(?:\{(.*)\})? (\S+)$/;
const LABEL = /(\w+)="((?:[^"\\]|\\.)*)"/g;
const PART = /_(?:bucket|sum|count)$/;

type Draft = { -readonly [Member in keyof Family]: Family[Member] } & { samples: MetricSample[] };

export function parseMetrics(text: string): Family[] {
  const families = new Map<string, Draft>();
  const familyOf = (name: string): Draft => {
    const family = families.get(name) ?? { name, help: "", type: "untyped", samples: [] };
    families.set(name, family);
    return family;
  };
  for (const line of text.split("\n")) {
    const [, kind, named = "", rest = ""] = META.exec(line) ?? [];
    if (kind === "HELP") familyOf(named).help = rest;
    if (kind === "TYPE") familyOf(named).type = rest as Family["type"];
    const [, name, labels = "", value = ""] = SAMPLE.exec(line) ?? [];
    if (name !== undefined)
      familyOf(baseOf(name, families)).samples.push({
        name,
        labels: labelsIn(labels),
        value: Number(value.replace("Inf", "Infinity")),
      });
  }
  return [...families.values()];
}

/**
 * Returns the name of a sample's family. The samples of a histogram add a suffix to it, such as
 * `_sum`.
 */
function baseOf(name: string, families: ReadonlyMap<string, Family>): string {
  const base = name.replace(PART, "");
  return families.get(base)?.type === "histogram" ? base : name;
}

function labelsIn(text: string): Readonly<Record<string, string>> {
  const pairs = Array.from(text.matchAll(LABEL), ([, name = "", value = ""]) => [
    name,
    value.replaceAll(/\\(.)/g, (_, one: string) => (one === "n" ? "\n" : one)),
  ]);
  return Object.fromEntries(pairs) as Record<string, string>;
}
