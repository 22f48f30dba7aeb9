// Counts of the outcomes of mail to one address, as far back as the log reaches.
import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { api } from "../../api/api-client.ts";
import { formatCount } from "../../parts/figures.ts";
import { Panel } from "../../parts/panel.tsx";
import { TimeAgo } from "../../parts/time-ago.tsx";
import { tallyOf } from "./address-tally.ts";
import { useRetentionDays } from "./events-query.ts";
import { windowStart } from "./messages-search.ts";

/** The most events that the figures are taken from. */
const EVENTS = 100;
const LONGEST_WINDOW_DAYS = 30;

interface AddressFiguresProps {
  readonly address: string;
  /** A link to the address's messages; left out where they stand beside it. */
  readonly hasLink?: boolean;
}

export function AddressFigures({ address, hasLink = true }: AddressFiguresProps) {
  const days = useRetentionDays();
  const { data } = useQuery({
    queryKey: ["address", address],
    queryFn: () =>
      api.events
        .list({
          recipient: address,
          start: windowStart(LONGEST_WINDOW_DAYS, Date.now()),
          limit: EVENTS,
        })
        .page(),
  });
  if (!data) return null;
  const tally = tallyOf(data.data);
  const least = data.has_more ? "at least " : "";
  const rows: readonly (readonly [string, number, string | null])[] = [
    ["Delivered", tally.delivered, tally.lastDelivered],
    ["Bounced", tally.bounced, tally.lastBounced],
    ["Complained", tally.complained, null],
    ["Opens", tally.opens, tally.lastOpened],
  ];
  return (
    <Panel title="This address">
      <dl className="facts">
        <div>
          <dt>Messages</dt>
          <dd>
            {least}
            {formatCount(tally.messages)}
            {days !== undefined && ` in ${days} days`}
          </dd>
        </div>
        {rows.map(([name, count, last]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>
              {count > 0 && least}
              {formatCount(count)}
              {last !== null && (
                <>
                  , the last <TimeAgo at={last} />
                </>
              )}
            </dd>
          </div>
        ))}
        {hasLink && (
          <div>
            <dt>All of it</dt>
            <dd>
              <Link to="/why" hash={encodeURIComponent(address)}>
                Show its messages
              </Link>
            </dd>
          </div>
        )}
      </dl>
    </Panel>
  );
}
