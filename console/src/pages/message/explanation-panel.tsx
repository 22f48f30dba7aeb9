// The service's explanation first: the sentence, what follows, and what can be done about it.
import { type ReactNode, useState } from "react";
import type { Explanation, Suppression } from "../../../../packages/postern/src/generated/types.ts";
import { Status } from "../../parts/pill.tsx";
import { useZone } from "../../parts/time/time-zone.ts";
import { formatWithin } from "../../parts/time/times.ts";
import { toneOf } from "../../parts/tone.ts";
import { typeset } from "../../parts/typography.ts";
import { LiftSuppression } from "./lift-suppression.tsx";

interface ExplanationPanelProps {
  readonly label: string;
  readonly explanation: Explanation;
  /** The suppressions that can be lifted here. */
  readonly suppressions: readonly Suppression[];
  /** Stands before the explanation. */
  readonly note?: string;
  /** The server's words; left out where they stand below. */
  readonly said?: string | null;
  /** Stands before the other acts. */
  readonly acts?: ReactNode;
}

export function ExplanationPanel(props: ExplanationPanelProps) {
  const { label, explanation, suppressions, note, said, acts } = props;
  const { state, summary, next, actions } = explanation;
  const zone = useZone();
  return (
    <section className={`panel verdict ${toneOf(state)}`} aria-label={label}>
      <Status of={state} />
      <div>
        <p aria-live="polite">{note}</p>
        <p>
          <strong>{typeset(formatWithin(summary, zone))}</strong>{" "}
          {typeset(formatWithin(next, zone))}
        </p>
        {said && <div className="said">{said}</div>}
        {actions.length > 0 && (
          <ul>
            {actions.map(({ text }) => (
              <li key={text}>{typeset(text)}</li>
            ))}
          </ul>
        )}
      </div>
      <span className="acts">
        {acts}
        {suppressions.map((one) => (
          <LiftSuppression key={one.id} suppression={one} isMain />
        ))}
      </span>
    </section>
  );
}

/** A button that copies a text. */
export function CopyText({ text }: { readonly text: string }) {
  const [isCopied, setCopied] = useState(false);
  const copy = (): void => {
    void navigator.clipboard.writeText(text).then(() => setCopied(true));
  };
  return (
    <button type="button" className="btn" onClick={copy}>
      {isCopied ? "Copied" : "Copy as text"}
    </button>
  );
}
