// A table of outcomes with a row for each recipient domain or provider: a bar, the rates, and a
// link to the row's messages.
import { Link } from "@tanstack/react-router";
import { formatCount, formatShare } from "../../parts/figures.ts";
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
    <table aria-label={label} className="domains">
      <thead>
        <tr>
          <th scope="col">{of}</th>
          <th scope="col" className="n">
            Recipients
          </th>
          <th scope="col" className="second">
            Outcomes
          </th>
          <th scope="col" className="n">
            Delivered
          </th>
          <th scope="col" className="n second">
            Bounced
          </th>
          <th scope="col" className="n second">
            Complained
          </th>
        </tr>
      </thead>
      <tbody>
        {rows.map((row) => (
          <OutcomeRowView key={row.name} row={row} />
        ))}
      </tbody>
    </table>
  );
}

function OutcomeRowView({ row: { name, counts, search } }: { readonly row: OutcomeRow }) {
  const messages = messagesOf(counts);
  const bounced = (
    <Judged isOver={judgeBounces(counts)?.tone === "bad"}>
      {formatShare(counts.bounced, messages)}
    </Judged>
  );
  const complained = (
    <Judged isOver={judgeComplaints(counts)?.tone === "bad"}>
      {formatShare(counts.complained, Math.max(counts.delivered, counts.complained))}
    </Judged>
  );
  return (
    <tr>
      <th scope="row">
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
            {bounced} bounced · {complained} complained
          </small>
        </span>
      </th>
      <td className="n">{formatCount(messages)}</td>
      <td className="second outcomes">
        <OutcomeBar counts={counts} />
      </td>
      <td className="n">{formatShare(counts.delivered, messages)}</td>
      <td className="n second">{bounced}</td>
      <td className="n second">{complained}</td>
    </tr>
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
