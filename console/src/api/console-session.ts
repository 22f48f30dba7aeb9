// The one place that knows who is signed in. The session is a cookie that this page can't read, so
// the service is asked: at first, after a 401 (query-client.ts), and when the tab is seen again,
// since another tab may have changed it. Answers of the service are kept for one team at a time.
import { queryOptions } from "@tanstack/react-query";
import { callService } from "./api-client.ts";
import { ApiFailure } from "./failure.ts";
import { queryClient, refreshPage, SESSION } from "./query-client.ts";

export interface TeamSession {
  readonly team: { readonly id: string; readonly name: string };
  readonly api_key: { readonly id: string; readonly permissions: "full" | "send_only" };
  /** ISO 8601. */
  readonly expires_at: string;
}

interface OperatorSession {
  readonly team: null;
  readonly expires_at: string;
}

/** The sessions that one browser can have side by side. */
export interface Sessions {
  readonly team: TeamSession;
  readonly operator: OperatorSession;
}

export type SessionHolder = keyof Sessions;

export interface KnownSession<Kind extends SessionHolder> {
  /** The session; null: the browser is signed out. */
  readonly now: Sessions[Kind] | null;
  /** The session that this page was shown with last, which may have ended; null: none. */
  readonly last: Sessions[Kind] | null;
}

/** A secret that is exchanged for a session, and not kept. */
export type SignInCredential =
  | { readonly key: string }
  | { readonly link: string }
  | { readonly admin_token: string };

const PATH = "/console/session";

export function sessionQuery<Kind extends SessionHolder>(kind: Kind) {
  return queryOptions({
    queryKey: keyOf(kind),
    queryFn: async () => adopt(kind, await readSession(kind)),
    staleTime: Number.POSITIVE_INFINITY,
    refetchOnWindowFocus: "always",
  });
}

/** Returns the id of the team whose answers are kept. */
export function keptTeam(): string | undefined {
  return queryClient.getQueryData(sessionQuery("team").queryKey)?.last?.team.id;
}

/** Throws an ApiFailure with the service's words. */
export async function signIn(kind: SessionHolder, credential: SignInCredential): Promise<void> {
  const call = { method: "POST", path: PATH, body: credential };
  const session = await callService<Sessions[typeof kind]>(call);
  // A look from before the sign-in would say that there is no session.
  await queryClient.cancelQueries({ queryKey: keyOf(kind) });
  queryClient.setQueryData(keyOf(kind), adopt(kind, session));
  void refreshPage();
}

export function signOut(kind: SessionHolder): Promise<void> {
  return callService({ method: "DELETE", path: PATH, query: { as: kind } });
}

/** Forgets a session, and every answer that came with it. */
export function forgetSession(kind: SessionHolder): void {
  queryClient.removeQueries({ queryKey: keyOf(kind) });
  forgetAnswers();
}

function keyOf(kind: SessionHolder) {
  return [SESSION, kind] as const;
}

/** Takes note of the session that the browser has now. Another team finds no answer of the last. */
function adopt<Kind extends SessionHolder>(
  kind: Kind,
  now: Sessions[Kind] | null,
): KnownSession<Kind> {
  const last = queryClient.getQueryData<KnownSession<Kind>>(keyOf(kind))?.last ?? null;
  if (now !== null && now.team?.id !== last?.team?.id) forgetAnswers();
  return { now, last: now ?? last };
}

function forgetAnswers(): void {
  queryClient.removeQueries({ predicate: ({ queryKey: [first] }) => first !== SESSION });
}

async function readSession<Kind extends SessionHolder>(kind: Kind): Promise<Sessions[Kind] | null> {
  try {
    return await callService<Sessions[Kind]>({ method: "GET", path: PATH, query: { as: kind } });
  } catch (error) {
    if (error instanceof ApiFailure && error.status === 401) return null;
    throw error;
  }
}
