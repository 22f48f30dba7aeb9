// The overview's chart: what became of the mail, as stacked bars by day or by hour, with a legend, a
// line that reads out the bar under the pointer, and the same as a table.
import { useCallback, useMemo, useState } from "react";
import uPlot from "uplot";
import { formatCount } from "../../parts/figures.ts";
import { useZone } from "../../parts/time-zone.ts";
import { type Hatch, hatched, type Palette, Plot } from "../../parts/plot.tsx";
import { labelledPlaces, stackedBars } from "./chart-series.ts";
import { OutcomeTable } from "./outcome-table.tsx";
import { outcomesOf, type CountedSpan } from "./overview-figures.ts";
import { intervalName } from "./overview-range.ts";

const HEIGHT = 264;

/** The layers from the ground up. */
export const LAYERS = [
  { name: "delivered", tone: "ok", hatch: "none" },
  { name: "delayed", tone: "wait", hatch: "slanted" },
  { name: "bounced", tone: "bad", hatch: "dotted" },
] as const satisfies readonly { name: string; tone: keyof Palette; hatch: Hatch }[];

interface OutcomeChartProps {
  readonly entries: readonly CountedSpan[];
  readonly interval: "hour" | "day";
}

export function OutcomeChart({ entries, interval }: OutcomeChartProps) {
  const zone = useZone();
  const [pointed, setPointed] = useState<number | null>(null);
  const data = useMemo(() => {
    const { places, delivered, delayed, bounced } = stackedBars(entries);
    return [places, bounced, delayed, delivered] satisfies uPlot.AlignedData;
  }, [entries]);
  const options = useCallback(
    (palette: Palette) =>
      optionsOf(entries, (entry) => shortName(entry, interval, zone), palette, setPointed),
    [entries, interval, zone],
  );
  const entry = pointed === null ? undefined : entries[pointed];
  return (
    <div className="chart">
      <p className="readout muted">
        {entry ? readout(entry, interval, zone) : explanation(interval)}
      </p>
      <Plot height={HEIGHT} data={data} options={options} />
      <OutcomeTable entries={entries} interval={interval} />
    </div>
  );
}

/** The names and patterns of the layers. */
export function OutcomeLegend() {
  return (
    <span className="legend">
      {LAYERS.map(({ name, tone, hatch }) => (
        <span key={name}>
          <i className={`swatch ${tone} ${hatch}`} aria-hidden="true" /> {name}
        </span>
      ))}
    </span>
  );
}

function explanation(interval: "hour" | "day"): string {
  return `Delayed: sent in the ${interval}, put off, and not settled in it.`;
}

function readout({ start, counts }: CountedSpan, interval: "hour" | "day", zone: string): string {
  const { delivered, delayed, bounced } = outcomesOf(counts);
  const parts = [
    `${formatCount(counts.sent)} sent`,
    `${formatCount(delivered)} delivered`,
    `${formatCount(delayed)} delayed`,
    `${formatCount(bounced)} bounced`,
  ];
  return `${intervalName(start, interval, zone)}: ${parts.join(", ")}`;
}

function optionsOf(
  entries: readonly CountedSpan[],
  nameOf: (entry: CountedSpan | undefined) => string,
  palette: Palette,
  onPoint: (index: number | null) => void,
): Omit<uPlot.Options, "width" | "height"> {
  const paths = uPlot.paths.bars?.({ size: [0.62, 40], radius: 0.06 });
  const axis = {
    stroke: palette["ink-3"],
    font: "11px system-ui, sans-serif",
    ticks: { show: false },
  };
  return {
    legend: { show: false },
    cursor: { drag: { x: false, y: false }, points: { show: false }, y: false },
    padding: [8, 4, 0, 0],
    scales: {
      x: { time: false, range: [-0.6, entries.length - 0.4] },
      y: { range: (_, __, highest) => [0, Math.max(4, highest * 1.08)] },
    },
    axes: [
      {
        ...axis,
        size: 26,
        grid: { show: false },
        splits: (chart) => labelledPlaces(entries.length, chart.width),
        values: (_, splits) => splits.map((at) => nameOf(entries[at])),
      },
      {
        ...axis,
        size: 46,
        grid: { stroke: palette["line-2"], width: 1 },
        incrs: [1, 2, 5]
          .flatMap((digit) => Array.from({ length: 9 }, (_, power) => digit * 10 ** power))
          .toSorted((one, other) => one - other),
        values: (_, splits) => splits.map(compact),
      },
    ],
    series: [
      {},
      ...LAYERS.toReversed().map(({ name, tone, hatch }) => ({
        label: name,
        fill: (chart: uPlot) => hatched(chart, palette[tone], palette, hatch) as string,
        stroke: palette.panel,
        width: 1,
        points: { show: false },
        ...(paths && { paths }),
      })),
    ],
    hooks: { setCursor: [(chart) => onPoint(chart.cursor.idx ?? null)] },
  };
}

/** Names a day by its number, and by its month too where a month begins. */
function shortName(entry: CountedSpan | undefined, interval: "hour" | "day", zone: string): string {
  if (!entry) return "";
  const name = intervalName(entry.start, interval, zone);
  const isFirst = name.startsWith("1 ");
  return interval === "hour" ? name.replace(":00", "") : isFirst ? name : name.replace(/ .*/, "");
}

function compact(count: number): string {
  return new Intl.NumberFormat(undefined, { notation: "compact" }).format(count);
}
