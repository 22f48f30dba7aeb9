// Says first whether an address is suppressed, or what became of the last message to it, with the
// act that lifts a suppression.
import type { Recipient } from "../../../../packages/postern/src/generated/types.ts";
import { ExplanationPanel } from "../message/explanation-panel.tsx";

export function AddressAnswer({ recipient }: { readonly recipient: Recipient }) {
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
