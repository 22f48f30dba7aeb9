// A list of facts about an object.
import { Fragment, type ReactNode } from "react";

interface FactsProps {
  /** The facts by their names. A fact that is null, undefined or false is left out. */
  readonly facts: Readonly<Record<string, ReactNode>>;
  readonly className?: string;
}

export function Facts({ facts, className }: FactsProps) {
  return (
    <dl className={className}>
      {shownOf(facts).map(([name, fact]) => (
        <Fragment key={name}>
          <dt>{name}</dt>
          <dd>{fact}</dd>
        </Fragment>
      ))}
    </dl>
  );
}

/** The facts in lines, or side by side in a wide place (styles/evidence.css). */
export function FactLines({ facts }: Pick<FactsProps, "facts">) {
  return (
    <dl className="facts">
      {shownOf(facts).map(([name, fact]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{fact}</dd>
        </div>
      ))}
    </dl>
  );
}

function shownOf(facts: FactsProps["facts"]) {
  return Object.entries(facts).filter(([, fact]) => fact != null && fact !== false);
}
