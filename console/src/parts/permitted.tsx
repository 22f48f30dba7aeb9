// Decides which actions the console shows. An action appears only if the session may use its
// operation. The service lists the operations of the session (GET /console/session), so the console
// has no list of roles.
import type { ReactNode } from "react";
import { type TeamSession, useTeamSession } from "../api/console-session.ts";

/** An operation as the service names it: `DELETE /v1/domains/{id}`. */
type Operation = `${"GET" | "POST" | "PATCH" | "DELETE"} /${string}`;

export function may({ operations }: TeamSession, operation: Operation): boolean {
  return operations.includes(operation);
}

export function useMay(operation: Operation): boolean {
  const session = useTeamSession();
  return session !== null && may(session, operation);
}

interface PermittedProps {
  readonly operation: Operation;
  /**
   * The action that the session may not use, such as `add domains`. A sentence names it in place of
   * the action.
   */
  readonly act?: string;
  readonly children: ReactNode;
}

export function Permitted({ operation, act, children }: PermittedProps) {
  if (useMay(operation)) return children;
  return act === undefined ? null : <NotPermitted act={act} />;
}

/** Says in place of an action that the session may not use it. */
export function NotPermitted({ act }: { readonly act: string }) {
  const person = useTeamSession()?.person;
  return (
    <small>
      {person ? `Your role (${person.role})` : "This key"} may not {act}.
    </small>
  );
}
