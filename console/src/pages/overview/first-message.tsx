// The overview of a team that has sent nothing yet: the first step, with its command.
import { Link } from "@tanstack/react-router";
import type { Domain } from "../../../../packages/postern/src/generated/types.ts";
import { EmptyState } from "../../parts/empty-state.tsx";
import { domainCommand, sendCommand, simulatorOf } from "./first-command.ts";

interface FirstMessageProps {
  readonly domains: readonly Domain[];
  /** Days in which nothing was sent. */
  readonly days: number;
}

export function FirstMessage({ domains, days }: FirstMessageProps) {
  const { origin } = window.location;
  const verified = domains.find(({ status }) => status === "verified");
  const [first] = domains;
  if (!first)
    return (
      <section className="panel" aria-label="The first step">
        <EmptyState command={domainCommand(origin)}>
          Nothing was sent yet. First <Link to="/domains">add the domain</Link> that your mail comes
          from:
        </EmptyState>
      </section>
    );
  if (!verified)
    return (
      <section className="panel" aria-label="The first step">
        <div className="empty">
          <p>
            Nothing was sent yet. <code>{first.name}</code> is not verified: publish its DNS
            records, then mail can go.
          </p>
          <Link to="/domains" search={{ open: first.id }} className="btn main">
            Show its records
          </Link>
        </div>
      </section>
    );
  const simulator = simulatorOf([verified]);
  const to = simulator === null ? "you@example.com" : `delivered@${simulator}`;
  return (
    <section className="panel" aria-label="The first step">
      <EmptyState command={sendCommand(origin, verified.name, to)}>
        Nothing was sent in the last {days} days. Send a message
        {simulator === null
          ? " to your own address"
          : " to the simulator, which takes it and delivers it nowhere"}
        . It appears here by itself:
      </EmptyState>
    </section>
  );
}
