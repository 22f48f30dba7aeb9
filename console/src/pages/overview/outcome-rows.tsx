// A table of outcomes with a row for each recipient domain or provider: a bar, the rates, and a
// link to the row's messages.
import { Link } from "@tanstack/react-router";
import { formatCount, formatShare } from "../../parts/figures.ts";
import { ShortTable, type TableColumn } from "../../parts/list/short-table.tsx";
import type { EventCounts } from "../../../../packages/postern/src/generated/types.ts";
import type { MessagesSearch } from "../messages/messages-search.ts";
import { LAYERS } from "./outcome-chart.tsx";
import { judgeBounces, judgeComplaints, messagesOf, outcomesOf } from "./overview-figures.ts";

interface OutcomeRow {
  readonly name: string;
  readonly counts: EventCounts;
  /** The filter for the row's messages. Null: no filter can select them. */
  readonly search: MessagesSearch | null;
}

interface OutcomeRowsProps {
  readonly label: string;
  /** The heading of the first column. */
  readonly of: string;
  readonly rows: readonly OutcomeRow[];
}

export function OutcomeRows({ label, of, rows }: OutcomeRowsProps) {
  return (
    <ShortTable
      aria-label={label}
      className="domains"
      columns={[{ name: of, cell: (row) => <RowHeading {...row} />, isHeading: true }, ...COLUMNS]}
      rows={rows}
      keyOf={({ name }) => name}
    />
  );
}

const COLUMNS: readonly TableColumn<OutcomeRow>[] = [
  { name: "Recipients", cell: ({ counts }) => formatCount(messagesOf(counts)), isNumber: true },
  {
    name: "Outcomes",
    cell: ({ counts }) => <OutcomeBar counts={counts} />,
    isSecondary: true,
    className: "outcomes",
  },
  {
    name: "Delivered",
    cell: ({ counts }) => formatShare(counts.delivered, messagesOf(counts)),
    isNumber: true,
  },
  { name: "Bounced", cell: bouncedOf, isNumber: true, isSecondary: true },
  { name: "Complained", cell: complainedOf, isNumber: true, isSecondary: true },
];

function RowHeading(row: OutcomeRow) {
  const { name, counts, search } = row;
  return (
    <>
      {search === null ? (
        <span className="muted">{name}</span>
      ) : (
        <Link to="/messages" search={search} className="name" title={name}>
          {name}
        </Link>
      )}
      <span className="under">
        <OutcomeBar counts={counts} />
        <small>
          {bouncedOf(row)} bounced · {complainedOf(row)} complained
        </small>
      </span>
    </>
  );
}

function bouncedOf({ counts }: OutcomeRow) {
  return (
    <Judged isOver={judgeBounces(counts)?.tone === "bad"}>
      {formatShare(counts.bounced, messagesOf(counts))}
    </Judged>
  );
}

function complainedOf({ counts }: OutcomeRow) {
  return (
    <Judged isOver={judgeComplaints(counts)?.tone === "bad"}>
      {formatShare(counts.complained, Math.max(counts.delivered, counts.complained))}
    </Judged>
  );
}

/** Marks a rate over its threshold with a sign, because colour alone is not accessible. */
function Judged({ isOver, children }: { readonly isOver: boolean; readonly children: string }) {
  return isOver ? (
    <b className="bad" title="over the limit">
      {children} <span aria-hidden="true">▲</span>
      <span className="unseen">, over the limit</span>
    </b>
  ) : (
    children
  );
}

function OutcomeBar({ counts }: Pick<OutcomeRow, "counts">) {
  const outcomes = outcomesOf(counts);
  const says = LAYERS.map(({ name }) => `${formatCount(outcomes[name])} ${name}`).join(", ");
  return (
    <span className="bar" role="img" aria-label={says} title={says}>
      {LAYERS.map(({ name, tone, hatch }) => (
        <i
          key={name}
          className={`${tone} ${hatch}`}
          style={{ width: `${(100 * outcomes[name]) / Math.max(1, messagesOf(counts))}%` }}
        />
      ))}
    </span>
  );
}
