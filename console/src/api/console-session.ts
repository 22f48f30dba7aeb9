// The signed-in session. It is a cookie that this page can't read.
import { CONSOLE_HEADER } from "./api-client.ts";
import { ApiFailure } from "./failure.ts";

export interface ConsoleSession {
  readonly team: { readonly id: string; readonly name: string };
  readonly api_key: { readonly id: string; readonly permissions: "full" | "send_only" };
  /** ISO 8601. */
  readonly expires_at: string;
}

export type OperatorSession = Pick<ConsoleSession, "expires_at">;

/** The sessions that one browser can have side by side. */
type SessionKind = "team" | "operator";

/** A secret that is exchanged for a session, and not kept. */
export type SignInCredential =
  | { readonly key: string }
  | { readonly link: string }
  | { readonly admin_token: string };

const PATH = "/console/session";
const listeners = new Set<() => void>();

/** Returns the session; null: the browser is signed out. Throws an ApiFailure. */
export async function readSession(): Promise<ConsoleSession | null> {
  return (await readAnySession("team")) as ConsoleSession | null;
}

/** Returns the operator's session, which lives beside the team's in a cookie of its own. */
export async function readOperatorSession(): Promise<OperatorSession | null> {
  return (await readAnySession("operator")) as OperatorSession | null;
}

/** Throws an ApiFailure with the service's words. */
export async function signIn(credential: SignInCredential): Promise<void> {
  const response = await fetch(PATH, {
    method: "POST",
    headers: { ...CONSOLE_HEADER, "Content-Type": "application/json" },
    body: JSON.stringify(credential),
  });
  await bodyOf(response);
}

export async function signOut(as: SessionKind = "team"): Promise<void> {
  const response = await fetch(pathOf(as), { method: "DELETE", headers: CONSOLE_HEADER });
  if (!response.ok && response.status !== 401) await bodyOf(response);
}

/** Calls `listener` when an answer says that the session is over. Returns how to stop. */
export function onSignedOut(listener: () => void): () => void {
  listeners.add(listener);
  return () => void listeners.delete(listener);
}

export function noteSignedOut(): void {
  for (const listener of listeners) listener();
}

function pathOf(as: SessionKind): string {
  return as === "team" ? PATH : `${PATH}?as=${as}`;
}

async function readAnySession(as: SessionKind): Promise<unknown> {
  const response = await fetch(pathOf(as), { headers: CONSOLE_HEADER });
  return response.status === 401 ? null : bodyOf(response);
}

async function bodyOf(response: Response): Promise<unknown> {
  const body: unknown = await response.json().catch(() => null);
  if (!response.ok) throw new ApiFailure(response, body);
  return body;
}
