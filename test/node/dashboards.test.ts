// Compares dashboards/ and the tables of docs/metrics-and-alerts.md with the definitions of the
// metrics. Every metric, label and value in an expression exists, a dashboard shows every metric,
// and every alert says what to do and links to an existing section.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { parse } from "yaml";
import { DEFINITIONS as GATEWAY } from "../../smtp-gateway/src/metric-definitions.ts";
import { DEFINITIONS as WORKER } from "../../src/operator/metric-table.ts";
import { anchorsOf } from "../tidy/citations.ts";
import { namesIn } from "./promql-names.ts";

interface Panel {
  readonly title: string;
  readonly description?: string;
  readonly datasource?: { readonly uid: string };
  readonly targets?: readonly { readonly expr: string }[];
}

interface Dashboard {
  readonly templating: { readonly list: readonly Variable[] };
  readonly panels: readonly Panel[];
}

interface Variable {
  readonly name: string;
  readonly type: string;
  readonly query: string;
}

interface Alert {
  readonly alert: string;
  readonly expr: string;
  readonly labels: { readonly severity: string };
  readonly annotations: Readonly<Record<string, string>>;
}

type Definitions = Readonly<
  Record<string, { readonly type: string; readonly labels?: readonly string[] }>
>;

const ROOT = join(import.meta.dirname, "../..");
const read = (path: string) => readFileSync(join(ROOT, path), "utf8");
const metricsPage = read("docs/metrics-and-alerts.md");
/** All code words in these documents. Each value of a metric's label must be among them. */
const WORDS = new Set(
  ["metrics-and-alerts", "logs", "contract", "bounces"].flatMap((page) =>
    inTicks(read(`docs/${page}.md`)),
  ),
);
const JOBS = new Set(Array.from(metricsPage.matchAll(/job_name: (\S+)/g), ([, name = ""]) => name));
const STATUS = /^[1-5]\d\d$/;
/** Labels that Prometheus itself adds to each sample. */
const SCRAPED = ["job", "instance"];
const METRICS: Definitions = { ...WORKER, ...GATEWAY, up: { type: "gauge" } };
const REPOSITORY = "https://github.com/OWNER/postern/blob/main/";

const dashboards = ["worker", "gateway"].map((name) => ({
  name,
  own: (name === "worker" ? WORKER : GATEWAY) as Definitions,
  board: JSON.parse(read(`dashboards/${name}.json`)) as Dashboard,
}));
const { groups } = parse(read("dashboards/alerts.yml")) as {
  groups: readonly { readonly rules: readonly Alert[] }[];
};
const alerts = groups.flatMap(({ rules }) => rules);

function inTicks(text: string): string[] {
  return Array.from(text.matchAll(/`([^`\n]+)`/g), ([, word = ""]) => word);
}

function expressionsOf({ panels }: Dashboard): string[] {
  return panels.flatMap(({ targets = [] }) => targets.map(({ expr }) => expr));
}

/**
 * Returns the definition of a Prometheus sample's metric, with all labels that the sample can have.
 * A histogram's samples have more labels than its definition, such as `le`.
 */
function definitionOf(sample: string): { name: string; labels: readonly string[] } | undefined {
  const [base = "", suffix] = sample.split(/_(bucket|sum|count)$/);
  const name = suffix !== undefined && METRICS[base]?.type === "histogram" ? base : sample;
  const found = METRICS[name];
  if (!found || (found.type === "histogram") !== (suffix !== undefined)) return undefined;
  const bounds = suffix === "bucket" ? ["le"] : [];
  return { name, labels: [...(found.labels ?? []), ...SCRAPED, ...bounds] };
}

/**
 * Returns the metrics, labels and values in a PromQL expression that the worker does not define.
 */
function unknownNames(expression: string): string[] {
  const { selectors, groupings } = namesIn(expression);
  const known = new Set(selectors.flatMap(({ metric }) => definitionOf(metric)?.labels ?? []));
  const inSelectors = selectors.flatMap(({ metric, matchers }) => {
    const labels = definitionOf(metric)?.labels;
    if (!labels) return [metric];
    return matchers.flatMap(({ label, values }) => [
      ...(labels.includes(label) ? [] : [`${metric}{${label}}`]),
      ...values.filter(
        (value) => !(label === "job" ? JOBS : WORDS).has(value) && !STATUS.test(value),
      ),
    ]);
  });
  return [...inSelectors, ...groupings.filter((label) => !known.has(label))];
}

describe("an expression", () => {
  it.each([
    ["postern_stuck_recipient > 0", ["postern_stuck_recipient"]],
    ['sum(rate(postern_bounced_total{kind="permanent"}[5m]))', ["postern_bounced_total{kind}"]],
    ['postern_log_events{state="unpagd"} > 1e6', ["unpagd"]],
    ['up{job="posterm"} == 0', ["posterm"]],
    ["max by (queues) (postern_dead_letters)", ["queues"]],
    ["rate(postern_http_request_duration_seconds[5m])", ["postern_http_request_duration_seconds"]],
    ["rate(postern_accepted_total_bucket[5m])", ["postern_accepted_total_bucket"]],
    ['a{b=~"c|d"} / on (e) f', ["a", "f", "e"]],
  ])("%s has the unknown names %j", (expression, names) => {
    expect(unknownNames(expression)).toEqual(names);
  });
});

describe.each(dashboards)("the dashboard of the $name", ({ own, board }) => {
  const expressions = expressionsOf(board);

  it("names only metrics, labels and values that exist", () => {
    expect(expressions.flatMap(unknownNames)).toEqual([]);
  });

  it("shows every metric", () => {
    const shown = new Set(
      expressions
        .flatMap((one) => namesIn(one).selectors)
        .map(({ metric }) => definitionOf(metric)?.name),
    );
    expect(Object.keys(own).filter((name) => !shown.has(name))).toEqual([]);
  });

  it("uses the data source of its variable, in panels that say what they show", () => {
    const variables = board.templating.list.map(({ name, type }) => [name, type]);
    expect(variables[0]).toEqual(["datasource", "datasource"]);
    const panels = board.panels.filter(({ targets }) => targets !== undefined);
    expect(panels.length).toBeGreaterThan(10);
    for (const { title, description, datasource } of panels) {
      expect(datasource?.uid, title).toBe("${datasource}");
      expect(description, title).toMatch(/\w/);
    }
    const used = new Set(JSON.stringify(board).match(/(?<=\$)(?!_)\w+/g) ?? []);
    const names = new Set(variables.map(([name]) => name));
    expect([...used].filter((name) => !names.has(name))).toEqual([]);
    for (const { query } of board.templating.list.filter(({ type }) => type === "query"))
      expect(
        definitionOf(/^label_values\((\w+), instance\)$/.exec(query)?.[1] ?? ""),
      ).toBeDefined();
  });
});

describe("the alerts", () => {
  it.each(alerts.map((alert) => [alert.alert, alert] as const))(
    "%s names only existing metrics, says what to do, and links to an existing section",
    (name, { expr, labels, annotations }) => {
      expect(unknownNames(expr)).toEqual([]);
      expect(labels.severity).toMatch(/^(?:critical|warning)$/);
      expect(Object.keys(annotations)).toEqual(["summary", "description", "runbook_url"]);
      expect(annotations["summary"], name).toMatch(/\w{3}/);
      expect(annotations["description"], name).toMatch(/\.$/);
      const [page = "", anchor = ""] = (annotations["runbook_url"] ?? "")
        .replace(REPOSITORY, "")
        .split("#");
      expect([...anchorsOf(page)], `${page} has a heading #${anchor}`).toContain(anchor);
    },
  );

  it("have distinct names, and there is one for each job that is down", () => {
    const names = alerts.map(({ alert }) => alert);
    expect(new Set(names).size).toBe(names.length);
    expect(names).toEqual(expect.arrayContaining(["PosternDown", "PosternGatewayDown"]));
  });
});

describe("docs/metrics-and-alerts.md", () => {
  it.each([
    ["Metrics", WORKER as Definitions],
    ["The gateway's metrics", GATEWAY as Definitions],
  ])("§%s has every metric once, with its labels", (heading, definitions) => {
    const [, section = ""] = metricsPage.split(`\n### ${heading}\n`);
    const rows = (section.split("\n#")[0] ?? "")
      .split("\n")
      .filter((line) => /^\| `(?:postern|process)_/.test(line))
      .map((line) => line.slice(1).split("|").map(inTicks));
    const listed = rows.flatMap(([names = [], labels = []]) => names.map((name) => [name, labels]));
    const defined = Object.entries(definitions).map(([name, { labels = [] }]) => [name, labels]);
    expect(listed).toHaveLength(defined.length);
    expect(Object.fromEntries(listed)).toEqual(Object.fromEntries(defined));
  });
});
