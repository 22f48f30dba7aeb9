// A team's mail for the operator: its problems, its rates by provider, and its pending mail. The
// team sees the same numbers and sentences.
import type { Deliverability } from "../../../../../packages/postern/src/generated/types.ts";
import { QueryResult } from "../../../parts/query-result.tsx";
import { EmptyState } from "../../../parts/empty-state.tsx";
import { formatCount, formatShare } from "../../../parts/figures.ts";
import { Panel } from "../../../parts/panel.tsx";
import { Pill } from "../../../parts/pill.tsx";
import { ShortTable, type TableColumn } from "../../../parts/list/short-table.tsx";
import { useClock } from "../../../parts/time/time-ago.tsx";
import { typeset } from "../../../parts/typography.ts";
import { WaitingMail } from "../../usage/waiting-mail.tsx";
import { CheckedAt } from "../checked-at.tsx";
import { ATTENTION_EVERY_MS, useTeamMail } from "../operator-queries.ts";
import { describeFinding, evidenceText, SEVERITY } from "../team-texts.ts";
import { type ProviderRates, ratesOf } from "./provider-rates.ts";

type Finding = Deliverability["findings"][number];

export function TeamMail({ teamId }: { readonly teamId: string }) {
  const { deliverability, usage } = useTeamMail(teamId);
  return (
    <>
      <Panel
        title="Deliverability"
        note="Last 24 hours"
        aside={<CheckedAt at={deliverability.dataUpdatedAt} everyMs={ATTENTION_EVERY_MS} />}
      >
        <QueryResult query={deliverability}>
          {(report) => (
            <>
              <Findings findings={report.findings} />
              {report.providers.length > 0 && (
                <ShortTable
                  aria-label="Mail by provider"
                  columns={RATES}
                  rows={ratesOf(report)}
                  keyOf={({ title }) => title}
                />
              )}
            </>
          )}
        </QueryResult>
      </Panel>
      <QueryResult query={usage}>{(answer) => <WaitingMail usage={answer} />}</QueryResult>
    </>
  );
}

function Findings({ findings }: { readonly findings: readonly Finding[] }) {
  if (findings.length === 0)
    return <EmptyState>No problem with this team’s mail was found.</EmptyState>;
  return findings.map((finding) => (
    <FindingEntry key={`${finding.provider} ${finding.kind}`} finding={finding} />
  ));
}

function FindingEntry({ finding }: { readonly finding: Finding }) {
  const { severity, action, evidence } = finding;
  const [tone, word] = SEVERITY[severity];
  const { says, quoted } = describeFinding(finding, useClock());
  return (
    <div className="todo stack">
      <Pill tone={tone}>{word}</Pill>
      <div>
        <p>{says}</p>
        {quoted !== null && <p className="said">{quoted}</p>}
        <p>
          <small>
            {evidenceText(finding)}
            {evidence.source !== null && (
              <>
                {" "}
                (
                <a href={evidence.source} target="_blank" rel="noreferrer">
                  source
                </a>
                )
              </>
            )}
          </small>
        </p>
        <p>{typeset(action.text.replace(`: ${action.href}`, "."))}</p>
      </div>
      {action.href === undefined ? (
        <span />
      ) : (
        <a href={action.href} className="btn small" target="_blank" rel="noreferrer">
          {action.kind === "contact_provider" ? "Contact provider" : "Guidelines"}
        </a>
      )}
    </div>
  );
}

const RATES: readonly TableColumn<ProviderRates>[] = [
  { name: "Provider", cell: ({ title }) => title },
  {
    name: "Sent",
    cell: ({ current }) => formatCount(current.sent),
    isNumber: true,
    isSecondary: true,
  },
  {
    name: "Delivered",
    cell: ({ current }) => formatCount(current.delivered),
    isNumber: true,
    isSecondary: true,
  },
  { name: "Bounced", cell: ({ bounced }) => <Rate of={bounced} />, isNumber: true },
  { name: "Complaints", cell: ({ complaints }) => <Rate of={complaints} />, isNumber: true },
  {
    name: "Delays",
    cell: ({ deferrals }) => <Rate of={deferrals} />,
    isNumber: true,
    isSecondary: true,
  },
];

function Rate({ of: { count, whole, finding } }: { readonly of: ProviderRates["bounced"] }) {
  const text = count === 0 ? "0" : `${formatCount(count)} (${formatShare(count, whole)})`;
  return finding === null ? text : <Pill tone={SEVERITY[finding.severity][0]}>{text}</Pill>;
}
