// The deployment at a glance: what needs the operator's hand, and the numbers that are watched.
import { Link } from "@tanstack/react-router";
import { Unanswered } from "../../api/failure.ts";
import { AsRequest } from "../../parts/as-request.tsx";
import { ErrorNote } from "../../parts/error-note.tsx";
import { formatCount } from "../../parts/figures.ts";
import { Loading } from "../../parts/loading.tsx";
import { PageHead } from "../../parts/page-head.tsx";
import { Panel } from "../../parts/panel.tsx";
import { Pill } from "../../parts/pill.tsx";
import type { WatchedDeployment } from "./gateway-watch.ts";
import { Looked } from "./looked.tsx";
import { type Check, checkGateways, checkMetrics, concernsAmong } from "./operator-checks.ts";
import { METRICS_EVERY_MS, useDeployment, useMetrics } from "./operator-queries.ts";

const WORDS = { ok: "Fine", wait: "Soon", bad: "Now", mute: "Unknown" } as const;

export function OperatorOverview() {
  const deployment = useDeployment();
  const metrics = useMetrics();
  const checks = [
    ...(deployment.data ? checkGateways(deployment.data) : []),
    ...(metrics.data ? checkMetrics(metrics.data) : []),
  ];
  const isAll = deployment.data !== undefined && metrics.data !== undefined;
  const failure = [deployment.error, metrics.error].find(
    (error) => error !== null && !(error instanceof Unanswered),
  );
  return (
    <>
      <PageHead title="Overview">
        <Looked
          at={Math.max(metrics.dataUpdatedAt, deployment.dataUpdatedAt)}
          everyMs={METRICS_EVERY_MS}
        />
      </PageHead>
      {failure && <ErrorNote error={failure} retry={() => void metrics.refetch()} />}
      {!isAll && !failure && <Loading />}
      {isAll && <Verdict concerns={concernsAmong(checks)} />}
      {isAll && <Concerns concerns={concernsAmong(checks).slice(1)} />}
      {deployment.data && <AtAGlance deployment={deployment.data} />}
      {checks.length > 0 && <Watched checks={checks} />}
      <AsRequest path="/admin/metrics" variable="ADMIN_TOKEN" />
      <AsRequest of="gateways" path="/admin/deployment" variable="ADMIN_TOKEN" />
    </>
  );
}

function Verdict({ concerns }: { readonly concerns: readonly Check[] }) {
  const [worst] = concerns;
  const rest = concerns.length - 1;
  return (
    <section className={`panel verdict ${worst?.tone ?? "ok"}`} aria-label="Verdict">
      <Pill tone={worst?.tone ?? "ok"}>{worst ? "Needs a hand" : "Fine"}</Pill>
      <p aria-live="polite">
        <strong>{worst ? headOf(worst.says) : "Nothing needs a hand."}</strong>{" "}
        {worst ? tailOf(worst.says) : "Every number that is watched is as it should be."}
        {rest > 0 && ` ${formatCount(rest)} more below.`}
        {worst && (
          <>
            <br />
            <code>{worst.evidence}</code>
          </>
        )}
      </p>
      {worst ? (
        <Link to={worst.to} className="btn">
          {worst.act}
        </Link>
      ) : (
        <span />
      )}
    </section>
  );
}

/** Returns the first sentence. */
function headOf(says: string): string {
  return /^.*?\.(?= |$)/.exec(says)?.[0] ?? says;
}

function tailOf(says: string): string {
  return says.slice(headOf(says).length).trim();
}

function Concerns({ concerns }: { readonly concerns: readonly Check[] }) {
  if (concerns.length === 0) return null;
  return (
    <Panel title="Needs a hand, too" note={formatCount(concerns.length)}>
      {concerns.map(({ id, tone, says, evidence, to, act, name }) => (
        <div key={id} className="todo stack">
          <Pill tone={tone}>{WORDS[tone]}</Pill>
          <p>
            {says}
            <br />
            <code className="muted">{evidence}</code>
          </p>
          <Link to={to} className="btn small" aria-label={`${act}: ${name}`}>
            {act}
          </Link>
        </div>
      ))}
    </Panel>
  );
}

function AtAGlance({ deployment }: { readonly deployment: WatchedDeployment }) {
  const { service_domain: domain, public_url: url, outbound, gateways } = deployment;
  const agreed = gateways.filter(({ state }) => state === "agreed").length;
  return (
    <Panel title="Deployment" aside={<Link to="/operator/couriers">Couriers and gateways</Link>}>
      <dl className="padded">
        <dt>Service domain</dt>
        <dd>
          <code>{domain}</code>
        </dd>
        <dt>Public URL</dt>
        <dd>
          <code>{url}</code>
        </dd>
        <dt>Courier</dt>
        <dd>{outbound}, unless a team chose another</dd>
        <dt>Gateways</dt>
        <dd>
          {gateways.length === 0
            ? "none is set up"
            : `${formatCount(agreed)} of ${formatCount(gateways.length)} agree`}
        </dd>
        <dt>Events</dt>
        <dd>
          on <Link to="/operator/shards">shards</Link>
        </dd>
      </dl>
    </Panel>
  );
}

function Watched({ checks }: { readonly checks: readonly Check[] }) {
  return (
    <Panel
      title="Watched numbers"
      note="totals over all teams, at most a minute old"
      aside={<Link to="/operator/metrics">All metrics</Link>}
    >
      <table className="numbers" aria-label="Watched numbers">
        <thead>
          <tr>
            <th scope="col">Number</th>
            <th scope="col" className="n">
              Now
            </th>
            <th scope="col">State</th>
            <th scope="col" className="second">
              Meaning
            </th>
          </tr>
        </thead>
        <tbody>
          {checks.map(({ id, name, value, tone, means, evidence }) => (
            <tr key={id}>
              <td className="name" title={evidence}>
                {name}
              </td>
              <td className="n">{value}</td>
              <td>
                <Pill tone={tone}>{WORDS[tone]}</Pill>
              </td>
              <td className="second muted">{means}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </Panel>
  );
}
