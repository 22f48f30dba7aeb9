// The page for a missing object: the requested id, and a link back.
import { Link, type LinkProps } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { PageHead } from "./page-head.tsx";

interface NotFoundProps {
  /** The start of the sentence that `what` completes: "There is no domain". */
  readonly says: string;
  readonly what: string;
  /** The possible reasons. */
  readonly children: ReactNode;
  /** The nearest existing page, and the text of the link to it. */
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
