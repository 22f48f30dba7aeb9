// The sign-in page. A sign-in link opens this page, and so does signing out. The page drops all
// cached data of the previous session.
import { useNavigate } from "@tanstack/react-router";
import { type ReactNode, useEffect, useState } from "react";
import { forgetSession, type ConsoleSessionHolder } from "../api/console-session.ts";
import { Alone } from "../shell/session-gate.tsx";
import { SignInForm } from "../shell/sign-in-form.tsx";

interface SignInPageProps {
  readonly kind: ConsoleSessionHolder;
  /** The page that opens after sign-in. */
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
    // A sign-in link works only once, so it is removed from the browser's history.
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
