// Writes dashboards/alerts.yml from the tables of checks. Each limit, severity, sentence and next
// step is the same as in GET /admin/checks. Pure.
import type { CheckEntry, CheckReading } from "../../src/operator/check-entry.ts";
import { WORKER_CHECKS } from "../../src/operator/check-table.ts";
import { fill, selector } from "../../src/operator/check-values.ts";
import { GATEWAY_CHECKS } from "../../src/operator/gateway-check-table.ts";

const COLUMNS = 96;
const MINUTE_SECONDS = 60;
/** The Prometheus template for a value in the text of an alert. */
const VALUES: Readonly<Record<CheckEntry["unit"], string>> = {
  count: "{{ $value }}",
  seconds: "{{ $value | humanizeDuration }}",
  share: "{{ $value | humanizePercentage }}",
};

/** Replaces the groups of rules. Keeps the comment above them and the repository's address. */
export function withAlertRules(text: string): string {
  const [comment = ""] = /^(?:#[^\n]*\n)*/.exec(text) ?? [];
  const [base = ""] = /https:\/\/github\.com\/[^/\s]+\/[^/\s]+\/blob\/main\//.exec(text) ?? [];
  const groups = { postern: WORKER_CHECKS, "postern-gateway": GATEWAY_CHECKS };
  const written = Object.entries(groups).map(([name, checks]) => groupOf(name, checks, base));
  return `${comment}groups:\n${written.join("\n")}`;
}

function groupOf(name: string, checks: Readonly<Record<string, CheckEntry>>, base: string): string {
  const rules = Object.values(checks)
    .filter(({ alert }) => alert !== "")
    .map((entry) => ruleOf(entry, base));
  return `  - name: ${name}\n    rules:\n${rules.join("\n")}`;
}

function ruleOf(entry: CheckEntry, base: string): string {
  const { alert, alertAfterSeconds, severity, next, page, unit, over } = entry;
  const after = alertAfterSeconds / MINUTE_SECONDS;
  const subject = `{{ $labels.${subjectLabel(entry.reads)} }}`;
  return [
    `      - alert: ${alert}`,
    "        expr: >-",
    ...folded(expressionOf(entry), 10),
    ...(after === 0 ? [] : [`        for: ${after}m`]),
    `        labels: { severity: ${severity} }`,
    "        annotations:",
    "          summary: >-",
    ...folded(fill(over, subject, VALUES[unit]), 12),
    "          description: >-",
    ...folded(fill(next, subject, ""), 12),
    `          runbook_url: ${base}${page}`,
    "",
  ].join("\n");
}

/** The address that Prometheus scrapes is the label that distinguishes the gateways. */
function subjectLabel(reads: CheckReading): string {
  return reads.kind === "gauge" && reads.each !== undefined ? reads.each : "instance";
}

function expressionOf({ reads, limit }: CheckEntry): string {
  switch (reads.kind) {
    case "gauge":
      return `${selector(reads)} ${reads.below === true ? "<" : ">"} ${limit}`;
    case "increase":
      return `increase(${selector(reads.of)}[${windowOf(reads)}]) > ${limit}`;
    case "share": {
      const [of, among] = [reads.of, reads.among].map(
        (series) => `sum(increase(${selector(series)}[${windowOf(reads)}]))`,
      );
      return `${of} / ${among} > ${limit} and ${among} >= ${reads.atLeast}`;
    }
    case "settings":
      return "";
    case "gateway":
    case "alert":
      return reads.expression.replace("LIMIT", String(limit));
  }
}

function windowOf({ windowSeconds }: { readonly windowSeconds: number }): string {
  return `${windowSeconds / MINUTE_SECONDS}m`;
}

/** Breaks a text into indented lines. YAML reads each line break as a space. */
function folded(text: string, indent: number): string[] {
  const lines = [""];
  for (const word of text.split(" ")) {
    const line = lines.at(-1) ?? "";
    if (line === "") lines[lines.length - 1] = word;
    else if (indent + line.length + 1 + word.length > COLUMNS) lines.push(word);
    else lines[lines.length - 1] = `${line} ${word}`;
  }
  return lines.map((line) => " ".repeat(indent) + line);
}
