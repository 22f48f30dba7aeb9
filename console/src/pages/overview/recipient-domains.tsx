// The twenty largest recipient domains with their outcomes, and a CSV of all domains.
import { SmallButton } from "../../parts/button.tsx";
import { csvName } from "../../parts/export/file-names.ts";
import { Panel } from "../../parts/panel.tsx";
import { saveCsv } from "../../parts/save-file.ts";
import { OutcomeLegend } from "./outcome-chart.tsx";
import { OutcomeRows } from "./outcome-rows.tsx";
import { type CountedSpan, topDomains } from "./overview-figures.ts";
import { recipientDomainsCsv } from "./recipient-domains-csv.ts";

const MOST = 20;

interface RecipientDomainsProps {
  readonly entries: readonly CountedSpan[];
  /** The start of the period, ISO 8601. */
  readonly start: string;
}

export function RecipientDomains({ entries, start }: RecipientDomainsProps) {
  const { top, others } = topDomains(entries, MOST);
  const rows = others === null ? top : [...top, others];
  const save = (): void =>
    saveCsv(csvName("recipient-domains", Date.now(), Date.parse(start)), [
      recipientDomainsCsv(rows),
    ]);
  return (
    <Panel
      title="Recipient domains"
      note={
        <>
          {top.length < MOST ? "All" : `Top ${MOST}`} <OutcomeLegend />
        </>
      }
      aside={
        <SmallButton onClick={save} disabled={rows.length === 0}>
          Download CSV
        </SmallButton>
      }
    >
      {rows.length === 0 ? (
        <p className="empty">No mail in this period.</p>
      ) : (
        <OutcomeRows
          label="Recipient domains"
          of="Domain"
          rows={rows.map((row) => ({
            name: row.domain,
            counts: row.counts,
            search: row === others ? null : { recipient_domain: row.domain, start },
          }))}
        />
      )}
    </Panel>
  );
}
