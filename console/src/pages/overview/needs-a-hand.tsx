// The list of what needs a person's hand. Their number is read out when it changes.
import { Link } from "@tanstack/react-router";
import { Panel } from "../../parts/panel.tsx";
import type { Concern } from "./attention.ts";

const SAYS = { bad: "serious", spam: "complaints", wait: "soon", mute: "when there is time" };

interface NeedsAHandProps {
  readonly concerns: readonly Concern[];
  /** Answers that are not there yet. */
  readonly isLooking: boolean;
  /** Answers that failed, so that their concerns are unknown. */
  readonly failed: readonly string[];
}

export function NeedsAHand({ concerns, isLooking, failed }: NeedsAHandProps) {
  const isKnown = !isLooking && failed.length === 0;
  return (
    <Panel title="Needs a hand" note={isKnown && concerns.length > 0 ? concerns.length : undefined}>
      <p className="unseen" role="status">
        {isKnown ? `${concerns.length} need a hand.` : ""}
      </p>
      <ul className="plain">
        {isLooking && <li className="empty">Looking …</li>}
        {isKnown && concerns.length === 0 && <li className="empty">Nothing needs a hand.</li>}
        {concerns.map(({ id, tone, name, says, evidence, to, search, act }) => (
          <li key={id} className="todo">
            <span className={`dot ${tone}`} role="img" aria-label={SAYS[tone]} title={SAYS[tone]} />
            <p>
              {name !== null && (
                <>
                  <code>{name}</code>{" "}
                </>
              )}
              {says}
              <br />
              <small>{evidence}</small>
            </p>
            <Link
              to={to}
              search={search}
              className="btn small"
              aria-label={`${act}: ${name ?? ""} ${says}`}
            >
              {act}
            </Link>
          </li>
        ))}
        {failed.map((name) => (
          <li key={name} className="todo">
            <span className="dot mute" role="img" aria-label="unknown" title="unknown" />
            <p>The {name} could not be read, and are asked for again within a minute.</p>
          </li>
        ))}
      </ul>
    </Panel>
  );
}
