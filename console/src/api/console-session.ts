// The only file that knows who is signed in. This page can't read the session's cookie, so the
// console asks the service: at the start, after a 401 (query-client.ts), and when the tab becomes
// visible, because another tab may have changed the session. The cache has the answers for only one
// team at a time.
import { queryOptions, useQuery } from "@tanstack/react-query";
import { callService } from "./api-client.ts";
import { ApiFailure } from "./failure.ts";
import { queryClient, refreshPage, CONSOLE_SESSION_KEY } from "./query-client.ts";

export type MemberRole = "owner" | "developer" | "viewer";

/** A person who is signed in as a member of the team. */
export interface SignedInPerson {
  readonly id: string;
  readonly email: string;
  readonly role: MemberRole;
  readonly may_lift_suppressions: boolean;
  readonly may_read_content: boolean;
}

/** The session of a key, or of a person if `person` is set. */
export interface TeamSession {
  readonly team: { readonly id: string; readonly name: string };
  readonly api_key: { readonly id: string; readonly permissions: "full" | "send_only" } | null;
  readonly person?: SignedInPerson;
  readonly teams?: readonly {
    readonly id: string;
    readonly name: string;
    readonly role: MemberRole;
  }[];
  /** The operations that the key or the person may use (parts/permitted.tsx). */
  readonly operations: readonly string[];
  /** ISO 8601. */
  readonly expires_at: string;
}

interface OperatorSession {
  readonly team: null;
  readonly expires_at: string;
}

/** A browser can have a team's session and an operator's session at the same time. */
export interface ConsoleSessions {
  readonly team: TeamSession;
  readonly operator: OperatorSession;
}

export type ConsoleSessionHolder = keyof ConsoleSessions;

export interface KnownConsoleSession<Kind extends ConsoleSessionHolder> {
  /** The current session. Null: the browser is signed out. */
  readonly now: ConsoleSessions[Kind] | null;
  /**
   * The last session that this page showed, even if the session has ended. Null: the page has not
   * shown a session yet.
   */
  readonly last: ConsoleSessions[Kind] | null;
}

/** A secret that the service exchanges for a session. The console does not store it. */
export type SignInCredential =
  | { readonly key: string }
  | { readonly link: string }
  | { readonly admin_token: string }
  /** Signs in the person who is signed in to Cloudflare Access. */
  | { readonly access: true; readonly invitation?: string };

/** The ways in which people and programs may sign in. */
export interface SignInMethods {
  readonly access: boolean;
  readonly keys: boolean;
}

/** The path that ends the session of Cloudflare Access. Access then asks again who signs in. */
const LEAVE_ACCESS = "/cdn-cgi/access/logout";

const PATH = "/console/session";

export function sessionQuery<Kind extends ConsoleSessionHolder>(kind: Kind) {
  return queryOptions({
    queryKey: keyOf(kind),
    queryFn: async () => adopt(kind, await readSession(kind)),
    staleTime: Number.POSITIVE_INFINITY,
    refetchOnWindowFocus: "always",
  });
}

export const methodsQuery = queryOptions({
  queryKey: [CONSOLE_SESSION_KEY, "methods"],
  queryFn: () => callService<SignInMethods>({ method: "GET", path: `${PATH}/methods` }),
  staleTime: Number.POSITIVE_INFINITY,
});

/** The team's session that this page shows. */
export function useTeamSession(): TeamSession | null {
  return useQuery(sessionQuery("team")).data?.last ?? null;
}

/** Switches to another team of the person. */
export async function switchTeam(id: string): Promise<void> {
  await callService({ method: "PATCH", path: PATH, body: { team_id: id } });
  window.location.assign("/console");
}

export function leaveAccess(): void {
  window.location.assign(LEAVE_ACCESS);
}

/** Returns the id of the team whose answers are cached. */
export function cachedTeam(): string | undefined {
  return queryClient.getQueryData(sessionQuery("team").queryKey)?.last?.team.id;
}

/** Signs in. Throws an ApiFailure with the service's message. */
export async function signIn(
  kind: ConsoleSessionHolder,
  credential: SignInCredential,
): Promise<void> {
  const call = { method: "POST", path: PATH, body: credential };
  const session = await callService<ConsoleSessions[typeof kind]>(call);
  // Cancels earlier requests for the session. Their responses would say that the person is not
  // signed in.
  await queryClient.cancelQueries({ queryKey: keyOf(kind) });
  queryClient.setQueryData(keyOf(kind), adopt(kind, session));
  void refreshPage();
}

/**
 * Ends the session. A person also leaves Access, because otherwise Access would sign them in again.
 */
export async function signOut(kind: ConsoleSessionHolder): Promise<void> {
  const isPerson =
    kind === "team" && queryClient.getQueryData(sessionQuery("team").queryKey)?.now?.person;
  await callService({ method: "DELETE", path: PATH, query: { as: kind } });
  if (isPerson) leaveAccess();
}

/** Forgets a session and all cached answers. */
export function forgetSession(kind: ConsoleSessionHolder): void {
  queryClient.removeQueries({ queryKey: keyOf(kind) });
  forgetAnswers();
}

function keyOf(kind: ConsoleSessionHolder) {
  return [CONSOLE_SESSION_KEY, kind] as const;
}

/**
 * Records the browser's current session. When the team changes, the cached answers for the previous
 * team are dropped.
 */
function adopt<Kind extends ConsoleSessionHolder>(
  kind: Kind,
  now: ConsoleSessions[Kind] | null,
): KnownConsoleSession<Kind> {
  const last = queryClient.getQueryData<KnownConsoleSession<Kind>>(keyOf(kind))?.last ?? null;
  if (now !== null && now.team?.id !== last?.team?.id) forgetAnswers();
  return { now, last: now ?? last };
}

function forgetAnswers(): void {
  queryClient.removeQueries({
    predicate: ({ queryKey: [first] }) => first !== CONSOLE_SESSION_KEY,
  });
}

async function readSession<Kind extends ConsoleSessionHolder>(
  kind: Kind,
): Promise<ConsoleSessions[Kind] | null> {
  try {
    return await callService<ConsoleSessions[Kind]>({
      method: "GET",
      path: PATH,
      query: { as: kind },
    });
  } catch (error) {
    if (error instanceof ApiFailure && error.status === 401) return null;
    throw error;
  }
}
