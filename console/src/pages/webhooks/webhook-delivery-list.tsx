// A webhook's deliveries of the last three days, newest first. A row opens the attempts of its
// batch. The API can't filter by outcome, so the list filters the rows that it has read.
import type { Webhook } from "../../../../packages/postern/src/generated/types.ts";
import { api } from "../../api/api-client.ts";
import { usePages } from "../../api/pages.ts";
import { Button, SmallButton } from "../../parts/button.tsx";
import { QueryResult } from "../../parts/query-result.tsx";
import { EmptyState } from "../../parts/empty-state.tsx";
import { formatCount } from "../../parts/figures.ts";
import { Panel } from "../../parts/panel.tsx";
import { Pill, Status } from "../../parts/pill.tsx";
import { type ListColumn, RecordList } from "../../parts/list/record-list.tsx";
import { ViewSwitch } from "../../parts/view-switch.tsx";
import { TimeAgo } from "../../parts/time/time-ago.tsx";
import { WebhookBatchDetails } from "./webhook-batch-details.tsx";
import { useNewestWebhookDeliveries, WEBHOOKS } from "./webhook-queries.ts";
import {
  describeResponse,
  type ListedWebhookDelivery,
  newerThan,
  plannedIds,
} from "./webhook-health.ts";
import type { WebhookSearch } from "./webhooks-search.ts";

interface DeliveryListProps {
  readonly webhook: Webhook;
  readonly open: string | null;
  readonly outcome: ListedWebhookDelivery["outcome"] | null;
  readonly onChoose: (search: WebhookSearch) => void;
}

const FILTERS = [
  ["all", "All"],
  ["delivered", "Delivered"],
  ["failed", "Failed"],
  ["dropped", "Dropped"],
] as const;
/** A filtered list reads up to this many pages automatically. A button reads more. */
const PAGES_BY_ITSELF = 10;

function columnsFor(planned: ReadonlySet<string>): readonly ListColumn<ListedWebhookDelivery>[] {
  return [
    { name: "Time", cell: ({ attempted_at: at }) => <TimeAgo at={at} />, width: "time" },
    { name: "Outcome", cell: ({ outcome }) => <Outcome of={outcome} />, width: "status" },
    {
      name: "Response",
      cell: (entry) => <code title={describeResponse(entry)}>{describeResponse(entry)}</code>,
      width: "long",
    },
    {
      name: "Attempt",
      cell: ({ attempt }) => attempt,
      isNumber: true,
      isSecondary: true,
      width: "number",
    },
    {
      name: "Events",
      cell: ({ event_count: count }) => count,
      isNumber: true,
      isSecondary: true,
      width: "number",
    },
    {
      name: "Next retry",
      cell: ({ id, next_attempt_at: at }) =>
        at !== null && planned.has(id) ? <TimeAgo at={at} /> : "–",
      isSecondary: true,
    },
  ];
}

export function WebhookDeliveryList({ webhook, open, outcome, onChoose }: DeliveryListProps) {
  const query = usePages([...WEBHOOKS, "deliveries", webhook.id], (page) =>
    api.webhooks.listDeliveries(webhook.id, page),
  );
  const newest = useNewestWebhookDeliveries(webhook.id).data ?? [];
  const all = query.rows ?? [];
  const rows = outcome === null ? all : all.filter((row) => row.outcome === outcome);
  const fresh = query.rows ? newerThan(newest, all[0]?.id) : 0;
  const planned = plannedIds(all, webhook.status, Date.now());
  const asks = outcome !== null && (query.data?.pages.length ?? 0) >= PAGES_BY_ITSELF;
  const search = (chosen: typeof outcome, id: string | null): WebhookSearch => ({
    ...(chosen && { outcome: chosen }),
    ...(id !== null && { open: id }),
  });
  return (
    <Panel
      title="Deliveries"
      note="Last 3 days"
      aside={
        <>
          <span aria-live="polite">
            {fresh > 0 && (
              <SmallButton onClick={() => void query.refetch()}>
                Show {formatCount(fresh)} new
              </SmallButton>
            )}
          </span>{" "}
          <ViewSwitch
            label="Outcome"
            values={FILTERS}
            chosen={outcome ?? "all"}
            onChoose={(one) => onChoose(search(one === "all" ? null : one, null))}
          />
        </>
      }
    >
      <QueryResult query={query}>
        {() => (
          <>
            {rows.length === 0 && !query.isFetchingNextPage ? (
              <EmptyState>{emptyWords(outcome, all.length, query.hasMore)}</EmptyState>
            ) : null}
            {(rows.length > 0 || query.hasMore) && (
              <RecordList
                label="Deliveries"
                columns={columnsFor(planned)}
                rows={rows}
                idOf={({ id }) => id}
                open={open}
                onOpen={(id) => onChoose(search(outcome, id))}
                detail={(entry) => (
                  <WebhookBatchDetails webhook={webhook} entry={entry} planned={planned} />
                )}
                onEnd={asks ? undefined : query.more}
                isLoadingMore={query.isFetchingNextPage}
              />
            )}
            {asks && query.more && (
              <Button className="btn small older" onClick={query.more}>
                Search older attempts ({formatCount(all.length)} searched)
              </Button>
            )}
          </>
        )}
      </QueryResult>
    </Panel>
  );
}

function emptyWords(outcome: string | null, looked: number, hasMore: boolean): string {
  if (outcome === null) return "No deliveries in the last 3 days. Tests are not listed.";
  return `None of the ${hasMore ? "newest " : ""}${formatCount(looked)} attempts ${outcome === "failed" ? "failed" : `was ${outcome}`}.`;
}

function Outcome({ of }: { readonly of: ListedWebhookDelivery["outcome"] }) {
  return of === "dropped" ? <Pill tone="mute">Dropped</Pill> : <Status of={of} />;
}
