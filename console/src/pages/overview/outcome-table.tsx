// The numbers of the overview's chart as a table: for screen readers, and for counting.
import { formatCount } from "../../parts/figures.ts";
import { useZone } from "../../parts/time-zone.ts";
import { COUNTED, type CountedSpan } from "./overview-figures.ts";
import { intervalName, intervalZone } from "./overview-range.ts";

interface OutcomeTableProps {
  readonly entries: readonly CountedSpan[];
  readonly interval: "hour" | "day";
}

export function OutcomeTable({ entries, interval }: OutcomeTableProps) {
  const zone = useZone();
  return (
    <details className="as-table">
      <summary>As a table</summary>
      <div className="wide" tabIndex={0} role="region" aria-label={`Recipients by ${interval}`}>
        <table>
          <caption>
            Recipients by event and {interval} ({intervalZone(interval, zone)}). Delayed counts
            attempts that were put off.
          </caption>
          <thead>
            <tr>
              <th scope="col">{interval === "hour" ? "Hour" : "Day"}</th>
              {COUNTED.map((name) => (
                <th key={name} scope="col" className="n">
                  {name.charAt(0).toUpperCase() + name.slice(1)}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {entries.map(({ start, counts }) => (
              <tr key={start}>
                <th scope="row">{intervalName(start, interval, zone)}</th>
                {COUNTED.map((name) => (
                  <td key={name} className="n">
                    {formatCount(counts[name])}
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </details>
  );
}
