// The twenty largest recipient domains: a bar of outcomes each, rates, and all of it as CSV.
import { formatCount, formatShare } from "../../parts/figures.ts";
import { Panel } from "../../parts/panel.tsx";
import { saveFile } from "../../parts/save-file.ts";
import {
  type DomainFigures,
  judgeBounces,
  judgeComplaints,
  outcomesOf,
  type CountedSpan,
  topDomains,
} from "./overview-figures.ts";
import { OutcomeLegend, LAYERS } from "./outcome-chart.tsx";
import { recipientDomainsCsv } from "./recipient-domains-csv.ts";

const MOST = 20;

export function RecipientDomains({ entries }: { readonly entries: readonly CountedSpan[] }) {
  const { top, others } = topDomains(entries, MOST);
  const rows = others === null ? top : [...top, others];
  const save = (): void =>
    saveFile(
      "recipient-domains.csv",
      new Blob([recipientDomainsCsv(rows)], { type: "text/csv;charset=utf-8" }),
    );
  return (
    <Panel
      title="Recipient domains"
      note={
        <>
          {top.length < MOST ? "all of them" : "the twenty largest"} <OutcomeLegend />
        </>
      }
      aside={
        <button type="button" className="btn small" onClick={save} disabled={rows.length === 0}>
          Save CSV
        </button>
      }
    >
      {rows.length === 0 ? (
        <p className="empty">No mail in this time.</p>
      ) : (
        <table aria-label="Recipient domains" className="domains">
          <thead>
            <tr>
              <th scope="col">Domain</th>
              <th scope="col" className="n">
                Messages
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
              <DomainRow key={row.domain} row={row} isNamed={row !== others} />
            ))}
          </tbody>
        </table>
      )}
    </Panel>
  );
}

function DomainRow({ row, isNamed }: { readonly row: DomainFigures; readonly isNamed: boolean }) {
  const { domain, messages, counts } = row;
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
        <span className={isNamed ? "name" : "muted"}>{domain}</span>
        <span className="under">
          <OutcomeBar row={row} />
          <small>
            {bounced} bounced · {complained} complained
          </small>
        </span>
      </th>
      <td className="n">{formatCount(messages)}</td>
      <td className="second outcomes">
        <OutcomeBar row={row} />
      </td>
      <td className="n">{formatShare(counts.delivered, messages)}</td>
      <td className="n second">{bounced}</td>
      <td className="n second">{complained}</td>
    </tr>
  );
}

/** Marks a rate that is over its threshold, not by colour alone. */
function Judged({ isOver, children }: { readonly isOver: boolean; readonly children: string }) {
  return isOver ? (
    <b className="bad" title="over the providers' threshold">
      {children} <span aria-hidden="true">▲</span>
      <span className="unseen">, over the threshold</span>
    </b>
  ) : (
    children
  );
}

function OutcomeBar({ row: { messages, counts } }: { readonly row: DomainFigures }) {
  const outcomes = outcomesOf(counts);
  const says = LAYERS.map(({ name }) => `${formatCount(outcomes[name])} ${name}`).join(", ");
  return (
    <span className="bar" role="img" aria-label={says} title={says}>
      {LAYERS.map(({ name, tone, hatch }) => (
        <i
          key={name}
          className={`${tone} ${hatch}`}
          style={{ width: `${(100 * outcomes[name]) / Math.max(1, messages)}%` }}
        />
      ))}
    </span>
  );
}
