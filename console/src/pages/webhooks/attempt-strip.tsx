// The last attempts as one cell each, newest on the right, so that a pattern is seen at a
// glance. Failed cells are taller and dropped ones hollow, so that colour is not alone.
import { formatCount } from "../../parts/figures.ts";
import { useClock } from "../../parts/time/time-ago.tsx";
import { cellTitle, type ListedDelivery, outcomeCounts } from "./webhook-story.ts";

/** `entries`: newest first. */
export function AttemptStrip({ entries }: { readonly entries: readonly ListedDelivery[] }) {
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
