// The head of a page: its name, a choice of views, and its main action.
import { type ReactNode, useEffect } from "react";

interface PageHeadProps {
  readonly title: string;
  readonly children?: ReactNode;
}

export function PageHead({ title, children }: PageHeadProps) {
  useEffect(() => {
    document.title = `${title} · Postern`;
  }, [title]);
  return (
    <header>
      <h1>{title}</h1>
      {children}
    </header>
  );
}
