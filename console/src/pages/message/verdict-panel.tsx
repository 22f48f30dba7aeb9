// The verdict first: the sentence, and what can be done about it beside it.
import { type ReactNode, useState } from "react";
import type { Suppression } from "../../../../packages/postern/src/generated/types.ts";
import { Status } from "../../parts/pill.tsx";
import { toneOf } from "../../parts/tone.ts";
import { LiftSuppression } from "./lift-suppression.tsx";
import { PhraseText } from "./phrase-text.tsx";
import type { MessageVerdict } from "./verdict-sentence.ts";

interface VerdictPanelProps {
  readonly verdict: MessageVerdict;
  /** The suppressions that can be lifted here. */
  readonly suppressions: readonly Suppression[];
  /** The whole answer as plain text. */
  readonly text: string;
  /** Stands before the other acts. */
  readonly acts: ReactNode;
}

export function VerdictPanel({ verdict, suppressions, text, acts }: VerdictPanelProps) {
  const [note, setNote] = useState("");
  const copy = (): void => {
    void navigator.clipboard.writeText(text).then(() => setNote("Copied."));
  };
  return (
    <section className={`panel verdict ${toneOf(verdict.status)}`} aria-label="What became of it">
      <Status of={verdict.status} />
      <div>
        <p>
          <strong>{verdict.headline}</strong> <PhraseText parts={verdict.rest} />
        </p>
        {/* The waits in the sentence change all the time: only what is new is read out. */}
        <small aria-live="polite">
          <span className="unseen">{verdict.headline}</span> {note}
        </small>
      </div>
      <span className="acts">
        {acts}
        <button type="button" className="btn" onClick={copy}>
          Copy as text
        </button>
        {suppressions.map((one) => (
          <LiftSuppression
            key={one.id}
            suppression={one}
            onLifted={() => setNote("The suppression is lifted.")}
          />
        ))}
      </span>
    </section>
  );
}
