// A panel: a bordered box with a title, optional content beside the title, and a body.
import type { ReactNode } from "react";

interface PanelProps {
  readonly title: string;
  readonly note?: ReactNode;
  readonly aside?: ReactNode;
  readonly children: ReactNode;
}

export function Panel({ title, note, aside, children }: PanelProps) {
  return (
    <section className="panel" aria-label={title}>
      <div className="top">
        <h2>{title}</h2>
        {note !== undefined && <small>{note}</small>}
        {aside !== undefined && <span className="right">{aside}</span>}
      </div>
      {children}
    </section>
  );
}
