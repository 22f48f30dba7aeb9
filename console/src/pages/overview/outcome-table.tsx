// The numbers of the overview's chart as a table, for screen readers and for exact reading. Each
// number links to its events.
import { Link } from "@tanstack/react-router";
import { useState } from "react";
import { formatCount } from "../../parts/figures.ts";
import { capitalized } from "../../parts/typography.ts";
import { spanSearch } from "./chart-links.ts";
import { COUNTED, type CountedSpan } from "./overview-figures.ts";
import { isSoFar, intervalName, type SpanClock, spansName } from "./overview-range.ts";

interface OutcomeTableProps {
  readonly entries: readonly CountedSpan[];
  readonly spans: SpanClock;
}

export function OutcomeTable(props: OutcomeTableProps) {
  const [isOpen, setOpen] = useState(false);
  return (
    <details className="as-table" onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>Show as table</summary>
      {isOpen && <Numbers {...props} />}
    </details>
  );
}

function Numbers({ entries, spans }: OutcomeTableProps) {
  const { interval, zone } = spans;
  return (
    <div className="wide" tabIndex={0} role="region" aria-label={`Recipients by ${interval}`}>
      <table>
        <caption>
          Recipients by event. {spansName(spans)}. “Delayed” counts delivery attempts.
        </caption>
        <thead>
          <tr>
            <th scope="col">{interval === "hour" ? "Hour" : "Day"}</th>
            {COUNTED.map((name) => (
              <th key={name} scope="col" className="n">
                {capitalized(name)}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {entries.map(({ start, counts }) => (
            <tr key={start}>
              <th scope="row">
                <Link to="/messages" search={spanSearch(start, spans)} preload={false}>
                  {intervalName(start, interval, zone)}
                </Link>
                {isSoFar(start, spans) && " so far"}
              </th>
              {COUNTED.map((name) => (
                <td key={name} className="n">
                  {counts[name] === 0 ? (
                    0
                  ) : (
                    <Link
                      to="/messages"
                      search={spanSearch(start, spans, `email.${name}`)}
                      preload={false}
                    >
                      {formatCount(counts[name])}
                    </Link>
                  )}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
