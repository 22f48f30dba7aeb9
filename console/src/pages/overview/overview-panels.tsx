// The panels of the overview: figures, chart, attention, rates, bounce classes, providers and
// recipient domains.
import type { UseQueryResult } from "@tanstack/react-query";
import { useMemo } from "react";
import type { Domain } from "../../../../packages/postern/src/generated/types.ts";
import { QueryResult } from "../../parts/query-result.tsx";
import { Panel } from "../../parts/panel.tsx";
import { TimeAgo } from "../../parts/time/time-ago.tsx";
import { useZone } from "../../parts/time/time-zone.ts";
import { useDeliverability, useLastDay } from "../deliverability/deliverability-query.ts";
import { useUsage } from "../usage/usage-query.ts";
import { concernsOf } from "./attention.ts";
import { AttentionPanel } from "./attention-panel.tsx";
import { BounceClasses } from "./bounce-classes.tsx";
import { KeyFigures } from "./key-figures.tsx";
import { isLastSoFar, OutcomeChart, OutcomeLegend } from "./outcome-chart.tsx";
import { type CountedSpan, totalsOf } from "./overview-figures.ts";
import { useRecipientDomains, useStatsBefore, useWebhooks } from "./overview-queries.ts";
import { rangeName, type SimulatorMail, type SpanClock } from "./overview-range.ts";
import { ProviderRows } from "./provider-rows.tsx";
import { RateCharts } from "./rate-charts.tsx";
import { RecipientDomains } from "./recipient-domains.tsx";

const USAGE_EVERY_MS = 60_000;

interface OverviewPanelsProps {
  readonly days: number;
  readonly simulator: SimulatorMail;
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
  simulator,
  interval,
  entries,
  lookedAt,
  ownDomains,
}: OverviewPanelsProps) {
  const zone = useZone();
  const spans = useMemo(() => ({ interval, now: lookedAt, zone }), [interval, lookedAt, zone]);
  const totals = useMemo(() => totalsOf(entries), [entries]);
  const before = useStatsBefore(days, simulator);
  const recipients = useRecipientDomains(days, simulator);
  const webhooks = useWebhooks();
  const usage = useUsage(USAGE_EVERY_MS);
  const start = entries[0]?.start ?? "";
  const lastDay = useLastDay();
  const mail = useDeliverability(rangeName(days), () => (days === 1 ? undefined : start));
  const totalsBefore = useMemo(() => before.data && totalsOf(before.data.data), [before.data]);
  const concerns = concernsOf({
    // If a provider has a finding, the list leaves out the rates, because the provider's card shows
    // them in more detail.
    rates: lastDay.data?.findings.length === 0 ? { ...totals, start, time: rangeName(days) } : null,
    domains: ownDomains.data?.data ?? [],
    webhooks: webhooks.data?.data ?? [],
    usage: usage.data ?? null,
    zone,
  });
  const asked = [
    { name: "domains", query: ownDomains },
    { name: "webhooks", query: webhooks },
    { name: "quotas", query: usage },
    { name: "mailbox providers", query: lastDay },
  ];
  return (
    <>
      <AttentionPanel
        mail={lastDay.data}
        concerns={concerns}
        isLooking={asked.some(({ query }) => query.isPending)}
        failed={asked.filter(({ query }) => query.isError).map(({ name }) => name)}
      />
      <KeyFigures
        days={days}
        start={start}
        entries={entries}
        now={totals}
        before={totalsBefore}
        isTracked={(ownDomains.data?.data ?? []).some(({ tracking }) => isTracking(tracking))}
      />
      <div className="grid">
        <OutcomePanel entries={entries} spans={spans} lookedAt={lookedAt} />
        <BounceClasses totals={totals} start={start} />
      </div>
      <RateCharts entries={entries} totals={totals} spans={spans} />
      <QueryResult query={mail}>{(data) => <ProviderRows mail={data} />}</QueryResult>
      <QueryResult query={recipients}>
        {({ data }) => <RecipientDomains entries={data} start={start} />}
      </QueryResult>
    </>
  );
}

function isTracking({ opens_enabled: opens, clicks_enabled: clicks }: Domain["tracking"]): boolean {
  return opens || clicks;
}

interface OutcomePanelProps extends Pick<OverviewPanelsProps, "entries" | "lookedAt"> {
  readonly spans: SpanClock;
}

function OutcomePanel({ entries, spans, lookedAt }: OutcomePanelProps) {
  return (
    <Panel
      title={`Recipients by ${spans.interval}`}
      note={<OutcomeLegend hasSoFar={isLastSoFar(entries, spans)} />}
      aside={
        <small>
          Checked <TimeAgo at={lookedAt} />
        </small>
      }
    >
      <OutcomeChart entries={entries} spans={spans} />
    </Panel>
  );
}
