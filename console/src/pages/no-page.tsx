// The page for every address of the console that has none, a team's or the operator's.
import { Link } from "@tanstack/react-router";
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
      says={
        <>
          No page is at <code>{window.location.pathname}</code>
        </>
      }
      back={
        <Link to={first} className="btn main">
          Go to the overview
        </Link>
      }
    >
      The address may be mistyped or cut off. The sections hold every page of the console.
    </NotFound>
  );
}
