// A domain with its state, its records, its policies and its tracking.
import type { ReactNode } from "react";
import type { Domain } from "../../../../packages/postern/src/generated/types.ts";
import { NoResponse } from "../../api/failure.ts";
import { SmallButton } from "../../parts/button.tsx";
import { ErrorNotice } from "../../parts/error-notice.tsx";
import { Loading } from "../../parts/loading.tsx";
import { Permitted, useMay } from "../../parts/permitted.tsx";
import { Pill } from "../../parts/pill.tsx";
import { ViewSwitch } from "../../parts/view-switch.tsx";
import { TimeAgo } from "../../parts/time/time-ago.tsx";
import { DeleteDomain } from "./delete-domain.tsx";
import { DnsRecords, DnsValues, NamesQuoted } from "./dns-records.tsx";
import { summarizeDomain, stateOf } from "./domain-summary.ts";
import { PolicyList } from "./domain-policies.tsx";
import { type DnsNow, useDns, useVerify } from "./domain-queries.ts";
import { RECORD_VIEWS, type RecordView } from "./domains-search.ts";
import { zoneOf } from "./record-rows.ts";
import { LastCheck } from "./last-check.tsx";
import { RecordExport } from "./record-export.tsx";
import { TrackingForm } from "./tracking-form.tsx";

interface DomainPanelProps {
  readonly domain: Domain;
  /** Is shown first in the panel's head: a heading, or a link to the domain's page. */
  readonly heading: ReactNode;
  readonly view: RecordView;
  readonly onView: (view: RecordView) => void;
  readonly onDeleted: () => Promise<void>;
}

export function DomainPanel(props: DomainPanelProps) {
  const { domain, heading, view, onView, onDeleted } = props;
  const dns = useDns(domain, { isAsked: true, isWatched: true });
  const { tone, words } = stateOf(domain, dns.rows);
  return (
    <section className="panel" aria-label={domain.name}>
      <div className="top">
        {heading}
        <span aria-live="polite">
          <Pill tone={tone}>{words}</Pill>
        </span>
        <LastCheck dns={dns} />
        <span className="right">
          <ViewSwitch
            label="Show records as"
            values={RECORD_VIEWS}
            chosen={view}
            onChoose={onView}
          />
        </span>
      </div>
      <DomainBody domain={domain} dns={dns} view={view} onDeleted={onDeleted} />
    </section>
  );
}

interface DomainBodyProps extends Pick<DomainPanelProps, "domain" | "view" | "onDeleted"> {
  readonly dns: DnsNow;
}

function DomainBody({ domain, dns: { query, rows }, view, onDeleted }: DomainBodyProps) {
  const verify = useVerify(domain.id);
  const answer = summarizeDomain(domain, rows);
  const mayVerify = useMay("POST /v1/domains/{id}/verify");
  const isPending = domain.status === "pending" || domain.tracking.status === "pending";
  const isVerified = isPending && mayVerify;
  const look = (): void => {
    if (isVerified) verify.mutate();
    void query.refetch();
  };
  return (
    <>
      <div className="todo answer">
        <span className={`dot ${answer.tone}`} />
        <div>
          <p aria-live="polite">
            <NamesQuoted text={answer.sentence} />
          </p>
          {answer.code !== null && (
            <small>
              <code>{answer.code}</code>
            </small>
          )}
          {answer.about?.seen && (
            <DnsValues
              type={answer.about.type}
              host={answer.about.host}
              found={answer.about.seen.found}
            />
          )}
        </div>
        <SmallButton disabled={verify.isPending || query.isFetching} onClick={look}>
          {isVerified ? "Verify now" : "Check again"}
        </SmallButton>
      </div>
      {verify.error && <ErrorNotice error={verify.error} />}
      {query.error && !(query.error instanceof NoResponse) && (
        <ErrorNotice error={query.error} retry={() => void query.refetch()} />
      )}
      {view === "records" ? (
        <DnsRecords rows={rows} said={answer.about} zone={zoneOf(domain)} />
      ) : (
        <RecordExport domain={domain} rows={rows} view={view} />
      )}
      {query.data ? (
        <div className="padded ruled">
          <h3>Policies</h3>
          <PolicyList policies={query.data.policies} />
        </div>
      ) : (
        !query.error && <Loading height={380} />
      )}
      <TrackingForm key={domain.id} domain={domain} rows={rows} />
      <div className="padded ruled apart">
        <small>
          <code>{domain.id}</code> added <TimeAgo at={domain.created_at} />
        </small>
        <Permitted operation="DELETE /v1/domains/{id}">
          <DeleteDomain domain={domain} onDeleted={onDeleted} />
        </Permitted>
      </div>
    </>
  );
}
