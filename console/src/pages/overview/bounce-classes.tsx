// The bounces of the overview's time by their classification, the most frequent first.
import { formatCount, formatShare } from "../../parts/figures.ts";
import { Panel } from "../../parts/panel.tsx";
import { bounceClasses, type OutcomeTotals } from "./overview-figures.ts";

export function BounceClasses({ totals }: { readonly totals: OutcomeTotals }) {
  const classes = bounceClasses(totals);
  const { bounced } = totals.counts;
  return (
    <Panel title="Bounced by class" note={formatCount(bounced)}>
      {classes.length === 0 ? (
        <p className="empty">Nothing bounced.</p>
      ) : (
        <table aria-label="Bounces by class">
          <thead>
            <tr>
              <th scope="col">Class</th>
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
                <td>{name === "none" ? "no class" : <code>{name}</code>}</td>
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
