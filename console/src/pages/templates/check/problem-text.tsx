// Shows a sentence of the check: code between backticks as code, and an address as a link.
import { Fragment } from "react";

const MARKED = /(`[^`]+`|https:\/\/[^\s),]+)/;

export function ProblemText({ text }: { readonly text: string }) {
  return text.split(MARKED).map((part, index) => (
    // The parts of a sentence have no names, so the index is the key.
    <Fragment key={index}>{shown(part)}</Fragment>
  ));
}

function shown(part: string) {
  if (part.startsWith("`")) return <code>{part.slice(1, -1)}</code>;
  if (!part.startsWith("https://")) return part;
  return (
    <a href={part} target="_blank" rel="noreferrer">
      {part.replace("https://", "").replace(/\/$/, "")}
    </a>
  );
}
