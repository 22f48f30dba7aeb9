// The delivery methods and the state of the gateways.
import { Link } from "@tanstack/react-router";
import type { Deployment } from "../../api/operator/types.ts";
import { QueryResult } from "../../parts/query-result.tsx";
import { AsRequest } from "../../parts/as-request.tsx";
import { EmptyState } from "../../parts/empty-state.tsx";
import { formatCount } from "../../parts/figures.ts";
import { PageHead } from "../../parts/page-head.tsx";
import { Panel } from "../../parts/panel.tsx";
import { Pill } from "../../parts/pill.tsx";
import { ShortTable, type TableColumn } from "../../parts/list/short-table.tsx";
import { ExactTime } from "../../parts/time/time-ago.tsx";
import type { GatewayWatch } from "./busy-destinations.ts";
import { type ShownCheck, gatewayLinks, statusLabel, statusTone } from "./check-status.ts";
import { DELIVERY_METHODS } from "./delivery-methods.ts";
import { CheckedAt } from "./checked-at.tsx";
import { GatewayDestinations } from "./gateway-destinations.tsx";
import { GatewaySelfChecks } from "./gateway-self-checks.tsx";
import { CHECKS_EVERY_MS, useChecks, useDeployment, useGateways } from "./operator-queries.ts";

export function Delivery() {
  const query = useDeployment();
  const checks = useChecks();
  return (
    <>
      <PageHead title="Delivery">
        <CheckedAt at={checks.dataUpdatedAt} everyMs={CHECKS_EVERY_MS} />
      </PageHead>
      <QueryResult query={checks}>
        {(answer) => {
          const links = gatewayLinks(answer);
          return (
            <>
              <GatewayVerdict links={links} />
              <Gateways links={links} />
            </>
          );
        }}
      </QueryResult>
      <QueryResult query={query}>
        {(deployment) => <DeliveryMethods deployment={deployment} />}
      </QueryResult>
      <AsRequest of="gateways" path="/admin/checks" />
      <AsRequest of="self-checks" path="/admin/gateways" />
    </>
  );
}

interface LinksProps {
  /** The check of each gateway. */
  readonly links: readonly ShownCheck[];
}

function GatewayVerdict({ links }: LinksProps) {
  const down = links.filter(({ status }) => status !== "ok");
  const [first] = down;
  if (links.length === 0) return null;
  const isAlone = links.length === 1;
  return (
    <section className={`panel verdict ${first ? "bad" : "ok"}`} aria-label="Summary">
      <Pill tone={first ? "bad" : "ok"}>{first ? "Down" : "Up"}</Pill>
      <p aria-live="polite">
        <strong>
          {first === undefined
            ? isAlone
              ? "The gateway is up."
              : "All gateways are up."
            : down.length === 1
              ? first.message
              : `${formatCount(down.length)} of ${formatCount(links.length)} gateways are down.`}
        </strong>{" "}
        {first?.next_step}
        {!first && (isAlone ? "It accepts mail." : "Each gateway accepts the mail assigned to it.")}
      </p>
      <span />
    </section>
  );
}

function Gateways({ links }: LinksProps) {
  const found = useGateways().data?.gateways;
  const watchOf = (url: string | null) => found?.find((one) => one.url === url)?.watch ?? null;
  return (
    <Panel title="Gateways" note={formatCount(links.length)}>
      {links.length === 0 && (
        <EmptyState command="EGRESS_URL=https://egress.example.com npm run setup">
          No gateway is set up. You need one to deliver mail yourself, and for SMTP submission.
        </EmptyState>
      )}
      {links.map((link) => (
        <GatewayState key={link.subject} link={link} watch={watchOf(link.subject)} />
      ))}
    </Panel>
  );
}

interface GatewayStateProps {
  readonly link: ShownCheck;
  /** Null: the gateway has not reported any self-check yet. */
  readonly watch: GatewayWatch | null;
}

function GatewayState({ link, watch }: GatewayStateProps) {
  const { message, next_step, since, evidence } = link;
  return (
    <div className="todo stack">
      <Pill tone={statusTone(link)}>{statusLabel(link)}</Pill>
      <div>
        <p>
          {message}{" "}
          {since !== null && (
            <span className="muted">
              Since <ExactTime at={since} />.
            </span>
          )}
        </p>
        {next_step && <p>{next_step}</p>}
        <p className="said">{evidence}</p>
        {watch && <GatewaySelfChecks watch={watch} />}
        {watch && <GatewayDestinations watch={watch} />}
      </div>
    </div>
  );
}

function DeliveryMethods({ deployment: { outbound } }: { readonly deployment: Deployment }) {
  return (
    <Panel
      title="Delivery methods"
      note="Each team can have its own method"
      aside={<Link to="/operator/teams">Teams</Link>}
    >
      <ShortTable
        aria-label="Delivery methods"
        className="stacked"
        columns={methodColumns(outbound)}
        rows={Object.entries(DELIVERY_METHODS)}
        keyOf={([method]) => method}
      />
    </Panel>
  );
}

type Method = readonly [method: string, { readonly name: string; readonly means: string }];

function methodColumns(byDefault: string): readonly TableColumn<Method>[] {
  return [
    {
      name: "Method",
      cell: ([method, { name }]) => (
        <>
          {name} <code className="muted">{method}</code>
        </>
      ),
    },
    {
      name: "Used by",
      cell: ([method]) =>
        method === byDefault ? (
          <Pill tone="ok">All teams by default</Pill>
        ) : (
          <span className="muted">Teams with this method</span>
        ),
    },
    { name: "Description", cell: ([, { means }]) => means, className: "muted" },
  ];
}
