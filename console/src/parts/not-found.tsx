// The page of a place that is not there: what was asked for, and the way back.
import type { ReactNode } from "react";
import { PageHead } from "./page-head.tsx";

interface NotFoundProps {
  /** Says what is not there, in one sentence. */
  readonly says: ReactNode;
  /** Why that may be. */
  readonly children: ReactNode;
  /** A link to the nearest page that is there. */
  readonly back: ReactNode;
}

export function NotFound({ says, children, back }: NotFoundProps) {
  return (
    <>
      <PageHead title="Not found" />
      <section className="panel padded" aria-label="Not found">
        <h2>{says}</h2>
        <p>{children}</p>
        <div className="buttons">{back}</div>
      </section>
    </>
  );
}
