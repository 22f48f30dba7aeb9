// One webhook: how it is doing, its endpoint's own last answer, the strip of its last attempts, and
// what can be done. Shown in the list and on the webhook's own page.
import type { ReactNode } from "react";
import type { Webhook } from "../../../../packages/postern/src/generated/types.ts";
import { Answer } from "../../parts/answer.tsx";
import { Pill } from "../../parts/pill.tsx";
import { ExactTime, TimeAgo, useClock } from "../../parts/time/time-ago.tsx";
import { AttemptStrip } from "./attempt-strip.tsx";
import { eventWords } from "./subscribed-events.tsx";
import { WebhookActs } from "./webhook-acts.tsx";
import { useNewestDeliveries } from "./webhook-queries.ts";
import { type ListedDelivery, storyOf } from "./webhook-story.ts";

interface WebhookSummaryProps {
  readonly webhook: Webhook;
  readonly onDeleted?: () => void;
  /** Stands below the acts. */
  readonly children?: ReactNode;
}

export function WebhookSummary({ webhook, onDeleted, children }: WebhookSummaryProps) {
  const query = useNewestDeliveries(webhook.id);
  return (
    <>
      <Answer query={query}>
        {(entries) => (
          <section className="panel" aria-label={`Health of ${webhook.name}`}>
            <Verdict webhook={webhook} entries={entries} />
            <div className="padded">
              <AttemptStrip entries={entries} />
              <small>
                Checked <TimeAgo at={query.dataUpdatedAt} />
              </small>
            </div>
          </section>
        )}
      </Answer>
      <Settings webhook={webhook} />
      <WebhookActs webhook={webhook} {...(onDeleted && { onDeleted })} />
      {children}
    </>
  );
}

interface VerdictProps {
  readonly webhook: Webhook;
  readonly entries: readonly ListedDelivery[];
}

function Verdict({ webhook, entries }: VerdictProps) {
  const clock = useClock();
  const { tone, word, answer, rest, said } = storyOf(webhook, entries, clock);
  return (
    <>
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
    </>
  );
}

function Settings({ webhook }: { readonly webhook: Webhook }) {
  const { url, events, signing_secret_previous_prefix: old } = webhook;
  const until = webhook.signing_secret_grace_expires_at;
  return (
    <dl>
      <dt>URL</dt>
      <dd>
        <code>{url}</code>
      </dd>
      <dt>Events</dt>
      <dd>{eventWords(events)}</dd>
      <dt>Circuit</dt>
      <dd>{CIRCUIT[webhook.status]}</dd>
      <dt>Secret</dt>
      <dd>
        <code>{webhook.signing_secret_prefix}…</code>
        {old !== null && until !== null && (
          <>
            ; the previous secret <code>{old}…</code> works until <ExactTime at={until} />
          </>
        )}
      </dd>
      <dt>ID</dt>
      <dd>
        <code>{webhook.id}</code>
      </dd>
    </dl>
  );
}

const CIRCUIT: Readonly<Record<Webhook["status"], string>> = {
  active: "Closed: events are sent immediately",
  circuit_disabled:
    "Open: only probes are sent. The first 2xx closes it; after 72 hours without one, the webhook is disabled",
  disabled: "Off",
};
