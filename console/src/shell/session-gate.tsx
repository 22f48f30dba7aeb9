// Shows a page only with a session. Without a session, the sign-in form appears at the page's own
// URL, so that the requested page follows without a redirect. When a session ends, the page and
// its typed text stay behind the form.
import { useQuery } from "@tanstack/react-query";
import { Fragment, type ReactNode, useEffect, useRef } from "react";
import {
  type ConsoleSessionHolder,
  type ConsoleSessions,
  leaveAccess,
  sessionQuery,
} from "../api/console-session.ts";
import { ApiFailure, NoResponse } from "../api/failure.ts";
import { Button } from "../parts/button.tsx";
import { QueryResult } from "../parts/query-result.tsx";
import { Loading } from "../parts/loading.tsx";
import { ConnectionBar } from "./connection-bar.tsx";
import { SignInForm } from "./sign-in-form.tsx";

interface SessionGateProps<Kind extends ConsoleSessionHolder> {
  readonly kind: Kind;
  readonly children: (session: ConsoleSessions[Kind]) => ReactNode;
}

export function SessionGate<Kind extends ConsoleSessionHolder>({
  kind,
  children,
}: SessionGateProps<Kind>) {
  const query = useQuery(sessionQuery(kind));
  const last = query.data?.last ?? null;
  if (query.data === undefined && (!query.error || query.error instanceof NoResponse))
    return <FrameOnTheWay />;
  if (last === null)
    return (
      <Alone>
        <QueryResult query={query}>{() => <SignIn kind={kind} />}</QueryResult>
        {isRemoved(query.error) && <Button onClick={leaveAccess}>Sign in again</Button>}
      </Alone>
    );
  return (
    <>
      {/* The key resets the pages when the session is of another team. */}
      <Fragment key={last.team?.id}>{children(last)}</Fragment>
      {query.data?.now === null && <EndedSession kind={kind} />}
    </>
  );
}

/** A removed member may be a member of other teams. A new sign-in opens one of them. */
function isRemoved(error: Error | null): boolean {
  return error instanceof ApiFailure && error.status === 403;
}

/** Shows a page without the frame, because the frame needs a session. */
export function Alone({ children }: { readonly children: ReactNode }) {
  return (
    <>
      <ConnectionBar />
      <main className="alone">{children}</main>
    </>
  );
}

/** A placeholder for the frame and its page. */
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

function SignIn({ kind }: { readonly kind: ConsoleSessionHolder }) {
  useEffect(() => {
    document.title = "Sign in · Postern";
  }, []);
  return <SignInForm kind={kind} />;
}

function EndedSession({ kind }: { readonly kind: ConsoleSessionHolder }) {
  const dialog = useRef<HTMLDialogElement>(null);
  useEffect(() => dialog.current?.showModal(), []);
  return (
    <dialog
      ref={dialog}
      className="session"
      aria-label="Your session has ended"
      // Only a new session may close the dialog. A browser without `closedby` closes it on Esc, so
      // it is opened again. Keys must not reach the page behind the dialog.
      closedby="none"
      onClose={() => dialog.current?.showModal()}
      onKeyDown={(event) => event.stopPropagation()}
    >
      <SignInForm kind={kind} hasEnded />
    </dialog>
  );
}
