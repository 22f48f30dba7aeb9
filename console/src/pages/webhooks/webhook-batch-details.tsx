// One batch of a webhook: its attempts with the endpoint's replies, and its body while the service
// stores it.
import type { Webhook } from "../../../../packages/postern/src/generated/types.ts";
import { QueryResult } from "../../parts/query-result.tsx";
import { ExactTime, TimeAgo } from "../../parts/time/time-ago.tsx";
import type { Tone } from "../../parts/tone.ts";
import { useWebhookBatch } from "./webhook-queries.ts";
import { describeResponse, events, type ListedWebhookDelivery } from "./webhook-health.ts";

const TONES: Readonly<Record<ListedWebhookDelivery["outcome"], Tone>> = {
  delivered: "ok",
  failed: "bad",
  dropped: "mute",
};

interface BatchProps {
  readonly webhook: Webhook;
  readonly entry: ListedWebhookDelivery;
  /** The ids of the deliveries whose next attempt is planned. */
  readonly planned: ReadonlySet<string>;
}

export function WebhookBatchDetails({ webhook, entry, planned }: BatchProps) {
  const { batch_id: id, event_count: count } = entry;
  const query = useWebhookBatch(webhook.id, id);
  return (
    <>
      <p>
        Batch <code>{id}</code> with {events(count)}.
      </p>
      <QueryResult query={query}>
        {({ body, deliveries }) => (
          <>
            <div className="line">
              {deliveries.map((one) => (
                <div key={one.id} className={`step ${TONES[one.outcome]}`}>
                  <span className="t">
                    <ExactTime at={one.attempted_at} />
                  </span>
                  <b>{one.outcome === "dropped" ? "Dropped" : `Attempt ${one.attempt}`}</b>
                  <pre className="said">
                    {one.outcome !== "dropped" && <span>POST {webhook.url} → </span>}
                    {describeResponse(one)}
                    {one.response_body_preview !== null && `\n${one.response_body_preview}`}
                  </pre>
                  {one.next_attempt_at !== null && planned.has(one.id) && (
                    <p>
                      Next retry <TimeAgo at={one.next_attempt_at} />.
                    </p>
                  )}
                </div>
              ))}
            </div>
            {body === null ? (
              <p className="muted">
                The body is deleted once a batch is delivered or dropped. A replay sends its events
                again.
              </p>
            ) : (
              <details>
                <summary>Request body</summary>
                <pre className="said">{readable(body)}</pre>
              </details>
            )}
          </>
        )}
      </QueryResult>
    </>
  );
}

/** Formats the JSON of a batch with indentation. */
function readable(body: string): string {
  return JSON.stringify(JSON.parse(body), null, 2);
}
