// The overview's chart: outcomes as stacked bars by day or hour, with a legend, a readout of the
// bar under the pointer, and a table of the same numbers. Each bar links to the log.
import { useCallback, useMemo, useState } from "react";
import uPlot from "uplot";
import { LOCALE } from "../../parts/figures.ts";
import {
  type Hatch,
  hatched,
  type Palette,
  Plot,
  type PlotInset,
  plotOptions,
} from "../../parts/plot/plot.tsx";
import { PlotLinks } from "../../parts/plot/plot-links.tsx";
import { barLinks } from "./chart-links.ts";
import { barTop, labelledIndexes, stackedBars } from "./chart-series.ts";
import { OutcomeTable } from "./outcome-table.tsx";
import type { CountedSpan } from "./overview-figures.ts";
import { intervalName, isSoFar, type SpanClock, spansName } from "./overview-range.ts";

const HEIGHT = 264;
const INSET: PlotInset = [8, 4, 26, 46];

/** The parts of a stacked bar, from bottom to top. */
export const LAYERS = [
  { name: "delivered", tone: "ok", hatch: "none" },
  { name: "delayed", tone: "wait", hatch: "slanted" },
  { name: "bounced", tone: "bad", hatch: "dotted" },
] as const satisfies readonly { name: string; tone: keyof Palette; hatch: Hatch }[];

interface OutcomeChartProps {
  readonly entries: readonly CountedSpan[];
  readonly spans: SpanClock;
}

export function OutcomeChart({ entries, spans }: OutcomeChartProps) {
  const [pointed, setPointed] = useState<string | null>(null);
  const { interval, zone } = spans;
  const data = useMemo(() => {
    const { places, delivered, delayed, bounced } = stackedBars(entries);
    return [places, bounced, delayed, delivered] satisfies uPlot.AlignedData;
  }, [entries]);
  const links = useMemo(() => barLinks(entries, spans), [entries, spans]);
  const options = useCallback(
    (palette: Palette) =>
      optionsOf(entries, (at) => tickName(entries[at], interval, zone), palette),
    [entries, interval, zone],
  );
  return (
    <div className="chart">
      <p className="readout muted">
        {pointed ??
          `${spansName(spans)}. “Delayed”: still not delivered at the end of the ${interval}.`}
      </p>
      <Plot height={HEIGHT} data={data} options={options}>
        <PlotLinks
          label={`Bars. ${spansName(spans)}. Each bar opens its messages`}
          links={links}
          places={entries.length}
          inset={INSET}
          isSoFar={isLastSoFar(entries, spans)}
          onPoint={(link) => setPointed(link?.label ?? null)}
        />
      </Plot>
      <OutcomeTable entries={entries} spans={spans} />
    </div>
  );
}

export function isLastSoFar(entries: readonly CountedSpan[], spans: SpanClock): boolean {
  const last = entries.at(-1);
  return last !== undefined && isSoFar(last.start, spans);
}

export function OutcomeLegend({ hasSoFar = false }: { readonly hasSoFar?: boolean }) {
  return (
    <span className="legend">
      {LAYERS.map(({ name, tone, hatch }) => (
        <span key={name}>
          <i className={`swatch ${tone} ${hatch}`} aria-hidden="true" /> {name}
        </span>
      ))}
      {hasSoFar && (
        <span>
          <i className="swatch ok" aria-hidden="true">
            <i className="so-far" />
          </i>{" "}
          so far
        </span>
      )}
    </span>
  );
}

function optionsOf(
  entries: readonly CountedSpan[],
  nameOf: (place: number) => string,
  palette: Palette,
) {
  const paths = uPlot.paths.bars?.({ size: [0.62, 40], radius: 0.06 });
  return plotOptions({
    palette,
    inset: INSET,
    places: entries.length,
    top: barTop(entries),
    x: {
      splits: (chart) => labelledIndexes(entries.length, chart.width),
      values: (_, splits) => splits.map(nameOf),
    },
    y: {
      grid: { stroke: palette["line-2"], width: 1 },
      incrs: [1, 2, 5]
        .flatMap((digit) => Array.from({ length: 9 }, (_, power) => digit * 10 ** power))
        .toSorted((one, other) => one - other),
      values: (_, splits) => splits.map(compact),
    },
    series: LAYERS.toReversed().map(({ name, tone, hatch }) => ({
      label: name,
      fill: (chart: uPlot) => hatched(chart, palette[tone], palette, hatch) as string,
      stroke: palette.panel,
      width: 1,
      points: { show: false },
      ...(paths && { paths }),
    })),
  });
}

/**
 * Writes the label of an hour or a day. A day is written as a number, and the first day of a month
 * with the month's name.
 */
function tickName(entry: CountedSpan | undefined, interval: "hour" | "day", zone: string): string {
  if (!entry) return "";
  const name = intervalName(entry.start, interval, zone);
  if (interval === "hour") return name.replace(":00", "");
  return name.startsWith("1 ") ? name : name.replace(/ .*/, "");
}

function compact(count: number): string {
  return new Intl.NumberFormat(LOCALE, { notation: "compact" }).format(count);
}
