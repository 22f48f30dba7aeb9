// Rates as small charts, each beside the share at which providers begin to refuse mail.
import { useCallback, useMemo } from "react";
import type uPlot from "uplot";
import { formatShare } from "../../parts/figures.ts";
import { Panel } from "../../parts/panel.tsx";
import { type Palette, Plot } from "../../parts/plot.tsx";
import { type RateName, rateMarks, ratesOf, rateTop } from "./chart-series.ts";
import {
  BOUNCE_THRESHOLD,
  COMPLAINT_THRESHOLD,
  COMPLAINT_WARNING,
  messagesOf,
  type CountedSpan,
  type OutcomeTotals,
} from "./overview-figures.ts";

const HEIGHT = 110;

interface Rate {
  readonly name: RateName;
  readonly title: string;
  readonly tone: "ok" | "bad" | "spam";
  /** Values in per cent. */
  readonly thresholds: readonly number[];
  readonly note: string;
}

const RATES: readonly Rate[] = [
  { name: "delivered", title: "Delivered", tone: "ok", thresholds: [], note: "of sent" },
  {
    name: "bounced",
    title: "Bounced",
    tone: "bad",
    thresholds: [BOUNCE_THRESHOLD * 100],
    note: "of sent; dashed: 2 %, where providers begin to refuse",
  },
  {
    name: "complained",
    title: "Complained",
    tone: "spam",
    thresholds: [COMPLAINT_WARNING * 100, COMPLAINT_THRESHOLD * 100],
    note: "of delivered; dashed: Gmail's 0.1 %, Gmail's and Yahoo's 0.3 %",
  },
];

interface RateChartsProps {
  readonly entries: readonly CountedSpan[];
  readonly totals: OutcomeTotals;
  readonly interval: "hour" | "day";
}

export function RateCharts({ entries, totals: { counts }, interval }: RateChartsProps) {
  const shares: Readonly<Record<RateName, string>> = {
    delivered: formatShare(counts.delivered, messagesOf(counts)),
    bounced: formatShare(counts.bounced, messagesOf(counts)),
    complained: formatShare(counts.complained, Math.max(counts.delivered, counts.complained)),
  };
  return (
    <Panel title={`Rates by ${interval}`} note="each on a scale of its own">
      <div className="multiples">
        {RATES.map((rate) => (
          <figure key={rate.name}>
            <figcaption>
              <b>{rate.title}</b> {shares[rate.name]} <small>{rate.note}</small>
            </figcaption>
            <RatePlot rate={rate} entries={entries} />
          </figure>
        ))}
      </div>
    </Panel>
  );
}

function RatePlot({
  rate,
  entries,
}: {
  readonly rate: Rate;
  readonly entries: readonly CountedSpan[];
}) {
  const rates = useMemo(() => ratesOf(rate.name, entries), [rate, entries]);
  const data = useMemo(
    () =>
      [
        rates.map((_, index) => index),
        rates,
        ...rate.thresholds.map((threshold) => rates.map(() => threshold)),
      ] satisfies uPlot.AlignedData,
    [rate, rates],
  );
  const options = useCallback((palette: Palette) => optionsOf(rate, rates, palette), [rate, rates]);
  return <Plot height={HEIGHT} data={data} options={options} />;
}

function optionsOf(
  { tone, thresholds }: Rate,
  rates: readonly (number | null)[],
  palette: Palette,
): Omit<uPlot.Options, "width" | "height"> {
  const top = rateTop(rates, thresholds);
  return {
    legend: { show: false },
    cursor: { show: false },
    padding: [8, 8, 4, 0],
    scales: { x: { time: false, range: [-0.5, rates.length - 0.5] }, y: { range: [0, top] } },
    axes: [
      { show: false },
      {
        size: 52,
        stroke: palette["ink-3"],
        font: "11px system-ui, sans-serif",
        ticks: { show: false },
        grid: { show: false },
        splits: rateMarks(rates, thresholds, top),
        values: (_, splits) => splits.map(percent),
      },
    ],
    series: [
      {},
      { stroke: palette[tone], width: 2, points: { show: true, size: 4, fill: palette[tone] } },
      ...thresholds.map(() => ({
        stroke: palette["ink-3"],
        width: 1,
        dash: [4, 4],
        points: { show: false },
      })),
    ],
  };
}

function percent(mark: number): string {
  return `${new Intl.NumberFormat(undefined, { maximumSignificantDigits: 3 }).format(mark)} %`;
}
