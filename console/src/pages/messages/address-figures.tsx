// Counts the messages to one address and their outcomes, over the time for which the team's events
// are stored.
import { Link } from "@tanstack/react-router";
import { FactLines } from "../../parts/list/facts.tsx";
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
  const countOf = (count: number): string => (count > 0 ? least : "") + formatCount(count);
  return (
    <Panel title="This address">
      <FactLines
        facts={{
          Messages: `${least}${formatCount(messages)}${days === undefined ? "" : ` in ${days} days`}`,
          Delivered: countOf(counts.delivered),
          Bounced: countOf(counts.bounced),
          Complained: countOf(counts.complained),
          Suppressed: countOf(counts.suppressed),
          Opened: countOf(counts.opened),
          History: hasLink && (
            <Link to="/why" hash={encodeURIComponent(address)}>
              Show all messages
            </Link>
          ),
        }}
      />
    </Panel>
  );
}
