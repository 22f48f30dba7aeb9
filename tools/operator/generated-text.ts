// Generates the texts in files that repeat the operator's tables (src/operator). Only these texts
// are generated. A value of wrangler.toml, a binding of a shard and a sentence beside a table are
// not changed. Pure.
import { describeForm } from "../../src/operator/setting-form.ts";
import {
  SECRET_NAMES,
  SETTING_NAMES,
  type SettingName,
  settingOf,
} from "../../src/operator/setting-table.ts";
import {
  EGRESS_SETTINGS,
  INTAKE_SETTINGS,
  type GatewaySettingEntry,
} from "../../smtp-gateway/src/gateway-setting-table.ts";

import type { CheckEntry } from "../../src/operator/check-entry.ts";
import { WORKER_CHECKS } from "../../src/operator/check-table.ts";
import { GATEWAY_CHECKS } from "../../src/operator/gateway-check-table.ts";
import { DEFINITIONS as METRICS, type MetricEntry } from "../../src/operator/metric-table.ts";
import { formatValue } from "../../src/operator/check-values.ts";
import { DEFINITIONS as GATEWAY_METRICS } from "../../smtp-gateway/src/metric-definitions.ts";
import { withAlertRules } from "./alert-rules.ts";
import { withPanelTexts } from "./dashboard-texts.ts";

/** Edits a file's text. Returns an equal text if the file already repeats the tables. */
export type TextEdit = (text: string) => string;

const SETTING_HEAD = "| Setting |";

/** The edit of each file that repeats the tables, by its path. */
export const GENERATED: Readonly<Record<string, TextEdit>> = {
  "docs/settings.md": (text) =>
    withRows(withRows(text, "| Variable |", variables()), "| Secret |", secrets()),
  "smtp-gateway/README.md": (text) =>
    withRows(
      withRows(text, SETTING_HEAD, gatewayRows(EGRESS_SETTINGS)),
      SETTING_HEAD,
      gatewayRows(INTAKE_SETTINGS),
      1,
    ),
  "docs/metrics-and-alerts.md": (text) =>
    withRows(
      withRows(text, "| Name |", metricRows(METRICS)),
      "| Name |",
      metricRows(GATEWAY_METRICS),
      1,
    ),
  "docs/checks.md": (text) =>
    withRows(text, "| Check |", checkRows({ ...WORKER_CHECKS, ...GATEWAY_CHECKS })),
  "dashboards/alerts.yml": withAlertRules,
  "dashboards/worker.json": (text) => withPanelTexts(text, METRICS),
  "dashboards/gateway.json": (text) => withPanelTexts(text, GATEWAY_METRICS),
  ".dev.vars.example": withExamples,
  "package.json": withDescriptions,
  "wrangler.toml": withSecretNames,
};

/**
 * Replaces the rows of a table whose first line begins with `head`. `before` is the number of
 * earlier tables in the file with the same first line.
 */
function withRows(text: string, head: string, rows: readonly string[], before = 0): string {
  const lines = text.split("\n");
  const heads = lines.flatMap((line, index) => (line.startsWith(head) ? [index] : []));
  const from = heads[before];
  if (from === undefined) throw new Error(`there is no table ${head}`);
  const length = lines.slice(from).findIndex((line) => !line.startsWith("|"));
  return lines.toSpliced(from + 2, length - 2, ...rows).join("\n");
}

function variables(): string[] {
  return SETTING_NAMES.filter((name) => !SECRET_NAMES.includes(name)).map(settingRow);
}

function secrets(): string[] {
  return SECRET_NAMES.map(settingRow);
}

function settingRow(name: SettingName): string {
  const { form, meaning, standard, secret } = settingOf(name);
  const values = describeForm(form);
  const preset = standard === undefined ? "" : `\`${standard}\``;
  const cells = [`\`${name}\``, meaning, values, ...(secret === undefined ? [preset] : [])];
  return tableRow(cells);
}

function gatewayRows(settings: Readonly<Record<string, GatewaySettingEntry>>): string[] {
  return Object.entries(settings).map(([name, { standard, otherwise = "none", meaning }]) =>
    tableRow([`\`${name}\``, standard === undefined ? otherwise : `\`${standard}\``, meaning]),
  );
}

function metricRows(metrics: Readonly<Record<string, MetricEntry>>): string[] {
  return Object.entries(metrics).map(([name, { labels = [], help }]) =>
    tableRow([`\`${name}\``, labels.map((label) => `\`${label}\``).join(", "), help]),
  );
}

function checkRows(checks: Readonly<Record<string, CheckEntry>>): string[] {
  return Object.entries(checks).map(([check, entry]) => {
    const { limit, unit, severity, over, good, next, alert, alertAfterSeconds } = entry;
    const after =
      alertAfterSeconds === 0 ? "" : `, after ${formatValue(alertAfterSeconds, "seconds")}`;
    return tableRow([
      `\`${check}\``,
      limit === null ? "" : formatValue(limit, unit),
      limit === null ? "" : severity,
      alert === "" ? "" : `\`${alert}\`${after}`,
      limit === null ? good : `${over} ${next}`.replaceAll("<", "&lt;"),
    ]);
  });
}

function tableRow(cells: readonly string[]): string {
  return `| ${cells.join(" | ")} |`.replaceAll(/\| +(?=\|)/g, "| ");
}

/** Replaces all lines below the file's comment. */
function withExamples(text: string): string {
  const comment = text.split("\n").filter((line) => line.startsWith("#"));
  const examples = SECRET_NAMES.flatMap((name) => {
    const [value, about] = settingOf(name).secret?.example ?? [];
    return value === undefined ? [] : [`${name}=${value} # ${about}`];
  });
  return [...comment, ...examples, ""].join("\n");
}

/** Replaces the descriptions of settings. Keeps the descriptions of bindings. */
function withDescriptions(text: string): string {
  return SETTING_NAMES.reduce((edited, name) => {
    const { button } = settingOf(name);
    const described = new RegExp(`("${name}": \\{\\s*"description": )"(?:[^"\\\\]|\\\\.)*"`);
    return button === undefined
      ? edited
      : edited.replace(described, (_, start: string) => start + JSON.stringify(button));
  }, text);
}

/** Replaces the names in the comment on secrets. */
function withSecretNames(text: string): string {
  const always = SECRET_NAMES.filter((name) => settingOf(name).secret?.example !== undefined);
  return text.replace(/(?<=^# Secrets \(wrangler secret put\): )[A-Z_ ]+(?=,)/m, always.join(" "));
}
