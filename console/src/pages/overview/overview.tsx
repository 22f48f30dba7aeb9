// The page "Overview": the outcomes of recent mail, and the problems.
import { getRouteApi } from "@tanstack/react-router";
import { QueryResult } from "../../parts/query-result.tsx";
import { AsRequest } from "../../parts/as-request.tsx";
import { PageHead } from "../../parts/page-head.tsx";
import { ViewSwitch } from "../../parts/view-switch.tsx";
import { FirstMessage } from "./first-message.tsx";
import { OverviewPanels } from "./overview-panels.tsx";
import { isEmpty, totalsOf } from "./overview-figures.ts";
import { useHasMail, useHours, useLongestStats, useOwnDomains } from "./overview-queries.ts";
import {
  chosenRange,
  allowedRanges,
  type OverviewSearch,
  rangeName,
  type SimulatorMail,
  statsPath,
  windowOfRange,
} from "./overview-range.ts";

const route = getRouteApi("/frame/");

export function Overview() {
  const { days: wanted, simulator = "exclude" } = route.useSearch();
  const navigate = route.useNavigate();
  const longest = useLongestStats(simulator);
  const domains = useOwnDomains();
  const offered = longest.data && allowedRanges(longest.data.data.length);
  const days = offered && chosenRange(wanted, offered);
  const hours = useHours(days === 1, simulator);
  const shown = days === 1 ? hours : longest;
  const hasMail = useHasMail(longest.data && !isEmpty(totalsOf(longest.data.data)));
  const isNew = hasMail === false;
  return (
    <>
      <PageHead title="Overview">
        {offered && days !== undefined && !isNew && (
          <>
            <ViewSwitch
              label="Mail"
              values={MAIL}
              chosen={simulator}
              onChoose={(value) => void navigate({ search: searchFor(wanted, value) })}
            />
            <ViewSwitch
              label="Time"
              values={offered.map((one) => [String(one), rangeName(one)] as const)}
              chosen={String(days)}
              onChoose={(value) => void navigate({ search: searchFor(Number(value), simulator) })}
            />
          </>
        )}
      </PageHead>
      {isNew && longest.data ? (
        <QueryResult query={domains}>
          {({ data }) => <FirstMessage domains={data} days={longest.data.data.length} />}
        </QueryResult>
      ) : (
        <QueryResult query={shown}>
          {({ data, interval }) => (
            <OverviewPanels
              days={days ?? 1}
              simulator={simulator}
              interval={interval}
              entries={data.slice(days === 1 ? -24 : -(days ?? data.length))}
              lookedAt={shown.dataUpdatedAt}
              ownDomains={domains}
            />
          )}
        </QueryResult>
      )}
      <AsRequest
        path={statsPath(windowOfRange(days ?? 1, longest.dataUpdatedAt || Date.now()), simulator)}
      />
    </>
  );
}

/**
 * The figures exclude mail to the simulator by default. Otherwise test mail would raise alarms and
 * hide the outcomes of mail to people.
 */
const MAIL = [
  ["exclude", "Without simulator"],
  ["include", "All mail"],
] as const;

function searchFor(days: number | undefined, simulator: SimulatorMail): OverviewSearch {
  return {
    ...(days !== undefined && { days }),
    ...(simulator === "include" && { simulator }),
  };
}
