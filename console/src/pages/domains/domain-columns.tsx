// The columns of the table of domains. All cells of a domain use one DNS check.
import { Link } from "@tanstack/react-router";
import { useQuery } from "@tanstack/react-query";
import type { Domain } from "../../../../packages/postern/src/generated/types.ts";
import { api } from "../../api/api-client.ts";
import { Pill } from "../../parts/pill.tsx";
import type { ListColumn } from "../../parts/list/record-list.tsx";
import { TimeAgo } from "../../parts/time/time-ago.tsx";
import { readMessagesSearch, windowStart } from "../messages/messages-search.ts";
import { DmarcPolicy } from "./domain-policies.tsx";
import { useDns } from "./domain-queries.ts";
import { stateOf } from "./domain-summary.ts";
import { sentFrom } from "./sent-from.ts";

interface CellProps {
  readonly domain: Domain;
  /** True: DNS is checked even while the domain's row is closed. */
  readonly isLookedAt: boolean;
}

export function domainColumns(isLookedAt: boolean): readonly ListColumn<Domain>[] {
  return [
    { name: "Domain", cell: ({ name }) => name, width: "long" },
    {
      name: "State",
      cell: (domain) => <State domain={domain} isLookedAt={isLookedAt} />,
      width: "outcome",
    },
    {
      name: "DMARC",
      cell: (domain) => <Dmarc domain={domain} isLookedAt={isLookedAt} />,
      isSecondary: true,
      width: "status",
    },
    {
      name: "Sent in 30 days",
      cell: (domain) => <Sent domain={domain} />,
      isNumber: true,
      isSecondary: true,
      width: "ago",
    },
    {
      name: "Last checked",
      cell: (domain) => <Checked domain={domain} isLookedAt={isLookedAt} />,
      isNumber: true,
      width: "ago",
    },
  ];
}

function useLook({ domain, isLookedAt }: CellProps) {
  return useDns(domain, { isAsked: isLookedAt, isWatched: false });
}

function State(props: CellProps) {
  const { tone, words } = stateOf(props.domain, useLook(props).rows);
  return <Pill tone={tone}>{words}</Pill>;
}

function Dmarc(props: CellProps) {
  const { data } = useLook(props).query;
  return data ? <DmarcPolicy policies={data.policies} /> : "–";
}

function Checked(props: CellProps) {
  const { data, dataUpdatedAt } = useLook(props).query;
  return data ? <TimeAgo at={dataUpdatedAt} /> : "–";
}

const DAYS = "30";

/**
 * Shows the recipients of 30 days. One request reads them for all domains. The link opens the list
 * of these recipients.
 */
function Sent({ domain: { name } }: Pick<CellProps, "domain">) {
  const { data } = useQuery({
    queryKey: ["sent-by-domain"],
    queryFn: () =>
      api.stats.get({
        group_by: "sending_domain",
        interval: "day",
        start: windowStart(Number(DAYS), Date.now()),
      }),
    staleTime: 60_000,
  });
  if (!data) return "…";
  const count = sentFrom(name, data.data);
  if (count === "0") return count;
  return (
    <Link
      to="/messages"
      search={readMessagesSearch({ domain: name, event_type: "email.sent", days: DAYS })}
      aria-label={`${count} sent from ${name}`}
    >
      {count}
    </Link>
  );
}
