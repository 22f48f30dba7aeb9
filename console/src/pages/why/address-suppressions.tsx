// Says first whether an address is suppressed: why, since when and until when, with the act that
// lifts it.
import { useState } from "react";
import type { Suppression } from "../../../../packages/postern/src/generated/types.ts";
import { Pill } from "../../parts/pill.tsx";
import { LiftSuppression } from "../message/lift-suppression.tsx";
import { PhraseText } from "../message/phrase-text.tsx";
import { suppressedBecause, suppressedUntil } from "../message/suppression-words.ts";

interface AddressSuppressionsProps {
  readonly address: string;
  readonly suppressions: readonly Suppression[];
}

export function AddressSuppressions({ address, suppressions }: AddressSuppressionsProps) {
  const [isLifted, setLifted] = useState(false);
  return (
    <div aria-live="polite">
      {suppressions.length === 0 && (
        <section className="panel verdict ok" aria-label="Suppression">
          <Pill tone="ok">Not suppressed</Pill>
          <p>
            <strong>
              {isLifted ? "The suppression is lifted." : "The address is not suppressed."}
            </strong>{" "}
            The next message to <code>{address}</code> is tried.
          </p>
        </section>
      )}
      {suppressions.map((one) => (
        <section key={one.id} className="panel verdict mute" aria-label="Suppression">
          <Pill tone="mute">Suppressed</Pill>
          <p>
            <strong>
              <PhraseText parts={suppressedUntil(one)} />
            </strong>{" "}
            <PhraseText parts={suppressedBecause(one)} />
            {one.note !== null && <> Note: “{one.note}”.</>} Mail to it is answered by{" "}
            <code>email.suppressed</code> and not sent.
          </p>
          <span className="acts">
            <LiftSuppression suppression={one} onLifted={() => setLifted(true)} />
          </span>
        </section>
      ))}
    </div>
  );
}
