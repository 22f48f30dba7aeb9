// The place of signing in, where links lead and signing out ends. Whatever a session left in this
// page is forgotten here.
import { useNavigate } from "@tanstack/react-router";
import { type ReactNode, useEffect, useState } from "react";
import { forgetSession, type SessionHolder } from "../api/console-session.ts";
import { Alone } from "../shell/session-gate.tsx";
import { SignInForm } from "../shell/sign-in-form.tsx";

interface SignInPageProps {
  readonly kind: SessionHolder;
  /** The page that a session begins with. */
  readonly first: "/" | "/operator";
  readonly children?: ReactNode;
}

export function TeamSignIn() {
  return <SignInPage kind="team" first="/" />;
}

export function SignInPage({ kind, first, children }: SignInPageProps) {
  const navigate = useNavigate();
  const [link] = useState(() => window.location.hash.slice(1));
  useEffect(() => {
    document.title = "Sign in · Postern";
    forgetSession(kind);
    // A link works once, so that it is of no use in the history.
    if (link !== "") window.history.replaceState(null, "", window.location.pathname);
  }, [kind, link]);
  return (
    <Alone>
      <SignInForm
        kind={kind}
        onDone={() => void navigate({ to: first, replace: true })}
        {...(link !== "" && { link })}
      >
        {children}
      </SignInForm>
    </Alone>
  );
}
