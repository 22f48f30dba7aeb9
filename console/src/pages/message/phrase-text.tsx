// Shows a sentence with its values in monospace.
import type { Part } from "./phrase.ts";

export function PhraseText({ parts }: { readonly parts: readonly Part[] }) {
  return parts.map((part, index) =>
    // The parts of a sentence never change their order.
    // oxlint-disable-next-line react/no-array-index-key
    typeof part === "string" ? part : <code key={index}>{part.code}</code>,
  );
}
