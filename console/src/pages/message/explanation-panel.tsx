// The service's explanation of a recipient's status: the sentence, its consequence, and the
// possible actions.
import { type ReactNode, useState } from "react";
import type { Explanation, Suppression } from "../../../../packages/postern/src/generated/types.ts";
import { Button } from "../../parts/button.tsx";
import { Status } from "../../parts/pill.tsx";
import { useZone } from "../../parts/time/time-zone.ts";
import { formatWithin } from "../../parts/time/times.ts";
import { toneOf } from "../../parts/tone.ts";
import { typeset } from "../../parts/typography.ts";
import { ActionList } from "./action-list.tsx";
import { LiftSuppression } from "./lift-suppression.tsx";

interface ExplanationPanelProps {
  readonly label: string;
  readonly explanation: Explanation;
  /** The suppressions that the person can lift here. */
  readonly suppressions: readonly Suppression[];
  /** A text to show above the explanation. */
  readonly note?: string;
  /** The reply of the mail server. Absent if another part of the page shows it. */
  readonly said?: string | null;
  /** Controls to show after the buttons that lift suppressions. */
  readonly acts?: ReactNode;
  /** False: the panel does not show the state, because the page already shows it. */
  readonly hasState?: boolean;
}

export function ExplanationPanel(props: ExplanationPanelProps) {
  const { label, explanation, suppressions, note, said, acts, hasState = true } = props;
  const { state, summary, next, actions } = explanation;
  const zone = useZone();
  return (
    <section className={`panel verdict ${toneOf(state)}`} aria-label={label}>
      {hasState && <Status of={state} />}
      <div>
        <p aria-live="polite">{note}</p>
        <p>
          <strong>{typeset(formatWithin(summary, zone))}</strong>{" "}
          {typeset(formatWithin(next, zone))}
        </p>
        {said && <div className="said">{said}</div>}
        <ActionList actions={actions} suppressions={suppressions} />
      </div>
      <span className="acts">
        {suppressions.map((one) => (
          <LiftSuppression key={one.id} suppression={one} isMain />
        ))}
        {acts}
      </span>
    </section>
  );
}

export function CopyText({ text }: { readonly text: string }) {
  const [isCopied, setCopied] = useState(false);
  const copy = (): void => {
    void navigator.clipboard.writeText(text).then(() => setCopied(true));
  };
  return <Button onClick={copy}>{isCopied ? "Copied" : "Copy as text"}</Button>;
}
