// The five figures of the overview, each with its reference value and a link to the events that it
// counts.
import { Link } from "@tanstack/react-router";
import { formatCount, formatShare } from "../../parts/figures.ts";
import type { EventTypeName } from "../../api/event-type-names.ts";
import { logSearch } from "../messages/messages-search.ts";
import {
  changeOf,
  judgeBounces,
  judgeComplaints,
  messagesOf,
  outcomesOf,
  type OutcomeTotals,
  type RateSummary,
} from "./overview-figures.ts";
import { rangeName } from "./overview-range.ts";

interface KeyFiguresProps {
  readonly days: number;
  /** The start of the period, ISO 8601. */
  readonly start: string;
  readonly now: OutcomeTotals;
  /**
   * The totals of the previous period of equal length. Null: the retention does not cover it;
   * undefined: not read yet.
   */
  readonly before: OutcomeTotals | null | undefined;
}

export function KeyFigures({ days, start, now: { counts }, before }: KeyFiguresProps) {
  const messages = messagesOf(counts);
  const { delayed } = outcomesOf(counts);
  const whole = new Intl.NumberFormat(undefined, { style: "percent" });
  const [opened, clicked] = [counts.opened, counts.clicked].map((count) =>
    counts.delivered === 0 ? "–" : whole.format(count / counts.delivered),
  );
  const link = (type: EventTypeName, text: string) => (
    <Link to="/messages" search={logSearch({ eventType: type, start })}>
      {text}
    </Link>
  );
  return (
    <div className="kpis">
      <Figure name={link("email.sent", "Sent")} value={formatCount(counts.sent)}>
        {before === undefined
          ? "recipients"
          : `recipients, ${change(counts.sent, before?.counts.sent, days)}`}
      </Figure>
      <Figure
        name={link("email.delivered", "Delivered")}
        value={formatShare(counts.delivered, messages)}
      >
        {formatCount(counts.delivered)}
        {delayed > 0 && ` · ${formatCount(delayed)} delayed`}
      </Figure>
      <Figure
        name={link("email.bounced", "Bounced")}
        value={formatShare(counts.bounced, messages)}
        verdict={judgeBounces(counts)}
      >
        {formatCount(counts.bounced)}
      </Figure>
      <Figure
        name={link("email.complained", "Complained")}
        value={formatShare(counts.complained, Math.max(counts.delivered, counts.complained))}
        verdict={judgeComplaints(counts)}
      >
        {formatCount(counts.complained)}
      </Figure>
      <Figure
        name={
          <>
            {link("email.opened", "Opened")} · {link("email.clicked", "clicked")}
          </>
        }
        value={`${opened} · ${clicked}`}
      >
        of delivered, bots excluded
      </Figure>
    </div>
  );
}

interface FigureProps {
  readonly name: React.ReactNode;
  readonly value: string;
  readonly verdict?: RateSummary | null;
  readonly children: React.ReactNode;
}

function Figure({ name, value, verdict, children }: FigureProps) {
  return (
    <div className="panel kpi">
      <span>{name}</span>
      <b>{value}</b>
      <small>
        {verdict && (
          <>
            <em className={verdict.tone}>{verdict.says}</em>
            {" · "}
          </>
        )}
        {children}
      </small>
    </div>
  );
}

function change(now: number, before: number | undefined, days: number): string {
  const time = `the previous ${rangeName(days)}`;
  if (before === undefined) return `no data for ${time}`;
  const by = changeOf(now, before);
  if (by === null) return `no mail in ${time}`;
  const percent = new Intl.NumberFormat(undefined, {
    style: "percent",
    maximumFractionDigits: Math.abs(by) < 0.1 ? 1 : 0,
    signDisplay: "exceptZero",
  }).format(by);
  return `${percent} vs. ${time}`;
}
