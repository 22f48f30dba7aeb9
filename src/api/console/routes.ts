// Serves /console/session, where the console's pages sign in and out (contract.md §Console
// sessions), and POST /admin/console-links, which lets the operator open the console as a team.
import type * as z from "zod";
import { coreFor } from "../../db/client.ts";
import {
  type ApiRequest,
  type Caller,
  type Endpoint,
  endpoint,
  type HttpReply,
  json,
} from "../../endpoint.ts";
import { parseAddress } from "../../lib/cidr.ts";
import { logWarning } from "../../lib/log.ts";
import { CONSOLE_LINK_MS, CONSOLE_SESSION_MS } from "../../limits.ts";
import { refuse } from "../../refusal.ts";
import { findFirstFullKey } from "../../resources/api-keys/store.ts";
import { hasMembers, listTeamsOfMember } from "../../resources/members/store.ts";
import { getTeam } from "../../resources/team-settings/store.ts";
import { judgeAdminToken, judgeKey, type Presentation } from "../judge-credential.ts";
import { callerOfPerson, sessionUntil, signInPerson } from "./person-session.ts";
import { callerOfSealed, operatorSessionEnd, sessionIn } from "./session-caller.ts";
import { clearCookie, cookieName, type SessionKind, setCookie } from "./session-cookie.ts";
import { openKey, type SealedMember, sealKey, sealMember, sealOperator } from "./session-seal.ts";
import {
  ConsoleLink,
  ConsoleLinkRequest,
  ConsoleSession,
  ConsoleSignIn,
  SessionChoice,
  SignInMethods,
  SwitchTeam,
  toOperatorSession,
  toTeamSession,
} from "./wire.ts";
import { objectOf } from "../../object-of.ts";

export const consoleEndpoints: readonly Endpoint[] = [
  endpoint({
    method: "POST",
    path: "/console/session",
    summary: "Sign in to the console",
    description:
      "Exchanges a credential for a session of 12 hours, in a cookie that scripts can't " +
      "read. A person's session ends with the assertion of Cloudflare Access that opened it. " +
      "Pages of this origin that send `X-Postern-Console: 1` use the cookie in place of a key " +
      "for `/v1`, and the operator's cookie in place of the token for `/admin`. Deleting the " +
      "key ends its sessions within a minute. Programs send keys instead.",
    operationId: "signIn",
    permission: "console",
    body: ConsoleSignIn,
    responses: { 200: ConsoleSession },
    async handle(request) {
      const { key, link, admin_token: token, access, invitation, team_id: teamId } = request.body;
      if (token !== undefined) return signInOperator(request, token);
      const from = presentationOf(request);
      const name = requireCookieName("team", request);
      if (access) return showMember(request, await signInPerson(request, { invitation, teamId }));
      if (!(await keysSignIn(request))) throw refuse("keys_do_not_sign_in");
      const caller =
        key === undefined ? await callerOfLink(request, link ?? "") : await judgeKey(from, key);
      return startSession(request, name, caller);
    },
  }),
  endpoint({
    method: "GET",
    path: "/console/session",
    summary: "Who is signed in to the console",
    description: "Answers 401 if there is no valid session.",
    operationId: "getConsoleSession",
    permission: "console",
    query: SessionChoice,
    responses: { 200: ConsoleSession },
    async handle(request) {
      const session =
        request.query.as === "team" ? await teamSession(request) : await operatorSession(request);
      if (!session) throw noSession();
      return json(200, session);
    },
  }),
  endpoint({
    method: "PATCH",
    path: "/console/session",
    summary: "Switch the team of a person's session",
    operationId: "switchTeam",
    permission: "console",
    body: SwitchTeam,
    responses: { 200: ConsoleSession },
    async handle(request) {
      const session = await sessionIn(request);
      if (!session || !("memberId" in session)) throw noSession();
      const teams = await listTeamsOfMember(request.env, session);
      const chosen = teams.find(({ teamId }) => teamId === request.body.team_id);
      if (!chosen) throw refuse("not_found");
      return showMember(request, sessionUntil(chosen, session.expiresAt));
    },
  }),
  endpoint({
    method: "GET",
    path: "/console/session/methods",
    summary: "How to sign in to the console",
    operationId: "getSignInMethods",
    permission: "console",
    responses: { 200: SignInMethods },
    async handle(request) {
      const methods = {
        access: request.settings.access !== null,
        keys: await keysSignIn(request),
      };
      return json(200, methods satisfies z.output<typeof SignInMethods>);
    },
  }),
  endpoint({
    method: "DELETE",
    path: "/console/session",
    summary: "Sign out of the console",
    description: "The browser forgets the session. The answer is the same if there was no session.",
    operationId: "signOut",
    permission: "console",
    query: SessionChoice,
    responses: { 204: null },
    handle(request) {
      const name = requireCookieName(request.query.as, request);
      return Promise.resolve({ status: 204, headers: clearCookie(name) });
    },
  }),
  endpoint({
    method: "POST",
    path: "/admin/console-links",
    summary: "Make a link that signs in to the console",
    description:
      "The link works once, for 10 minutes, and signs in with the team's oldest key that has " +
      "`full` permissions. A log line names the team and the time.",
    permission: "operator",
    body: ConsoleLinkRequest,
    responses: { 201: ConsoleLink },
    handle: makeLink,
  }),
];

type ConsoleRequest = Pick<
  ApiRequest,
  "env" | "settings" | "headers" | "url" | "now" | "defer" | "operationsOf"
>;

async function startSession(
  request: ConsoleRequest,
  cookie: string,
  caller: Caller,
): Promise<HttpReply> {
  const { settings, now } = request;
  const expiresAt = now + CONSOLE_SESSION_MS;
  const sealed = await sealKey(settings, "console session", {
    id: crypto.randomUUID(),
    teamId: caller.team.id,
    keyId: caller.key?.id ?? "",
    expiresAt,
  });
  const shown = await describeSession(request, caller, expiresAt);
  return json(200, shown, setCookie(cookie, sealed));
}

async function signInOperator(request: ConsoleRequest, token: string): Promise<HttpReply> {
  const cookie = requireCookieName("operator", request);
  await judgeAdminToken(presentationOf(request), token);
  const expiresAt = request.now + CONSOLE_SESSION_MS;
  const sealed = await sealOperator(request.settings, expiresAt);
  return json(200, toOperatorSession(expiresAt), setCookie(cookie, sealed));
}

/**
 * Returns the caller of a sign-in link. All other checks run before the link is used up, so that a
 * refusal leaves the link valid.
 */
async function callerOfLink(request: ConsoleRequest, text: string): Promise<Caller> {
  const { env, settings, now } = request;
  const link = await openKey(settings, "console link", text, now);
  const caller = link && (await callerOfSealed(presentationOf(request), link));
  const isFirst =
    caller &&
    (await objectOf(env, "REQUEST_LOG", link.teamId).useLink(link.id, link.expiresAt, now));
  if (!isFirst) throw refuse("unauthenticated", { reason: "unknown", wanted: "console_link" });
  return caller;
}

async function teamSession(request: ConsoleRequest) {
  const session = await sessionIn(request);
  const caller = session && (await callerOfSealed(presentationOf(request), session));
  return caller && describeSession(request, caller, session.expiresAt);
}

async function describeSession(request: ConsoleRequest, caller: Caller, expiresAt: number) {
  const { env, operationsOf } = request;
  const { person, team } = caller;
  const teams = person
    ? await listTeamsOfMember(env, { teamId: team.id, memberId: person.id })
    : [];
  return toTeamSession(caller, expiresAt, { teams, operations: operationsOf(caller) });
}

async function showMember(request: ConsoleRequest, session: SealedMember): Promise<HttpReply> {
  const { env, settings, now } = request;
  const name = requireCookieName("team", request);
  const caller = await callerOfPerson(env, session, now);
  const sealed = await sealMember(settings, session);
  const shown = await describeSession(request, caller, session.expiresAt);
  return json(200, shown, setCookie(name, sealed, session.expiresAt - now));
}

/**
 * Tells whether API keys may sign in. They may until a first person has signed in, so that a wrong
 * setting of Access locks out no operator.
 */
async function keysSignIn({ env, settings }: ConsoleRequest): Promise<boolean> {
  return settings.keysSignIn || settings.access === null || !(await hasMembers(env));
}

function noSession() {
  return refuse("unauthenticated", { reason: "missing", wanted: "console_session" });
}

async function operatorSession(request: ConsoleRequest) {
  const end = await operatorSessionEnd(request);
  return end === undefined ? undefined : toOperatorSession(end);
}

/** Makes a link and logs it. Only the log shows that the operator acts in the team's session. */
async function makeLink(request: ApiRequest<{ readonly team_id: string }>): Promise<HttpReply> {
  const { env, settings, url, now } = request;
  const { team_id: teamId } = request.body;
  await getTeam(env, teamId);
  const keyId = await findFirstFullKey(coreFor(env, teamId));
  if (keyId === undefined)
    throw refuse("invalid", { errors: { team_id: ["has no key with `full` permissions"] } });
  const expiresAt = now + CONSOLE_LINK_MS;
  const link = { id: crypto.randomUUID(), teamId, keyId, expiresAt };
  const token = await sealKey(settings, "console link", link);
  logWarning("console_link_made", {
    team_id: teamId,
    key_id: keyId,
    at: new Date(now).toISOString(),
  });
  return json(201, {
    url: `${new URL(url()).origin}/console/sign-in#${token}`,
    expires_at: new Date(expiresAt).toISOString(),
  });
}

/** Returns the cookie's name. Throws if the browser would send the session without encryption. */
function requireCookieName(kind: SessionKind, request: ConsoleRequest): string {
  const name = cookieName(kind, request);
  if (name === null) throw refuse("https_required");
  return name;
}

function presentationOf({ env, headers, now, defer }: ConsoleRequest): Presentation {
  return { env, address: parseAddress(headers.get("CF-Connecting-IP") ?? ""), now, defer };
}
