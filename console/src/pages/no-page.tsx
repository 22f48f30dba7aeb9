// The page for every address of the console that has none, a team's or the operator's.
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
      Check the address, or choose a section.
    </NotFound>
  );
}
