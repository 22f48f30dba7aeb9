// The page for unknown URLs of the team's and the operator's console.
import { NotFound } from "../parts/not-found.tsx";

export function NoPage() {
  return <NothingHere first="/" />;
}

export function NoOperatorPage() {
  return <NothingHere first="/operator" />;
}

function NothingHere({ first }: { readonly first: "/" | "/operator" }) {
  return (
    <NotFound
      says="There is no page at"
      what={window.location.pathname}
      back={{ to: first, says: "Go to overview" }}
    >
      Check the URL, or choose a section.
    </NotFound>
  );
}
