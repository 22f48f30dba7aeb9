// Shows a page to the session that it belongs to. Signing in happens at the page's own address, so
// one stands on the page that one asked for, and no address says where to go. When the session has
// ended, the page stays behind the form, with what was typed into it.
import { useQuery } from "@tanstack/react-query";
import { Fragment, type ReactNode, useEffect, useRef } from "react";
import { type SessionHolder, type Sessions, sessionQuery } from "../api/console-session.ts";
import { Unanswered } from "../api/failure.ts";
import { Answer } from "../parts/answer.tsx";
import { Loading } from "../parts/loading.tsx";
import { ConnectionBar } from "./connection-bar.tsx";
import { SignInForm } from "./sign-in-form.tsx";

interface SessionGateProps<Kind extends SessionHolder> {
  readonly kind: Kind;
  readonly children: (session: Sessions[Kind]) => ReactNode;
}

export function SessionGate<Kind extends SessionHolder>({
  kind,
  children,
}: SessionGateProps<Kind>) {
  const query = useQuery(sessionQuery(kind));
  const last = query.data?.last ?? null;
  if (query.data === undefined && (!query.error || query.error instanceof Unanswered))
    return <FrameOnTheWay />;
  if (last === null)
    return (
      <Alone>
        <Answer query={query}>{() => <SignIn kind={kind} />}</Answer>
      </Alone>
    );
  return (
    <>
      {/* A session of another team begins with pages of its own. */}
      <Fragment key={last.team?.id}>{children(last)}</Fragment>
      {query.data?.now === null && <EndedSession kind={kind} />}
    </>
  );
}

/** A page without the frame, which only a session has. */
export function Alone({ children }: { readonly children: ReactNode }) {
  return (
    <>
      <ConnectionBar />
      <main className="alone">{children}</main>
    </>
  );
}

/** Stands where the frame with its page will stand. */
function FrameOnTheWay() {
  return (
    <>
      <ConnectionBar />
      <div className="frame">
        <div />
        <main>
          <Loading rows={10} />
        </main>
      </div>
    </>
  );
}

function SignIn({ kind }: { readonly kind: SessionHolder }) {
  useEffect(() => {
    document.title = "Sign in · Postern";
  }, []);
  return <SignInForm kind={kind} />;
}

function EndedSession({ kind }: { readonly kind: SessionHolder }) {
  const dialog = useRef<HTMLDialogElement>(null);
  useEffect(() => dialog.current?.showModal(), []);
  return (
    <dialog
      ref={dialog}
      className="session"
      aria-label="Your session has ended"
      // Only a session closes it: older browsers, which know no `closedby`, open it again. The page
      // behind hears no key.
      closedby="none"
      onClose={() => dialog.current?.showModal()}
      onKeyDown={(event) => event.stopPropagation()}
    >
      <SignInForm kind={kind} hasEnded />
    </dialog>
  );
}
