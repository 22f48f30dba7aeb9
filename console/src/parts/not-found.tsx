// The page for a missing object: the requested id, and a link back.
import { Link, type LinkProps } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { PageHead } from "./page-head.tsx";

interface NotFoundProps {
  /** The start of the sentence that `what` completes: "No domain has the ID". */
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

interface NoObjectProps {
  readonly noun: "domain" | "template" | "webhook";
  readonly id: string;
}

/** The page for a missing object of the team. */
export function NoObject({ noun, id }: NoObjectProps) {
  return (
    <NotFound
      says={`No ${noun} has the ID`}
      what={id}
      back={{ to: `/${noun}s`, says: `All ${noun}s` }}
    >
      Check the ID for typos. The {noun} may have been deleted or belong to another team.
    </NotFound>
  );
}
