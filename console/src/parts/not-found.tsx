// The page of a place that is not there: what was asked for, and the way back.
import { Link, type LinkProps } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { PageHead } from "./page-head.tsx";

interface NotFoundProps {
  /** Begins the sentence that `what` ends: "There is no domain". */
  readonly says: string;
  readonly what: string;
  /** Why that may be. */
  readonly children: ReactNode;
  /** The nearest page that is there, and the words of the link to it. */
  readonly back: { readonly to: NonNullable<LinkProps["to"]>; readonly says: string };
}

export function NotFound({ says, what, children, back }: NotFoundProps) {
  return (
    <>
      <PageHead title="Not found" />
      <section className="panel padded" aria-label="Not found">
        <h2>
          {says} <code>{what}</code>
        </h2>
        <p>{children}</p>
        <div className="buttons">
          <Link to={back.to} className="btn main">
            {back.says}
          </Link>
        </div>
      </section>
    </>
  );
}
