// The frame of the operator's pages.
import { Link, Outlet } from "@tanstack/react-router";
import { Frame } from "../../shell/frame.tsx";
import { SessionGate } from "../../shell/session-gate.tsx";
import { OPERATOR_SECTIONS } from "./operator-sections.ts";

export function OperatorShell() {
  return <SessionGate kind="operator">{() => <OperatorFrame />}</SessionGate>;
}

function OperatorFrame() {
  return (
    <Frame
      brand={
        <>
          Postern <small>operator</small>
        </>
      }
      sections={OPERATOR_SECTIONS}
      kind="operator"
      signIn="/operator/sign-in"
      onSearch={focusSearch}
      who={
        <>
          Operator
          <br />
          <Link to="/">Team console</Link>
        </>
      }
    >
      <Outlet />
    </Frame>
  );
}

/** Moves the focus to the page's search field. Does nothing if the page has none. */
function focusSearch(): void {
  document.querySelector<HTMLInputElement>("main input[type=search]")?.focus();
}
