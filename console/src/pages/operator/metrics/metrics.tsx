// The metrics of GET /admin/metrics by subject, each with its meaning and its increase since the
// page was opened.
import { QueryResult } from "../../../parts/query-result.tsx";
import { AsRequest } from "../../../parts/as-request.tsx";
import { formatCount, formatDuration } from "../../../parts/figures.ts";
import { PageHead } from "../../../parts/page-head.tsx";
import { Panel } from "../../../parts/panel.tsx";
import { CheckedAt } from "../checked-at.tsx";
import { distributionsOf, gainOf, type MetricsSample, quantileOf } from "./metric-figures.ts";
import { describeLabels, formatValue, groupBySubject } from "./metric-subjects.ts";
import type { Family } from "./metrics-text.ts";
import { METRICS_EVERY_MS, useMetrics } from "../operator-queries.ts";

const MEDIAN = 0.5;
const SLOWEST = 0.99;

export function Metrics() {
  const query = useMetrics();
  return (
    <>
      <PageHead title="Metrics">
        <CheckedAt at={query.dataUpdatedAt} everyMs={METRICS_EVERY_MS} />
      </PageHead>
      <QueryResult query={query}>{(looks) => <MetricSubjects looks={looks} />}</QueryResult>
      <AsRequest path="/admin/metrics" variable="ADMIN_TOKEN" />
    </>
  );
}

function MetricSubjects({ looks }: { readonly looks: readonly MetricsSample[] }) {
  const span = (looks.at(-1)?.at ?? 0) - (looks[0]?.at ?? 0);
  const gained = span === 0 ? "Change" : `Last ${formatDuration(span)}`;
  return groupBySubject(looks.at(-1)?.families ?? []).map(({ title, families }) => (
    <Panel key={title} title={title}>
      <ValueTable
        title={title}
        families={families.filter(({ type }) => type !== "histogram")}
        looks={looks}
        gained={gained}
      />
      {families
        .filter(({ type }) => type === "histogram")
        .map((family) => (
          <DurationTable key={family.name} family={family} />
        ))}
    </Panel>
  ));
}

interface ValuesProps {
  readonly title: string;
  readonly families: readonly Family[];
  readonly looks: readonly MetricsSample[];
  readonly gained: string;
}

function ValueTable({ title, families, looks, gained }: ValuesProps) {
  const hasCounters = families.some(({ type }) => type === "counter");
  return (
    <table className="numbers metrics" aria-label={title}>
      <thead>
        <tr>
          <th scope="col">Metric</th>
          {hasCounters && (
            <th scope="col" className="n">
              {gained}
            </th>
          )}
          <th scope="col" className="n">
            Now
          </th>
        </tr>
      </thead>
      {families.map((family) => (
        <FamilyRows key={family.name} family={family} looks={looks} hasCounters={hasCounters} />
      ))}
    </table>
  );
}

interface FamilyProps {
  readonly family: Family;
  readonly looks: readonly MetricsSample[];
  readonly hasCounters: boolean;
}

/**
 * Shows a metric without labels in one row, and a metric with labels in one row for each series.
 */
function FamilyRows({ family, looks, hasCounters }: FamilyProps) {
  const { name, type, samples } = family;
  const isOne = samples.length === 1 && describeLabels(samples[0]?.labels ?? {}) === "";
  return (
    <tbody>
      {!isOne && (
        <tr>
          <th scope="rowgroup" colSpan={hasCounters ? 3 : 2}>
            <About family={family} />
          </th>
        </tr>
      )}
      {samples.map(({ labels, value }) => {
        const gain = type === "counter" ? gainOf(looks, name, labels) : null;
        return (
          <tr key={describeLabels(labels)}>
            <td className={isOne ? "" : "label"}>
              {isOne ? <About family={family} /> : describeLabels(labels)}
            </td>
            {hasCounters && <td className="n">{gain === null ? "–" : `+${formatCount(gain)}`}</td>}
            <td className="n">{formatValue(name, value)}</td>
          </tr>
        );
      })}
    </tbody>
  );
}

function About({ family: { name, help, type } }: { readonly family: Family }) {
  return (
    <>
      <code>{name}</code> <small>{type}</small>
      <br />
      <small>{help}</small>
    </>
  );
}

function DurationTable({ family }: { readonly family: Family }) {
  return (
    <table className="numbers metrics" aria-label={family.name}>
      <thead>
        <tr>
          <th scope="col">Metric</th>
          <th scope="col" className="n second">
            Count
          </th>
          <th scope="col" className="n">
            p50
          </th>
          <th scope="col" className="n">
            p99
          </th>
          <th scope="col" className="n second">
            Mean
          </th>
        </tr>
      </thead>
      <tbody>
        <tr>
          <th scope="rowgroup" colSpan={5}>
            <About family={family} />
          </th>
        </tr>
        {distributionsOf(family).map((one) => (
          <tr key={describeLabels(one.labels)}>
            <td className="label">{describeLabels(one.labels)}</td>
            <td className="n second">{formatCount(one.count)}</td>
            <td className="n">{secondsOf(quantileOf(one, MEDIAN))}</td>
            <td className="n">{secondsOf(quantileOf(one, SLOWEST))}</td>
            <td className="n second">{secondsOf(one.count === 0 ? null : one.sum / one.count)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function secondsOf(value: number | null): string {
  return value === null ? "–" : formatDuration(value * 1_000);
}
