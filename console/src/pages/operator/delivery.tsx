// The delivery methods and the state of the gateways.
import { Link } from "@tanstack/react-router";
import { QueryResult } from "../../parts/query-result.tsx";
import { AsRequest } from "../../parts/as-request.tsx";
import { EmptyState } from "../../parts/empty-state.tsx";
import { formatCount } from "../../parts/figures.ts";
import { PageHead } from "../../parts/page-head.tsx";
import { Panel } from "../../parts/panel.tsx";
import { Pill } from "../../parts/pill.tsx";
import { ExactTime, TimeAgo } from "../../parts/time/time-ago.tsx";
import { DELIVERY_METHODS } from "./delivery-methods.ts";
import {
  adviceFor,
  clockProblem,
  describeState,
  evidenceOf,
  describeWaitingMail,
  stateTone,
  stateLabel,
  type WatchedDeployment,
  type WatchedGateway,
} from "./gateway-watch.ts";
import { CheckedAt } from "./checked-at.tsx";
import type { GatewayWatch } from "./checks/check-gateway-findings.ts";
import { hostOf } from "./checks/check-gateways.ts";
import { GatewayDestinations } from "./gateway-destinations.tsx";
import { GatewayFindings } from "./gateway-findings.tsx";
import { DEPLOYMENT_EVERY_MS, useDeployment, useGateways } from "./operator-queries.ts";

export function Delivery() {
  const query = useDeployment();
  return (
    <>
      <PageHead title="Delivery">
        <CheckedAt at={query.dataUpdatedAt} everyMs={DEPLOYMENT_EVERY_MS} />
      </PageHead>
      <QueryResult query={query}>
        {(deployment) => (
          <>
            <GatewayVerdict deployment={deployment} />
            <Gateways deployment={deployment} />
            <DeliveryMethods deployment={deployment} />
          </>
        )}
      </QueryResult>
      <AsRequest of="gateways" path="/admin/deployment" variable="ADMIN_TOKEN" />
      <AsRequest of="findings" path="/admin/gateways" variable="ADMIN_TOKEN" />
    </>
  );
}

interface DeploymentProps {
  readonly deployment: WatchedDeployment;
}

function GatewayVerdict({ deployment }: DeploymentProps) {
  const { gateways } = deployment;
  const down = gateways.filter(({ state }) => state !== "agreed");
  const [first] = down;
  if (gateways.length === 0) return null;
  const isAlone = gateways.length === 1;
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
              ? `The gateway ${hostOf(first.url)} ${describeState(first)}.`
              : `${formatCount(down.length)} of ${formatCount(gateways.length)} gateways are down.`}
        </strong>{" "}
        {first && describeWaitingMail(deployment)}
        {!first && (isAlone ? "It accepts mail." : "Each gateway accepts the mail assigned to it.")}
      </p>
      <span />
    </section>
  );
}

function Gateways({ deployment: { gateways, time } }: DeploymentProps) {
  const found = useGateways().data?.gateways;
  const watchOf = (url: string) => found?.find((one) => one.url === url)?.watch ?? null;
  return (
    <Panel title="Gateways" note={formatCount(gateways.length)}>
      {gateways.length === 0 && (
        <EmptyState command="EGRESS_URL=https://egress.example.com npm run setup">
          No gateway is set up. You need one to deliver mail yourself, and for SMTP submission.
        </EmptyState>
      )}
      {gateways.map((gateway) => (
        <GatewayState
          key={gateway.url}
          gateway={gateway}
          time={time}
          watch={watchOf(gateway.url)}
        />
      ))}
    </Panel>
  );
}

interface GatewayStateProps {
  readonly gateway: WatchedGateway;
  /** The worker's clock. */
  readonly time: string;
  /** Null: the gateway has reported nothing about itself yet. */
  readonly watch: GatewayWatch | null;
}

function GatewayState({ gateway, time, watch }: GatewayStateProps) {
  return (
    <div className="todo stack">
      <Pill tone={stateTone(gateway)}>{stateLabel(gateway)}</Pill>
      <div>
        <p>
          <b>{hostOf(gateway.url)}</b> {describeState(gateway)}. <Since gateway={gateway} />{" "}
          {clockProblem(gateway, time)}
        </p>
        {gateway.state !== "agreed" && <p>{adviceFor(gateway)}</p>}
        <p className="said">{evidenceOf(gateway)}</p>
        {watch && <GatewayFindings watch={watch} />}
        {watch && <GatewayDestinations watch={watch} />}
      </div>
    </div>
  );
}

function Since({ gateway: { since, seen, state } }: { readonly gateway: WatchedGateway }) {
  if (since !== null)
    return (
      <span className="muted">
        Since <ExactTime at={since} />.
      </span>
    );
  return state === "agreed" ? null : (
    <span className="muted">
      Noticed <TimeAgo at={seen} />.
    </span>
  );
}

function DeliveryMethods({ deployment: { outbound } }: DeploymentProps) {
  return (
    <Panel
      title="Delivery methods"
      note="Each team can have its own method"
      aside={<Link to="/operator/teams">Teams</Link>}
    >
      <table aria-label="Delivery methods" className="stacked">
        <thead>
          <tr>
            <th scope="col">Method</th>
            <th scope="col">Used by</th>
            <th scope="col">Description</th>
          </tr>
        </thead>
        <tbody>
          {Object.entries(DELIVERY_METHODS).map(([method, { name, means }]) => (
            <tr key={method}>
              <td>
                {name} <code className="muted">{method}</code>
              </td>
              <td>
                {method === outbound ? (
                  <Pill tone="ok">All teams by default</Pill>
                ) : (
                  <span className="muted">Teams with this method</span>
                )}
              </td>
              <td className="muted">{means}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </Panel>
  );
}
