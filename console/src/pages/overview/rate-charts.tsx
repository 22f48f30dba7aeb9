// Rates as small charts, each with the threshold at which providers start to refuse mail. They
// share a time axis, and their points link to the log.
import { useCallback, useMemo } from "react";
import type uPlot from "uplot";
import { formatShare, LOCALE } from "../../parts/figures.ts";
import { Panel } from "../../parts/panel.tsx";
import { type Palette, Plot, type PlotInset, plotOptions } from "../../parts/plot/plot.tsx";
import { PlotLinks } from "../../parts/plot/plot-links.tsx";
import { pointLinks } from "./chart-links.ts";
import { type RateName, rateMarks, ratesOf, rateTop } from "./chart-series.ts";
import {
  BOUNCE_THRESHOLD,
  COMPLAINT_THRESHOLD,
  COMPLAINT_WARNING,
  messagesOf,
  type CountedSpan,
  type OutcomeTotals,
} from "./overview-figures.ts";
import { intervalName, type SpanClock, spansName } from "./overview-range.ts";

const HEIGHT = 128;
const INSET: PlotInset = [8, 18, 26, 52];

interface Rate {
  readonly name: RateName;
  readonly title: string;
  readonly tone: "ok" | "bad" | "spam";
  /** The thresholds in per cent. */
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
    note: "of sent. Dashed line: above 2%, providers may refuse mail",
  },
  {
    name: "complained",
    title: "Complained",
    tone: "spam",
    thresholds: [COMPLAINT_WARNING * 100, COMPLAINT_THRESHOLD * 100],
    note: "of delivered. Dashed lines: limits of 0.1% (Gmail) and 0.3% (Gmail and Yahoo)",
  },
];

interface RateChartsProps {
  readonly entries: readonly CountedSpan[];
  readonly totals: OutcomeTotals;
  readonly spans: SpanClock;
}

export function RateCharts({ entries, totals: { counts }, spans }: RateChartsProps) {
  const shares: Readonly<Record<RateName, string>> = {
    delivered: formatShare(counts.delivered, messagesOf(counts)),
    bounced: formatShare(counts.bounced, messagesOf(counts)),
    complained: formatShare(counts.complained, Math.max(counts.delivered, counts.complained)),
  };
  return (
    <Panel
      title={`Rates by ${spans.interval}`}
      note={`${spansName(spans)}. Each chart has its own scale.`}
    >
      <div className="multiples">
        {RATES.map((rate) => (
          <figure key={rate.name}>
            <figcaption>
              <b>{rate.title}</b> {shares[rate.name]} <small>{rate.note}</small>
            </figcaption>
            <RatePlot rate={rate} entries={entries} spans={spans} />
          </figure>
        ))}
      </div>
    </Panel>
  );
}

interface RatePlotProps extends Pick<RateChartsProps, "entries" | "spans"> {
  readonly rate: Rate;
}

function RatePlot({ rate, entries, spans }: RatePlotProps) {
  const rates = useMemo(() => ratesOf(rate.name, entries), [rate, entries]);
  const links = useMemo(() => pointLinks(rate.name, entries, spans), [rate, entries, spans]);
  const data = useMemo(
    () =>
      [
        rates.map((_, index) => index),
        rates,
        ...rate.thresholds.map((threshold) => rates.map(() => threshold)),
      ] satisfies uPlot.AlignedData,
    [rate, rates],
  );
  const { interval, zone } = spans;
  const options = useCallback(
    (palette: Palette) =>
      optionsOf(
        rate,
        rates,
        entries.map(({ start }) => intervalName(start, interval, zone)),
        palette,
      ),
    [rate, rates, entries, interval, zone],
  );
  return (
    <Plot height={HEIGHT} data={data} options={options}>
      <PlotLinks
        label={`${rate.title}. ${spansName(spans)}. Each point opens its messages`}
        links={links}
        places={entries.length}
        inset={INSET}
      />
    </Plot>
  );
}

function optionsOf(
  { tone, thresholds }: Rate,
  rates: readonly (number | null)[],
  names: readonly string[],
  palette: Palette,
) {
  const top = rateTop(rates, thresholds);
  return plotOptions({
    palette,
    inset: INSET,
    places: rates.length,
    top,
    x: {
      gap: 8,
      border: { show: true, stroke: palette.line, width: 1 },
      splits: [...new Set([0, rates.length - 1])],
      values: (_, splits) => splits.map((place) => names[place] ?? ""),
    },
    y: {
      splits: rateMarks(rates, thresholds, top),
      values: (_, splits) => splits.map(percent),
    },
    series: [
      { stroke: palette[tone], width: 2, points: { show: true, size: 7, fill: palette[tone] } },
      ...thresholds.map(() => ({
        stroke: palette["ink-3"],
        width: 1,
        dash: [4, 4],
        points: { show: false },
      })),
    ],
  });
}

function percent(mark: number): string {
  const format = { style: "percent", maximumSignificantDigits: 3 } as const;
  return new Intl.NumberFormat(LOCALE, format).format(mark / 100);
}
