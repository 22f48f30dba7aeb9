// The latest attempts as one cell each, the newest on the right, so that a pattern is visible.
// Failed cells are taller and dropped cells are hollow, because colour alone is not accessible.
import { formatCount } from "../../parts/figures.ts";
import { useClock } from "../../parts/time/time-ago.tsx";
import { cellTitle, type ListedWebhookDelivery, outcomeCounts } from "./webhook-health.ts";

/** `entries` must be newest first. */
export function AttemptStrip({ entries }: { readonly entries: readonly ListedWebhookDelivery[] }) {
  const clock = useClock();
  if (entries.length === 0) return <p className="muted">No attempts in the last 3 days.</p>;
  const counts = outcomeCounts(entries);
  const words = counts.map(([outcome, count]) => `${formatCount(count)} ${outcome}`).join(", ");
  return (
    <figure className="attempts">
      <div role="group" aria-label={`The last ${entries.length} attempts, oldest first: ${words}`}>
        {entries.toReversed().map((entry) => {
          const title = cellTitle(entry, clock);
          return (
            <i
              key={entry.id}
              role="img"
              className={entry.outcome}
              title={title}
              aria-label={title}
            />
          );
        })}
      </div>
      <figcaption>
        {counts.map(([outcome, count]) => (
          <span key={outcome}>
            <i className={outcome} aria-hidden="true" /> {formatCount(count)} {outcome}
          </span>
        ))}
        <span>Newest on the right</span>
      </figcaption>
    </figure>
  );
}
