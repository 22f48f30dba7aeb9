// Explains that nothing was found, how far back the search went, and which step is next.
import type { ReactNode } from "react";
import { useRetentionDays } from "../messages/events-query.ts";

interface NothingFoundProps {
  readonly title: string;
  readonly children: ReactNode;
}

export function NothingFound({ title, children }: NothingFoundProps) {
  const days = useRetentionDays();
  return (
    <section className="panel padded" aria-label="Answer">
      <h2>{title}</h2>
      {days !== undefined && <p>Events are kept for {days} days.</p>}
      <p>{children}</p>
    </section>
  );
}
