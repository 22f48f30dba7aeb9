// Counts the messages to one address and their outcomes, over the time for which the team's events
// are stored.
import { Link } from "@tanstack/react-router";
import { formatCount } from "../../parts/figures.ts";
import { Panel } from "../../parts/panel.tsx";
import { useRecipient } from "../message/message-queries.ts";
import { useRetentionDays } from "./events-query.ts";

interface AddressFiguresProps {
  readonly address: string;
  /** True: shows a link to the address's messages. False: the page already lists them. */
  readonly hasLink?: boolean;
}

export function AddressFigures({ address, hasLink = true }: AddressFiguresProps) {
  const days = useRetentionDays();
  const { data } = useRecipient(address);
  if (!data) return null;
  const { messages, is_complete: isComplete, ...counts } = data.counts;
  const least = isComplete ? "" : "at least ";
  const rows: readonly (readonly [string, number])[] = [
    ["Delivered", counts.delivered],
    ["Bounced", counts.bounced],
    ["Complained", counts.complained],
    ["Suppressed", counts.suppressed],
    ["Opened", counts.opened],
  ];
  return (
    <Panel title="This address">
      <dl className="facts">
        <div>
          <dt>Messages</dt>
          <dd>
            {least}
            {formatCount(messages)}
            {days !== undefined && ` in ${days} days`}
          </dd>
        </div>
        {rows.map(([name, count]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>
              {count > 0 && least}
              {formatCount(count)}
            </dd>
          </div>
        ))}
        {hasLink && (
          <div>
            <dt>History</dt>
            <dd>
              <Link to="/why" hash={encodeURIComponent(address)}>
                Show all messages
              </Link>
            </dd>
          </div>
        )}
      </dl>
    </Panel>
  );
}
