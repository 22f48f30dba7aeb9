// The page "Overview": the outcomes of recent mail, and what needs attention.
import { getRouteApi } from "@tanstack/react-router";
import { QueryResult } from "../../parts/query-result.tsx";
import { AsRequest } from "../../parts/as-request.tsx";
import { PageHead } from "../../parts/page-head.tsx";
import { Segments } from "../../parts/segments.tsx";
import { FirstMessage } from "./first-message.tsx";
import { OverviewPanels } from "./overview-panels.tsx";
import { isEmpty, totalsOf } from "./overview-figures.ts";
import { useHours, useLongestStats, useOwnDomains } from "./overview-queries.ts";
import {
  chosenRange,
  allowedRanges,
  rangeName,
  statsPath,
  windowOfRange,
} from "./overview-range.ts";

const route = getRouteApi("/frame/");

export function Overview() {
  const { days: wanted } = route.useSearch();
  const navigate = route.useNavigate();
  const longest = useLongestStats();
  const domains = useOwnDomains();
  const offered = longest.data && allowedRanges(longest.data.data.length);
  const days = offered && chosenRange(wanted, offered);
  const hours = useHours(days === 1);
  const shown = days === 1 ? hours : longest;
  const isNew = longest.data !== undefined && isEmpty(totalsOf(longest.data.data));
  return (
    <>
      <PageHead title="Overview">
        {offered && days !== undefined && !isNew && (
          <Segments
            label="Time"
            values={offered.map((one) => [String(one), rangeName(one)] as const)}
            chosen={String(days)}
            onChoose={(value) => void navigate({ search: { days: Number(value) } })}
          />
        )}
      </PageHead>
      {isNew ? (
        <QueryResult query={domains}>
          {({ data }) => <FirstMessage domains={data} days={longest.data.data.length} />}
        </QueryResult>
      ) : (
        <QueryResult query={shown}>
          {({ data, interval }) => (
            <OverviewPanels
              days={days ?? 1}
              interval={interval}
              entries={data.slice(days === 1 ? -24 : -(days ?? data.length))}
              lookedAt={shown.dataUpdatedAt}
              ownDomains={domains}
            />
          )}
        </QueryResult>
      )}
      <AsRequest path={statsPath(windowOfRange(days ?? 1, longest.dataUpdatedAt || Date.now()))} />
    </>
  );
}
