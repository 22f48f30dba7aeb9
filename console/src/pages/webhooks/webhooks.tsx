// The page "Webhooks": the receivers of the team's events, with the state of each.
import { getRouteApi, Link } from "@tanstack/react-router";
import { useState } from "react";
import type { Webhook } from "../../../../packages/postern/src/generated/types.ts";
import { api } from "../../api/api-client.ts";
import { PAGE_ROWS, usePages } from "../../api/pages.ts";
import { EVENT_TYPES } from "../../../../packages/postern/src/generated/event-type-list.ts";
import { MainButton } from "../../parts/button.tsx";
import { QueryResult } from "../../parts/query-result.tsx";
import { AsRequest } from "../../parts/as-request.tsx";
import { EmptyState } from "../../parts/empty-state.tsx";
import { PageHead } from "../../parts/page-head.tsx";
import { Permitted } from "../../parts/permitted.tsx";
import { Pill } from "../../parts/pill.tsx";
import type { Tone } from "../../parts/tone.ts";
import { type ListColumn, RecordList } from "../../parts/list/record-list.tsx";
import { TimeAgo } from "../../parts/time/time-ago.tsx";
import { eventSummary } from "./subscribed-events.tsx";
import { NewWebhook } from "./webhook-form.tsx";
import { WEBHOOK_LIST } from "./webhook-queries.ts";
import { listSentence } from "./webhook-health.ts";
import { WebhookSummary } from "./webhook-summary.tsx";

const route = getRouteApi("/frame/webhooks");
const POLL_MS = 30_000;

const STATUS: Readonly<Record<Webhook["status"], readonly [Tone, string]>> = {
  active: ["ok", "Active"],
  circuit_disabled: ["wait", "Paused"],
  disabled: ["bad", "Disabled"],
};

const COLUMNS: readonly ListColumn<Webhook>[] = [
  { name: "Name", cell: ({ name }) => name, width: "long" },
  {
    name: "URL",
    cell: ({ url }) => <code title={url}>{url}</code>,
    isSecondary: true,
    width: "longest",
  },
  {
    name: "Events",
    cell: ({ events }) => eventSummary(events),
    isSecondary: true,
    width: "long",
  },
  {
    name: "Status",
    cell: ({ status }) => <Pill tone={STATUS[status][0]}>{STATUS[status][1]}</Pill>,
    width: "status",
  },
  {
    name: "Last delivery",
    cell: ({ last_delivery_at: at }) => (at === null ? "Never" : <TimeAgo at={at} />),
    width: "time",
    isLabelled: true,
  },
];

export function Webhooks() {
  const { open = null } = route.useSearch();
  const navigate = route.useNavigate();
  const [isNew, setNew] = useState(false);
  const query = usePages(WEBHOOK_LIST, (page) => api.webhooks.list(page), {
    refetchInterval: POLL_MS,
  });
  const show = (id: string | null): void =>
    void navigate({ search: id === null ? {} : { open: id } });
  return (
    <>
      <PageHead title="Webhooks">
        <Permitted operation="POST /v1/webhooks" act="add webhooks">
          <MainButton onClick={() => setNew(true)}>Add webhook</MainButton>
        </Permitted>
      </PageHead>
      {isNew && <NewWebhook onClose={() => setNew(false)} />}
      <QueryResult query={query}>
        {() =>
          query.rows?.length === 0 ? (
            <NoWebhook />
          ) : (
            <>
              <p aria-live="polite">{listSentence(query.rows ?? [])}</p>
              <section className="panel" aria-label="Webhooks">
                <RecordList
                  label="Webhooks"
                  columns={COLUMNS}
                  rows={query.rows ?? []}
                  idOf={({ id }) => id}
                  open={open}
                  onOpen={show}
                  detail={(webhook) => (
                    <WebhookSummary webhook={webhook} onDeleted={() => show(null)}>
                      <p>
                        <Link to="/webhooks/$webhookId" params={{ webhookId: webhook.id }}>
                          Deliveries and replays
                        </Link>
                      </p>
                    </WebhookSummary>
                  )}
                  onEnd={query.more}
                  isLoadingMore={query.isFetchingNextPage}
                />
              </section>
            </>
          )
        }
      </QueryResult>
      <AsRequest path={`/v1/webhooks?limit=${PAGE_ROWS}`} />
    </>
  );
}

function NoWebhook() {
  const body = JSON.stringify({
    name: "shop",
    url: "https://shop.example.com/hooks/mail",
    events: EVENT_TYPES,
  });
  return (
    <section className="panel" aria-label="No webhooks yet">
      <EmptyState command="npm run listen -- --forward http://localhost:3000/hook">
        No webhooks yet. During development, this command creates a webhook that forwards events to
        your machine while it runs:
      </EmptyState>
      <EmptyState
        command={`curl -sS -X POST '${window.location.origin}/v1/webhooks' -H "Authorization: Bearer $POSTERN_API_KEY" -H 'Content-Type: application/json' -d '${body}'`}
      >
        For an endpoint with a public https URL, use “Add webhook” or this request:
      </EmptyState>
    </section>
  );
}
