// The frame of the operator's pages.
import { Link, Outlet } from "@tanstack/react-router";
import { signOut } from "../../api/console-session.ts";
import { Frame } from "../../shell/frame.tsx";
import { OPERATOR_SECTIONS } from "./operator-sections.ts";

export function OperatorShell() {
  return (
    <Frame
      brand={
        <>
          Postern <small>operator</small>
        </>
      }
      sections={OPERATOR_SECTIONS}
      signIn="/operator/sign-in"
      signOut={leave}
      onSearch={focusSearch}
      who={
        <>
          The operator, with the admin token
          <br />
          <Link to="/">A team’s console</Link>
        </>
      }
    >
      <Outlet />
    </Frame>
  );
}

function leave(): Promise<void> {
  return signOut("operator");
}

/** Moves the focus to the page's own search, if it has one. */
function focusSearch(): void {
  document.querySelector<HTMLInputElement>("main input[type=search]")?.focus();
}
