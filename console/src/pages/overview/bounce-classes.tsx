// The bounces of the displayed period by class, the most frequent first. Each class links to its
// bounces.
import { Link } from "@tanstack/react-router";
import { formatCount, formatShare } from "../../parts/figures.ts";
import { Panel } from "../../parts/panel.tsx";
import { ShortTable } from "../../parts/list/short-table.tsx";
import { className } from "../message/bounce-sentence.ts";
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
        <ShortTable
          aria-label="Bounces by reason"
          columns={[
            { name: "Reason", cell: ([name]) => <BouncesLink name={name} start={start} /> },
            { name: "Recipients", cell: ([, count]) => formatCount(count), isNumber: true },
            { name: "Share", cell: ([, count]) => formatShare(count, bounced), isNumber: true },
          ]}
          rows={classes}
          keyOf={([name]) => name}
        />
      )}
    </Panel>
  );
}

function BouncesLink({ name, start }: { readonly name: string; readonly start: string }) {
  return (
    <Link
      to="/messages"
      search={{ event_type: "email.bounced", bounce_classification: name, start }}
    >
      {className(name)}
    </Link>
  );
}
