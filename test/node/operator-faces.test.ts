// Tests that every face of a deployment has one verdict for one condition: for each check with a
// limit, the worker, the doctor, the console, the alert and the documentation print the same limit
// and the same sentence.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { parse } from "yaml";
import { concernsOf } from "../../console/src/pages/operator/overview-summary.ts";
import { markOf } from "../../src/metrics/sample-sums.ts";
import type { CheckEntry } from "../../src/operator/check-entry.ts";
import { WORKER_CHECKS } from "../../src/operator/check-table.ts";
import { fill, formatValue, selector } from "../../src/operator/check-values.ts";
import { GATEWAY_CHECKS } from "../../src/operator/gateway-check-table.ts";
import { judgeChecks } from "../../src/resources/checks/judge-checks.ts";
import { judgedChecks } from "../../tools/setup/doctor/judged-checks.ts";

interface Rule {
  readonly alert: string;
  readonly expr: string;
  readonly labels: { readonly severity: string };
  readonly annotations: { readonly summary: string; readonly description: string };
}

const read = (path: string): string =>
  readFileSync(join(import.meta.dirname, "../..", path), "utf8");
const { groups } = parse(read("dashboards/alerts.yml")) as {
  groups: readonly { readonly rules: readonly Rule[] }[];
};
const rules = groups.flatMap((group) => group.rules);
const page = read("docs/checks.md").split("\n");
const CLOCK = { now: 0, zone: "UTC" };
const UP = { 'postern_source_up{source="counters"}': 1 };
const TONES = { critical: "bad", warning: "wait" } as const;
/** The placeholders in the alerts' texts: `$labels` names the subject, `$value` is measured. */
const TEMPLATE = /\{\{ \$(?:value|labels)[^}]*\}\}/g;

/** Returns samples with a value just beyond the limit. */
function beyond({ reads, limit }: CheckEntry): Record<string, number> {
  const over = limit ?? 0;
  if (reads.kind === "gauge") {
    const labels = reads.each === undefined ? {} : { [reads.each]: ["one"] };
    const key = selector({ metric: reads.metric, labels: { ...reads.labels, ...labels } });
    return { ...UP, [key]: reads.below === true ? over - 1 : over + 1 };
  }
  if (reads.kind === "increase") return { ...UP, [selector(reads.of)]: over + 1 };
  if (reads.kind !== "share") return UP;
  const [label, [value] = []] = Object.entries(reads.of.labels ?? {})[0] ?? [];
  const all = reads.atLeast * 1_000;
  const bad = all * over + 1;
  const of = { metric: reads.of.metric, labels: label ? { [label]: [value ?? ""] } : {} };
  const isPart = reads.of.metric === reads.among.metric;
  return { ...UP, [selector(reads.among)]: isPart ? all - bad : all, [selector(of)]: bad };
}

const limited = Object.entries<CheckEntry>(WORKER_CHECKS).filter(
  ([, { limit, reads }]) => limit !== null && !["alert", "settings"].includes(reads.kind),
);

describe("a condition has the same verdict in worker, doctor, console, alert and documentation:", () => {
  it.each(limited)("%s", (check, entry) => {
    const { severity, next, over, limit, unit, alert } = entry;
    const rows = judgeChecks({
      samples: beyond(entry),
      marks: [markOf(UP, 0)],
      misspelt: [],
      hasGateways: false,
      now: 24 * 3_600_000,
    });
    const row = rows.find((one) => one.check === check && one.status !== "ok");
    expect(row).toMatchObject({ status: severity, limit, next_step: next });
    expect(row?.message).toBe(fill(over, row?.subject ?? null, row?.value_text ?? ""));
    const found = { check, status: severity, what: row?.message, mend: next };
    expect(judgedChecks({ checks: [row] })).toEqual([found]);
    const shown = { tone: TONES[severity], head: row?.message, rest: next };
    expect(concernsOf(row ? [row] : [], undefined, CLOCK)).toMatchObject([shown]);
    const rule = rules.find((one) => one.alert === alert);
    expect(rule?.labels.severity).toBe(severity);
    expect(rule?.expr).toMatch(new RegExp(`[<>] ${limit}(?: |$)`));
    const sentence = fill(over, "…", "…");
    expect(rule?.annotations.summary.replaceAll(TEMPLATE, "…")).toBe(sentence);
    expect(rule?.annotations.description).toBe(next);
    const cells = page.find((line) => line.startsWith(`| \`${check}\` |`)) ?? "";
    expect(cells).toContain(`| ${formatValue(limit ?? 0, unit)} | ${severity} |`);
    expect(cells.replaceAll("&lt;", "<")).toContain(`${over} ${next}`);
  });

  it("each alert belongs to one check", () => {
    const named = Object.values<CheckEntry>({ ...WORKER_CHECKS, ...GATEWAY_CHECKS })
      .map(({ alert }) => alert)
      .filter((alert) => alert !== "");
    expect(rules.map(({ alert }) => alert)).toEqual(named);
  });
});
