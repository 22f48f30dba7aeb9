// The overview of the deployment: problems, teams, and monitored numbers.
import { Link } from "@tanstack/react-router";
import type { Deployment } from "../../api/operator/types.ts";
import { ApiFailure } from "../../api/failure.ts";
import { AsRequest } from "../../parts/as-request.tsx";
import { ErrorNotice } from "../../parts/error-notice.tsx";
import { formatCount, groupDigits } from "../../parts/figures.ts";
import { Facts } from "../../parts/list/facts.tsx";
import { Loading } from "../../parts/loading.tsx";
import { PageHead } from "../../parts/page-head.tsx";
import { Panel } from "../../parts/panel.tsx";
import { Pill } from "../../parts/pill.tsx";
import { ShortTable, type TableColumn } from "../../parts/list/short-table.tsx";
import { useClock } from "../../parts/time/time-ago.tsx";
import { CheckedAt } from "./checked-at.tsx";
import {
  type ShownCheck,
  gatewayLinks,
  statusLabel,
  statusTone,
  unknownAmong,
} from "./check-status.ts";
import { DELIVERY_METHODS } from "./delivery-methods.ts";
import { ATTENTION_EVERY_MS, useAttention, useChecks, useDeployment } from "./operator-queries.ts";
import { OperatorSummary, OtherConcerns } from "./operator-summary.tsx";
import { checkedText, concernsOf, type WatchedPart, summaryOf } from "./overview-summary.ts";
import { TeamAttention } from "./team-attention.tsx";

export function OperatorOverview() {
  const deployment = useDeployment();
  const checked = useChecks();
  const attention = useAttention();
  const clock = useClock();
  const checks = checked.data?.checks ?? [];
  const queries = [deployment, checked, attention];
  const names = ["deployment", "checks", "teams’ mail"];
  const readings = queries.map(({ data, error }, index): WatchedPart => ({
    name: names[index] ?? "",
    isRead: data !== undefined,
    hasFailed: error !== null,
  }));
  const failure = queries.map(({ error }) => error).find((error) => error instanceof ApiFailure);
  const concerns = concernsOf(checks, attention.data, clock);
  const verdict = summaryOf(readings, concerns, unknownAmong(checks));
  // The rows appear only after all parts are read. Otherwise a late row could move rows that the
  // operator already reads.
  const isWhole = readings.every(({ isRead, hasFailed }) => isRead || hasFailed);
  const retry = (): void => void Promise.all(queries.map((query) => query.refetch()));
  return (
    <>
      <PageHead title="Overview">
        <CheckedAt
          at={Math.min(...queries.map(({ dataUpdatedAt }) => dataUpdatedAt))}
          everyMs={ATTENTION_EVERY_MS}
        />
      </PageHead>
      {failure && <ErrorNotice error={failure} retry={retry} />}
      <OperatorSummary
        verdict={verdict}
        checked={checkedText(checks, attention.data?.teams.total ?? 0)}
      />
      {isWhole ? (
        <>
          <OtherConcerns concerns={concerns.slice(1).filter(({ teamId }) => teamId === "")} />
          <TeamAttention />
          {deployment.data && (
            <AtAGlance
              deployment={deployment.data}
              links={checked.data && gatewayLinks(checked.data)}
            />
          )}
          {checks.length > 0 && <Watched checks={checks} />}
          <AsRequest of="teams" path="/admin/attention" />
          <AsRequest of="checks" path="/admin/checks" />
          <AsRequest of="deployment" path="/admin/deployment" />
        </>
      ) : (
        <Loading rows={10} />
      )}
    </>
  );
}

interface GlanceProps {
  readonly deployment: Deployment;
  /** The check of each gateway. Undefined: the checks are not read yet. */
  readonly links: readonly ShownCheck[] | undefined;
}

function AtAGlance({ deployment, links }: GlanceProps) {
  const { service_domain: domain, public_url: url, outbound, gateways } = deployment;
  const up = links?.filter(({ status }) => status === "ok").length;
  return (
    <Panel title="Deployment" aside={<Link to="/operator/delivery">Delivery</Link>}>
      <Facts
        className="padded"
        facts={{
          "Service domain": <code>{domain}</code>,
          "Public URL": <code>{url}</code>,
          Delivery: `${DELIVERY_METHODS[outbound].name}, unless a team has its own method`,
          Gateways:
            gateways.length === 0
              ? "None"
              : up === undefined
                ? formatCount(gateways.length)
                : `${formatCount(up)} of ${formatCount(gateways.length)} up`,
          "Event storage": <Link to="/operator/shards">Shards</Link>,
        }}
      />
    </Panel>
  );
}

const WATCHED: readonly TableColumn<ShownCheck>[] = [
  {
    name: "Check",
    cell: ({ title }) => title,
    title: ({ evidence }) => evidence,
    className: "name",
  },
  { name: "Now", cell: ({ value_text: text }) => groupDigits(text), isNumber: true },
  {
    name: "Limit",
    cell: ({ limit_text: text }) => groupDigits(text),
    isNumber: true,
    isSecondary: true,
  },
  { name: "Status", cell: (row) => <Pill tone={statusTone(row)}>{statusLabel(row)}</Pill> },
  { name: "Meaning", cell: ({ message }) => message, isSecondary: true, className: "muted" },
];

function Watched({ checks }: { readonly checks: readonly ShownCheck[] }) {
  return (
    <Panel title="Health checks" note="Totals of all teams, up to a minute old">
      <ShortTable
        className="numbers"
        aria-label="Health checks"
        columns={WATCHED}
        rows={checks}
        keyOf={({ check, subject, message }) => `${check} ${subject} ${message}`}
      />
    </Panel>
  );
}
