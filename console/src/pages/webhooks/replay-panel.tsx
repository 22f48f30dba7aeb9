// Replays past events to a webhook, and shows the progress of each replay. A replay continues after
// the page is closed.
import { Button, SmallButton } from "../../parts/button.tsx";
import { DAY_MS } from "../../parts/time/time-units.ts";
import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import type { Webhook, WebhookReplay } from "../../../../packages/postern/src/generated/types.ts";
import { api } from "../../api/api-client.ts";
import { EVENT_TYPES } from "../../../../packages/postern/src/generated/event-type-list.ts";
import { type EventTypeName, isEventType } from "../../api/event-type-names.ts";
import { QueryResult } from "../../parts/query-result.tsx";
import { EmptyState } from "../../parts/empty-state.tsx";
import { RequestForm } from "../../parts/form.tsx";
import { formatShare } from "../../parts/figures.ts";
import { Panel } from "../../parts/panel.tsx";
import { Permitted } from "../../parts/permitted.tsx";
import { Status } from "../../parts/pill.tsx";
import { ExactTime, TimeAgo, useNow } from "../../parts/time/time-ago.tsx";
import { doneShare, type ReplayRequest, replayText } from "./replay-progress.ts";
import { TimeField } from "../../parts/time/time-field.tsx";
import { eventTypesText, SubscribedEvents } from "./subscribed-events.tsx";
import { refreshWebhooks, useReplays } from "./webhook-queries.ts";

export function ReplayPanel({ webhook }: { readonly webhook: Webhook }) {
  const [isNew, setNew] = useState(false);
  const query = useReplays(webhook.id);
  const replays = query.data?.pages.flatMap(({ data }) => data) ?? [];
  return (
    <Panel
      title="Replays"
      note="Last 7 days. Replays continue when you leave this page."
      aside={
        <Permitted operation="POST /v1/webhooks/{id}/replay">
          <SmallButton onClick={() => setNew(true)}>Replay past events</SmallButton>
        </Permitted>
      }
    >
      {isNew && <NewReplay webhook={webhook} onClose={() => setNew(false)} />}
      <QueryResult query={query}>
        {() =>
          replays.length === 0 ? (
            <EmptyState>
              No replays. A replay sends past events again, to this webhook only.
            </EmptyState>
          ) : (
            <>
              {replays.map((replay) => (
                <ReplayRow
                  key={replay.id}
                  replay={replay}
                  isPaused={webhook.status === "circuit_disabled"}
                />
              ))}
              {query.hasNextPage && (
                <Button className="btn small older" onClick={() => void query.fetchNextPage()}>
                  Show older replays
                </Button>
              )}
            </>
          )
        }
      </QueryResult>
    </Panel>
  );
}

interface ReplayRowProps {
  readonly replay: WebhookReplay;
  readonly isPaused: boolean;
}

function ReplayRow({ replay, isPaused }: ReplayRowProps) {
  useNow();
  const { start, end, status, event_types: types, created_at: created } = replay;
  const share = doneShare(replay);
  return (
    <div className="replay">
      <span aria-live="polite">
        <Status of={status} />
      </span>
      <div>
        <p>
          <ExactTime at={start} /> to <ExactTime at={end} /> · {eventTypesText(types)}
        </p>
        <progress max={1} value={share} aria-label={`Replay started ${created}`} />
        <p>
          {formatShare(share, 1)} · {replayText(replay, Date.now(), isPaused)}
        </p>
      </div>
      <small>
        <TimeAgo at={created} />
      </small>
    </div>
  );
}

interface NewReplayProps {
  readonly webhook: Webhook;
  readonly onClose: () => void;
}

function NewReplay({ webhook: { id, name, events }, onClose }: NewReplayProps) {
  const [start, setStart] = useState<string | undefined>(dayAgo);
  const [end, setEnd] = useState<string>();
  const [types, setTypes] = useState<readonly EventTypeName[]>(events.filter(isEventType));
  const replay = useMutation({
    mutationFn: (body: ReplayRequest) => api.webhooks.replay(id, body),
    onSuccess: async () => {
      await refreshWebhooks();
      onClose();
    },
  });
  const submit = (): void => {
    if (start === undefined) return;
    replay.mutate({ start, ...(end !== undefined && { end }), event_types: [...types] });
  };
  return (
    <RequestForm
      label={`Replay past events to ${name}`}
      act="Replay events"
      request={replay}
      isIncomplete={types.length === 0}
      className="padded"
      onSubmit={submit}
      onCancel={onClose}
    >
      <div className="filters">
        <TimeField label="From" value={start} onChange={setStart} isRequired />
        <TimeField label="To (optional, now by default)" value={end} onChange={setEnd} />
      </div>
      <SubscribedEvents legend="Events" types={EVENT_TYPES} chosen={types} onChoose={setTypes} />
      <p className="muted">
        Events keep their IDs, so an endpoint that skips known IDs only processes the events it
        missed.
      </p>
    </RequestForm>
  );
}

function dayAgo(): string {
  return new Date(Date.now() - DAY_MS).toISOString();
}
