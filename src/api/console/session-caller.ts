// Finds who makes a request of the console, by the session in its cookie (contract.md §Console
// sessions): a key, a person (person-session.ts) or the operator. The session's key is looked up
// like a presented key, so a deleted or changed key takes effect within a minute. An invalid cookie
// does not count as a failed authentication: its MAC cannot be guessed, and expired cookies are
// common.
import type { Caller } from "../../endpoint.ts";
import { credentialOfKey } from "../../resources/api-keys/credentials.ts";
import { settingsOf } from "../../settings.ts";
import { callerAt, type Presentation } from "../judge-credential.ts";
import { type BrowserRequest, isOfConsole } from "./own-origin.ts";
import { cookieName, readCookie, type SessionKind } from "./session-cookie.ts";
import { callerOfPerson } from "./person-session.ts";
import {
  openKey,
  openMember,
  openOperator,
  type SealedKey,
  type SealedMember,
} from "./session-seal.ts";

/** A team's session, which belongs to a key or to a person. */
export type SealedSession = SealedKey | SealedMember;

/** Returns the team's session that a request of the console has in its cookie. */
export async function sessionIn(request: BrowserRequest): Promise<SealedSession | undefined> {
  return isOfConsole(request) ? sessionOfCookie(request) : undefined;
}

/**
 * Reads the operator's session from a request of the console. Returns the end of the session, in
 * Unix milliseconds.
 */
export async function operatorSessionEnd(request: BrowserRequest): Promise<number | undefined> {
  const sealed = isOfConsole(request) ? cookieOf("operator", request) : undefined;
  return sealed === undefined
    ? undefined
    : openOperator(settingsOf(request.env), sealed, request.now);
}

/**
 * Returns the caller of the request's session. Throws if the key may not be used from the client's
 * address.
 */
export async function callerOfSession(
  from: Presentation,
  request: BrowserRequest,
): Promise<Caller | undefined> {
  const session = await sessionIn(request);
  return session && callerOfSealed(from, session);
}

/**
 * Returns the caller of the session in a posted form. A form cannot send the console's header, so
 * only its origin shows that a page of the console posted it.
 */
export async function callerOfForm(
  from: Presentation,
  request: BrowserRequest,
): Promise<Caller | undefined> {
  const session = await sessionOfCookie(request);
  return session && callerOfSealed(from, session);
}

/**
 * Returns the caller of a session, or undefined if the session's key was deleted. Throws
 * `not_a_member` if the session's person was removed.
 */
export async function callerOfSealed(
  from: Presentation,
  sealed: SealedSession,
): Promise<Caller | undefined> {
  if ("memberId" in sealed) return callerOfPerson(from.env, sealed, from.now);
  const credential = await credentialOfKey(from.env, sealed, from.now, from.defer);
  return credential && { ...callerAt(credential, from), session: sealed.id };
}

async function sessionOfCookie(request: BrowserRequest): Promise<SealedSession | undefined> {
  const sealed = cookieOf("team", request);
  if (sealed === undefined) return undefined;
  const settings = settingsOf(request.env);
  return (
    (await openKey(settings, "console session", sealed, request.now)) ??
    (await openMember(settings, sealed, request.now))
  );
}

function cookieOf(kind: SessionKind, request: BrowserRequest): string | undefined {
  const name = cookieName(kind, request);
  return name === null ? undefined : readCookie(request.headers, name);
}
