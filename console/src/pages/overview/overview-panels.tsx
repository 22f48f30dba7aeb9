// The panels of the overview: figures, the chart, what needs a hand, rates, classes and recipient
// domains.
import type { UseQueryResult } from "@tanstack/react-query";
import { useMemo } from "react";
import type { Domain } from "../../../../packages/postern/src/generated/types.ts";
import { Answer } from "../../parts/answer.tsx";
import { Panel } from "../../parts/panel.tsx";
import { TimeAgo } from "../../parts/time-ago.tsx";
import { useZone } from "../../parts/time-zone.ts";
import { useUsage } from "../usage/usage-query.ts";
import { concernsOf } from "./attention.ts";
import { BounceClasses } from "./bounce-classes.tsx";
import { simulatorOf } from "./first-command.ts";
import { KeyFigures } from "./key-figures.tsx";
import { NeedsAHand } from "./needs-a-hand.tsx";
import { isLastSoFar, OutcomeChart, OutcomeLegend } from "./outcome-chart.tsx";
import { type CountedSpan, totalsOf } from "./overview-figures.ts";
import { useRecipientDomains, useStatsBefore, useWebhooks } from "./overview-queries.ts";
import { RateCharts } from "./rate-charts.tsx";
import { RecipientDomains } from "./recipient-domains.tsx";

const USAGE_EVERY_MS = 60_000;

interface OverviewPanelsProps {
  readonly days: number;
  readonly interval: "hour" | "day";
  readonly entries: readonly CountedSpan[];
  /** Unix milliseconds. */
  readonly lookedAt: number;
  readonly ownDomains: Pick<
    UseQueryResult<{ readonly data: readonly Domain[] }>,
    "data" | "isPending" | "isError"
  >;
}

export function OverviewPanels({
  days,
  interval,
  entries,
  lookedAt,
  ownDomains,
}: OverviewPanelsProps) {
  const zone = useZone();
  const spans = useMemo(() => ({ interval, now: lookedAt, zone }), [interval, lookedAt, zone]);
  const totals = useMemo(() => totalsOf(entries), [entries]);
  const before = useStatsBefore(days);
  const recipients = useRecipientDomains(days);
  const webhooks = useWebhooks();
  const usage = useUsage(USAGE_EVERY_MS);
  const totalsBefore = useMemo(() => before.data && totalsOf(before.data.data), [before.data]);
  const concerns = concernsOf({
    days,
    now: totals,
    before: totalsBefore ?? null,
    interval,
    start: entries[0]?.start ?? "",
    end: lookedAt,
    simulator: simulatorOf(ownDomains.data?.data ?? []),
    recipientEntries: recipients.data?.data ?? [],
    domains: ownDomains.data?.data ?? [],
    webhooks: webhooks.data?.data ?? [],
    usage: usage.data ?? null,
    zone,
  });
  const asked = [
    { name: "domains", query: ownDomains },
    { name: "webhooks", query: webhooks },
    { name: "quotas", query: usage },
    { name: "recipient domains", query: recipients },
  ];
  return (
    <>
      <KeyFigures days={days} now={totals} before={totalsBefore} />
      <div className="grid">
        <div className="hand">
          <NeedsAHand
            concerns={concerns}
            isLooking={asked.some(({ query }) => query.isPending)}
            failed={asked.filter(({ query }) => query.isError).map(({ name }) => name)}
          />
        </div>
        <div>
          <Panel
            title={`Messages by ${interval}`}
            note={<OutcomeLegend hasSoFar={isLastSoFar(entries, spans)} />}
            aside={
              <small>
                Checked <TimeAgo at={lookedAt} />
              </small>
            }
          >
            <OutcomeChart entries={entries} spans={spans} />
          </Panel>
          <RateCharts entries={entries} totals={totals} spans={spans} />
          <BounceClasses totals={totals} start={entries[0]?.start ?? ""} />
        </div>
      </div>
      <Answer query={recipients}>{({ data }) => <RecipientDomains entries={data} />}</Answer>
    </>
  );
}
