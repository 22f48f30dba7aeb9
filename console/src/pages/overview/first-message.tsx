// The overview of a team that has sent nothing yet: how to send the first message.
import { Link } from "@tanstack/react-router";
import type { Domain } from "../../../../packages/postern/src/generated/types.ts";
import { EmptyState } from "../../parts/empty-state.tsx";
import { domainCommand, sendCommand, simulatorOf } from "./first-command.ts";

interface FirstMessageProps {
  readonly domains: readonly Domain[];
  /** The number of days without mail. */
  readonly days: number;
}

export function FirstMessage({ domains, days }: FirstMessageProps) {
  const { origin } = window.location;
  const verified = domains.find(({ status }) => status === "verified");
  const [first] = domains;
  if (!first)
    return (
      <section className="panel" aria-label="Get started">
        <EmptyState command={domainCommand(origin)}>
          No mail sent yet. <Link to="/domains">Add the domain</Link> that you send from:
        </EmptyState>
      </section>
    );
  if (!verified)
    return (
      <section className="panel" aria-label="Get started">
        <div className="empty">
          <p>
            No mail sent yet. <code>{first.name}</code> is not verified: publish its DNS records to
            start sending.
          </p>
          <Link to="/domains" search={{ open: first.id }} className="btn main">
            Show DNS records
          </Link>
        </div>
      </section>
    );
  const simulator = simulatorOf([verified]);
  const to = simulator === null ? "you@example.com" : `delivered@${simulator}`;
  return (
    <section className="panel" aria-label="Get started">
      <EmptyState command={sendCommand(origin, verified.name, to)}>
        No mail sent in the last {days} days. Send a message
        {simulator === null
          ? " to your own address"
          : " to the simulator, which accepts mail without delivering it"}
        . It appears here automatically:
      </EmptyState>
    </section>
  );
}
