// One webhook: its state, its endpoint's latest reply, its latest attempts as cells, and its
// actions. The list and the webhook's page both show it.
import type { ReactNode } from "react";
import type { Webhook } from "../../../../packages/postern/src/generated/types.ts";
import { QueryResult } from "../../parts/query-result.tsx";
import { Facts } from "../../parts/list/facts.tsx";
import { Pill } from "../../parts/pill.tsx";
import { ExactTime, TimeAgo, useClock } from "../../parts/time/time-ago.tsx";
import { AttemptStrip } from "./attempt-strip.tsx";
import { eventTypesText } from "./subscribed-events.tsx";
import { WebhookActions } from "./webhook-actions.tsx";
import { useNewestWebhookDeliveries } from "./webhook-queries.ts";
import { type ListedWebhookDelivery, webhookHealth } from "./webhook-health.ts";

interface WebhookSummaryProps {
  readonly webhook: Webhook;
  readonly onDeleted: () => void;
  /** Is shown below the actions. */
  readonly children?: ReactNode;
}

export function WebhookSummary({ webhook, onDeleted, children }: WebhookSummaryProps) {
  const query = useNewestWebhookDeliveries(webhook.id);
  return (
    <QueryResult query={query}>
      {(entries) => (
        <Health webhook={webhook} entries={entries} checkedAt={query.dataUpdatedAt}>
          <Settings webhook={webhook} />
          <WebhookActions webhook={webhook} onDeleted={onDeleted} />
          {children}
        </Health>
      )}
    </QueryResult>
  );
}

interface HealthProps {
  readonly webhook: Webhook;
  readonly entries: readonly ListedWebhookDelivery[];
  /** Unix milliseconds. */
  readonly checkedAt: number;
  /** Is shown below the attempts. */
  readonly children: ReactNode;
}

function Health({ webhook, entries, checkedAt, children }: HealthProps) {
  const clock = useClock();
  const { tone, word, answer, rest, said } = webhookHealth(webhook, entries, clock);
  return (
    <section className={`panel edged ${tone}`} aria-label={`Health of ${webhook.name}`}>
      <div className={`verdict ${tone}`}>
        <Pill tone={tone}>{word}</Pill>
        <p aria-live="polite">
          <strong>{answer}</strong> {rest}
        </p>
      </div>
      {said !== null && (
        <pre className="said last-answer">
          <span>POST {webhook.url} → </span>
          {said}
        </pre>
      )}
      <div className="padded">
        <AttemptStrip entries={entries} />
        <small>
          Checked <TimeAgo at={checkedAt} />
        </small>
      </div>
      <div className="padded ruled">{children}</div>
    </section>
  );
}

function Settings({ webhook }: { readonly webhook: Webhook }) {
  const { url, events, signing_secret_previous_prefix: old } = webhook;
  const until = webhook.signing_secret_grace_expires_at;
  return (
    <Facts
      facts={{
        URL: <code>{url}</code>,
        Events: eventTypesText(events),
        Format: webhook.format === "resend" && "One event per request (Resend’s format)",
        Retries:
          webhook.status === "circuit_disabled" &&
          "One attempt every 5 to 15 minutes. The first 2xx resumes deliveries; after 72 hours without one, the webhook is disabled.",
        Secret: (
          <>
            <code>{webhook.signing_secret_prefix}…</code>
            {old !== null && until !== null && (
              <>
                ; the previous secret <code>{old}…</code> works until <ExactTime at={until} />
              </>
            )}
          </>
        ),
        ID: <code>{webhook.id}</code>,
      }}
    />
  );
}
