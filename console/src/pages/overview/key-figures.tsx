// The figures of the overview. Each has its change from the previous period, a spark line, and a
// link to the events that it counts. The colour of a number shows whether the number is good or
// bad.
import { Link } from "@tanstack/react-router";
import type { ReactNode } from "react";
import type { EventCounts } from "../../../../packages/postern/src/generated/types.ts";
import type { EventTypeName } from "../../api/event-type-names.ts";
import { formatCount, formatShare } from "../../parts/figures.ts";
import { countChange, shareChange } from "./figure-changes.ts";
import {
  bouncedShare,
  complainedShare,
  type CountedSpan,
  deliveredShare,
  judgeBounces,
  judgeComplaints,
  messagesOf,
  outcomesOf,
  type OutcomeTotals,
  type RateSummary,
} from "./overview-figures.ts";
import { rangeName } from "./overview-range.ts";
import { SparkLine } from "./spark-line.tsx";

interface KeyFiguresProps {
  readonly days: number;
  /** The start of the period, ISO 8601. */
  readonly start: string;
  readonly entries: readonly CountedSpan[];
  readonly now: OutcomeTotals;
  /**
   * The totals of the previous period of equal length. Null: the team's retention does not cover
   * this period. Undefined: the totals were not read yet.
   */
  readonly before: OutcomeTotals | null | undefined;
  /** True: the team tracks opens or clicks. */
  readonly isTracked: boolean;
}

export function KeyFigures(props: KeyFiguresProps) {
  const { days, start, entries, now, before, isTracked } = props;
  const { counts } = now;
  const { delayed } = outcomesOf(counts);
  const link = (type: EventTypeName, text: string) => (
    <Link to="/messages" search={{ event_type: type, start }}>
      {text}
    </Link>
  );
  const time = `the previous ${rangeName(days)}`;
  const spark = (valueOf: (of: EventCounts) => number | null) => (
    <SparkLine values={entries.map((entry) => valueOf(entry.counts))} />
  );
  const rate = (shareOf: (of: EventCounts) => number | null) =>
    before && shareChange(shareOf(counts), shareOf(before.counts), time);
  const hasSeen = isTracked || counts.opened > 0 || counts.clicked > 0;
  return (
    <div className={hasSeen ? "kpis" : "kpis four"}>
      <Figure
        name={link("email.sent", "Sent")}
        value={formatCount(counts.sent)}
        spark={spark(({ sent }) => sent)}
        change={before === undefined ? null : countChange(counts.sent, before?.counts.sent, time)}
      >
        recipients
      </Figure>
      <Figure
        name={link("email.delivered", "Delivered")}
        value={formatShare(counts.delivered, messagesOf(counts))}
        spark={spark(deliveredShare)}
        change={rate(deliveredShare)}
      >
        {formatCount(counts.delivered)}
        {delayed > 0 && ` · ${formatCount(delayed)} delayed`}
      </Figure>
      <Figure
        name={link("email.bounced", "Bounced")}
        value={formatShare(counts.bounced, messagesOf(counts))}
        verdict={judgeBounces(counts)}
        spark={spark(bouncedShare)}
        change={rate(bouncedShare)}
      >
        {formatCount(counts.bounced)}
      </Figure>
      <Figure
        name={link("email.complained", "Complained")}
        value={formatShare(counts.complained, Math.max(counts.delivered, counts.complained))}
        verdict={judgeComplaints(counts)}
        spark={spark(complainedShare)}
        change={rate(complainedShare)}
      >
        {formatCount(counts.complained)}
      </Figure>
      {hasSeen && <SeenFigure counts={counts} link={link} spark={spark} />}
    </div>
  );
}

interface SeenFigureProps {
  readonly counts: EventCounts;
  readonly link: (type: EventTypeName, text: string) => ReactNode;
  readonly spark: (valueOf: (of: EventCounts) => number | null) => ReactNode;
}

function SeenFigure({ counts, link, spark }: SeenFigureProps) {
  const { delivered, opened, clicked } = counts;
  return (
    <Figure
      name={
        <>
          {link("email.opened", "Opened")} · {link("email.clicked", "clicked")}
        </>
      }
      value={`${formatShare(opened, delivered)} · ${formatShare(clicked, delivered)}`}
      spark={spark((of) => (of.delivered === 0 ? null : of.opened / of.delivered))}
      change={null}
    >
      of delivered, bots excluded
    </Figure>
  );
}

interface FigureProps {
  readonly name: ReactNode;
  readonly value: string;
  readonly verdict?: RateSummary | null;
  readonly spark: ReactNode;
  /** The change from the previous period in words. */
  readonly change: string | null | undefined;
  readonly children: ReactNode;
}

function Figure({ name, value, verdict, spark, change, children }: FigureProps) {
  return (
    <div className="panel kpi">
      <span>{name}</span>
      <div>
        <b className={verdict?.tone === "bad" ? "bad" : ""}>{value}</b>
        {spark}
      </div>
      <small>
        {verdict && `${verdict.says} · `}
        {children}
      </small>
      {change && <small className="change">{change}</small>}
    </div>
  );
}
