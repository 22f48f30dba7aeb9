// The overview's five figures, each with what it is measured against.
import { formatCount, formatShare } from "../../parts/figures.ts";
import {
  changeOf,
  judgeBounces,
  judgeComplaints,
  messagesOf,
  outcomesOf,
  type OutcomeTotals,
  type RateVerdict,
} from "./overview-figures.ts";
import { rangeName } from "./overview-range.ts";

interface KeyFiguresProps {
  readonly days: number;
  readonly now: OutcomeTotals;
  /** The equally long time before; null: the retention does not cover it; undefined: not read yet. */
  readonly before: OutcomeTotals | null | undefined;
}

export function KeyFigures({ days, now: { counts }, before }: KeyFiguresProps) {
  const messages = messagesOf(counts);
  const { delayed } = outcomesOf(counts);
  const [opened, clicked] = [counts.opened, counts.clicked].map((count) =>
    counts.delivered === 0 ? "–" : formatCount(Math.round((100 * count) / counts.delivered)),
  );
  return (
    <div className="kpis">
      <Figure name="Sent" value={formatCount(counts.sent)}>
        {before === undefined ? " " : change(counts.sent, before?.counts.sent, days)}
      </Figure>
      <Figure name="Delivered" value={formatShare(counts.delivered, messages)}>
        {formatCount(counts.delivered)}
        {delayed > 0 && `, ${formatCount(delayed)} delayed`}
      </Figure>
      <Figure
        name="Bounced"
        value={formatShare(counts.bounced, messages)}
        verdict={judgeBounces(counts)}
      >
        {formatCount(counts.bounced)}
      </Figure>
      <Figure
        name="Complained"
        value={formatShare(counts.complained, Math.max(counts.delivered, counts.complained))}
        verdict={judgeComplaints(counts)}
      >
        {formatCount(counts.complained)}
      </Figure>
      <Figure name="Opened · clicked" value={`${opened} · ${clicked} %`}>
        of delivered, machines left out
      </Figure>
    </div>
  );
}

interface FigureProps {
  readonly name: string;
  readonly value: string;
  readonly verdict?: RateVerdict | null;
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
  const time = `the ${rangeName(days)} before`;
  if (before === undefined) return `${time} are not kept`;
  const by = changeOf(now, before);
  if (by === null) return `nothing in ${time}`;
  const percent = new Intl.NumberFormat(undefined, {
    maximumFractionDigits: Math.abs(by) < 1 ? 1 : 0,
    signDisplay: "exceptZero",
  }).format(by * 100);
  return `${percent} % on ${time}`;
}
