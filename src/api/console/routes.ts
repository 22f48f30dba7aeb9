// Serves /console/session, where the console's pages sign in and out (contract.md §Console
// sessions), and POST /admin/console-links, which signs in the user of the local stack.
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
import { CONSOLE_LINK_MS, CONSOLE_SESSION_MS } from "../../limits.ts";
import { refuse } from "../../refusal.ts";
import { findFirstFullKey } from "../../resources/api-keys/store.ts";
import { getTeam } from "../../resources/team-settings/store.ts";
import { isLocal } from "../../settings.ts";
import { judgeAdminToken, judgeKey, type Presentation } from "../judge-credential.ts";
import { callerOfSealed, operatorSessionEnd, sessionIn } from "./session-caller.ts";
import { clearCookie, cookieName, type SessionKind, setCookie } from "./session-cookie.ts";
import { openKey, sealKey, sealOperator } from "./session-seal.ts";
import {
  ConsoleLink,
  ConsoleLinkRequest,
  ConsoleSession,
  ConsoleSignIn,
  SessionChoice,
  toOperatorSession,
  toTeamSession,
} from "./wire.ts";

export const consoleEndpoints: readonly Endpoint[] = [
  endpoint({
    method: "POST",
    path: "/console/session",
    summary: "Sign in to the console",
    description:
      "Exchanges a credential for a session of 12 hours, in a cookie that scripts can't read. " +
      "Pages of this origin that send `X-Postern-Console: 1` use the cookie in place of a key " +
      "for `/v1`, and the operator's cookie in place of the token for `/admin`. Deleting the " +
      "key ends its sessions within a minute. Programs send keys instead.",
    operationId: "signIn",
    permission: "console",
    body: ConsoleSignIn,
    responses: { 200: ConsoleSession },
    async handle(request) {
      const { key, link, admin_token: token } = request.body;
      if (token !== undefined) return signInOperator(request, token);
      const from = presentationOf(request);
      const name = requireCookieName("team", request);
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
      if (!session)
        throw refuse("unauthenticated", { reason: "missing", wanted: "console_session" });
      return json(200, session);
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
      "Only the local stack has this endpoint. The link works once, for 10 minutes, and signs " +
      "in with the team's oldest key that has `full` permissions.",
    permission: "operator",
    body: ConsoleLinkRequest,
    responses: { 201: ConsoleLink },
    handle: makeLink,
  }),
];

type ConsoleRequest = Pick<ApiRequest, "env" | "settings" | "headers" | "url" | "now" | "defer">;

async function startSession(
  { settings, now }: ConsoleRequest,
  cookie: string,
  caller: Caller,
): Promise<HttpReply> {
  const expiresAt = now + CONSOLE_SESSION_MS;
  const sealed = await sealKey(settings, "console session", {
    id: crypto.randomUUID(),
    teamId: caller.team.id,
    keyId: caller.key.id,
    expiresAt,
  });
  return json(200, toTeamSession(caller, expiresAt), setCookie(cookie, sealed));
}

async function signInOperator(request: ConsoleRequest, token: string): Promise<HttpReply> {
  const cookie = requireCookieName("operator", request);
  await judgeAdminToken(presentationOf(request), token);
  const expiresAt = request.now + CONSOLE_SESSION_MS;
  const sealed = await sealOperator(request.settings, expiresAt);
  return json(200, toOperatorSession(expiresAt), setCookie(cookie, sealed));
}

/**
 * Checks everything else before it uses up the link, so that a refusal for another reason leaves
 * the link valid.
 */
async function callerOfLink(request: ConsoleRequest, text: string): Promise<Caller> {
  const { env, settings, now } = request;
  const link = await openKey(settings, "console link", text, now);
  const caller = link && (await callerOfSealed(presentationOf(request), link));
  const isFirst =
    caller && (await ledgerOf(env, link.teamId).useLink(link.id, link.expiresAt, now));
  if (!isFirst) throw refuse("unauthenticated", { reason: "unknown", wanted: "console_link" });
  return caller;
}

async function teamSession(request: ConsoleRequest) {
  const session = await sessionIn(request);
  const caller = session && (await callerOfSealed(presentationOf(request), session));
  return caller && toTeamSession(caller, session.expiresAt);
}

async function operatorSession(request: ConsoleRequest) {
  const end = await operatorSessionEnd(request);
  return end === undefined ? undefined : toOperatorSession(end);
}

/** Refuses outside the local stack: a deployment's operator must not get into a team's session. */
async function makeLink(request: ApiRequest<{ readonly team_id: string }>): Promise<HttpReply> {
  const { env, settings, method, path, url, now } = request;
  if (!isLocal(env)) throw refuse("no_such_endpoint", { method, path, nearest: undefined });
  const { team_id: teamId } = request.body;
  await getTeam(env.DB, teamId);
  const keyId = await findFirstFullKey(coreFor(env, teamId));
  if (keyId === undefined)
    throw refuse("invalid", { errors: { team_id: ["has no key with `full` permissions"] } });
  const expiresAt = now + CONSOLE_LINK_MS;
  const link = { id: crypto.randomUUID(), teamId, keyId, expiresAt };
  const token = await sealKey(settings, "console link", link);
  return json(201, {
    url: `${new URL(url()).origin}/console/sign-in#${token}`,
    expires_at: new Date(expiresAt).toISOString(),
  });
}

/** Returns the cookie's name. Throws if the session would travel without encryption. */
function requireCookieName(kind: SessionKind, request: ConsoleRequest): string {
  const name = cookieName(kind, request);
  if (name === null) throw refuse("https_required");
  return name;
}

function presentationOf({ env, headers, now, defer }: ConsoleRequest): Presentation {
  return { env, address: parseAddress(headers.get("CF-Connecting-IP") ?? ""), now, defer };
}

function ledgerOf(env: ApiRequest["env"], teamId: string) {
  return env.TEAM_LEDGER.getByName(teamId);
}
