// Shows whether an address is suppressed, or the outcome of the last message to it, with a button
// to lift a suppression.
import type { Recipient } from "../../../../packages/postern/src/generated/types.ts";
import { ExplanationPanel } from "../message/explanation-panel.tsx";

export function AddressExplanation({ recipient }: { readonly recipient: Recipient }) {
  const { explanation, suppressions } = recipient;
  if (suppressions.length === 0)
    return (
      <ExplanationPanel
        label="Suppression"
        explanation={explanation}
        suppressions={[]}
        said={explanation.evidence?.reply ?? null}
      />
    );
  return suppressions.map((one) => (
    <ExplanationPanel
      key={one.id}
      label="Suppression"
      explanation={one.explanation}
      suppressions={[one]}
      said={one.explanation.evidence?.reply ?? null}
      {...(one.note !== null && { note: `Note: “${one.note}”.` })}
    />
  ));
}
