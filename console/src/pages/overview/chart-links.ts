// Links each bar and point of the overview's charts to the events that it counts. Pure.
import { formatCount, formatShare } from "../../parts/figures.ts";
import type { PlotLink } from "../../parts/plot/plot-keys.ts";
import type { MessagesSearch } from "../messages/messages-search.ts";
import { barTop, type RateName, ratesOf, stackedBars } from "./chart-series.ts";
import { type CountedSpan, outcomesOf } from "./overview-figures.ts";
import { type SpanClock, spanEnd, spanName } from "./overview-range.ts";

/**
 * Returns the search parameters with which the log shows an interval's events: all of them, or
 * those of one type.
 */
export function spanSearch(
  start: string,
  spans: Pick<SpanClock, "interval">,
  eventType?: MessagesSearch["event_type"],
): MessagesSearch {
  return { ...(eventType && { event_type: eventType }), start, end: spanEnd(start, spans) };
}

/**
 * Returns the links of the bars. Each interval has one link as high as the chart, and one link over
 * each part of its bar.
 */
export function barLinks(entries: readonly CountedSpan[], spans: SpanClock): readonly PlotLink[] {
  const bars = stackedBars(entries);
  const top = barTop(entries);
  return entries.flatMap((entry, place) => {
    const { start, counts } = entry;
    const outcomes = outcomesOf(counts);
    const name = spanName(start, spans);
    const search = spanSearch(start, spans);
    const whole = { place, part: "all", from: 0, to: 1, label: readout(entry, spans), search };
    const parts = (["delivered", "delayed", "bounced"] as const).flatMap((part): PlotLink[] => {
      const [count, to] = [outcomes[part], bars[part][place] ?? 0];
      if (count === 0) return [];
      const label = `${name}: ${formatCount(count)} ${part}`;
      return [
        {
          place,
          part,
          from: (to - count) / top,
          to: to / top,
          label,
          search: spanSearch(start, spans, `email.${part}`),
        },
      ];
    });
    return [whole, ...parts];
  });
}

/** Returns a link for each point of a rate's chart. Each link is as high as the chart. */
export function pointLinks(
  name: RateName,
  entries: readonly CountedSpan[],
  spans: SpanClock,
): readonly PlotLink[] {
  return ratesOf(name, entries).flatMap((rate, place): PlotLink[] => {
    const entry = entries[place];
    if (rate === null || !entry) return [];
    const { start, counts } = entry;
    const label = `${spanName(start, spans)}: ${formatShare(rate, 100)} ${name}, ${formatCount(counts[name])}`;
    const search = spanSearch(start, spans, `email.${name}`);
    return [{ place, part: name, from: 0, to: 1, label, search }];
  });
}

/** Describes the outcomes in an interval. */
function readout({ start, counts }: CountedSpan, spans: SpanClock): string {
  const { delivered, delayed, bounced } = outcomesOf(counts);
  const parts = [
    `${formatCount(counts.sent)} sent`,
    `${formatCount(delivered)} delivered`,
    `${formatCount(delayed)} delayed`,
    `${formatCount(bounced)} bounced`,
  ];
  return `${spanName(start, spans)}: ${parts.join(", ")}`;
}
