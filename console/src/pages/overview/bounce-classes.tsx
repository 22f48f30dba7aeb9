// The bounces of the displayed period by class, the most frequent first. Each class links to its
// bounces.
import { Link } from "@tanstack/react-router";
import { formatCount, formatShare } from "../../parts/figures.ts";
import { Panel } from "../../parts/panel.tsx";
import { className } from "../message/bounce-sentence.ts";
import { logSearch } from "../messages/messages-search.ts";
import { bounceClasses, type OutcomeTotals } from "./overview-figures.ts";

interface BounceClassesProps {
  readonly totals: OutcomeTotals;
  /** The start of the period, ISO 8601. */
  readonly start: string;
}

export function BounceClasses({ totals, start }: BounceClassesProps) {
  const classes = bounceClasses(totals);
  const { bounced } = totals.counts;
  return (
    <Panel title="Bounces by reason" note={formatCount(bounced)}>
      {classes.length === 0 ? (
        <p className="empty">No bounces.</p>
      ) : (
        <table aria-label="Bounces by reason">
          <thead>
            <tr>
              <th scope="col">Reason</th>
              <th scope="col" className="n">
                Recipients
              </th>
              <th scope="col" className="n">
                Share
              </th>
            </tr>
          </thead>
          <tbody>
            {classes.map(([name, count]) => (
              <tr key={name}>
                <td>
                  <Link
                    to="/messages"
                    search={logSearch({ eventType: "email.bounced", bounceClass: name, start })}
                  >
                    {className(name)}
                  </Link>
                </td>
                <td className="n">{formatCount(count)}</td>
                <td className="n">{formatShare(count, bounced)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
    </Panel>
  );
}
