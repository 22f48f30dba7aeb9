// Authenticates requests (contract.md §Authentication) by a team's bearer key, the operator's token
// or the gateway's token. A console session can replace the key or the operator's token.
import type { Context } from "hono";
import { type Block, parseAddress } from "../lib/cidr.ts";
import { type RefusalError, refuse } from "../refusal.ts";
import { getCachedCredential } from "../resources/api-keys/credentials.ts";
import { settingsOf } from "../settings.ts";
import type { ApiContext, RequestStep } from "./api-context.ts";
import { callerOfForm, callerOfSession, operatorSessionEnd } from "./console/session-caller.ts";
import { judgeAdminToken, judgeKey, type Presentation, sameSecret } from "./judge-credential.ts";

/** Makes the 404 for a caller who must not learn that the endpoint exists. */
type NotFound = (c: Context<ApiContext>) => RefusalError;

/** Accepts a team's key or console session, if the key may be used from the client's address. */
export function authenticate(c: Context<ApiContext>): void | Promise<void> {
  const secret = bearer(c);
  const known = secret === undefined ? undefined : getCachedCredential(secret, c.get("now"));
  // A cached key without address restrictions needs neither the client's address nor a look-up.
  if (known?.allowedIps !== null) return judgeCaller(c, secret);
  c.set("caller", known.caller);
}

async function judgeCaller(c: Context<ApiContext>, secret: string | undefined): Promise<void> {
  const from = await presentationOf(c);
  const caller =
    secret === undefined
      ? await callerOfSession(from, browserRequestOf(c))
      : await judgeKey(from, secret);
  if (!caller) throw refuse("unauthenticated", { reason: "missing", wanted: "api_key" });
  c.set("caller", caller);
}

/** Accepts a team's key only. Refuses console sessions, because this endpoint is for programs. */
export async function authenticateKey(c: Context<ApiContext>): Promise<void> {
  const secret = bearer(c);
  if (secret === undefined)
    throw refuse("unauthenticated", { reason: "missing", wanted: "api_key" });
  c.set("caller", await judgeKey(await presentationOf(c), secret));
}

/** Accepts a session of the console only. Refuses keys, because no program may use the endpoint. */
export async function authenticateConsoleSession(c: Context<ApiContext>): Promise<void> {
  const caller = await callerOfSession(await presentationOf(c), browserRequestOf(c));
  if (!caller) throw refuse("unauthenticated", { reason: "missing", wanted: "console_session" });
  c.set("caller", caller);
}

/** Accepts a form that a page of the console posts with the team's session. */
export async function authenticateForm(c: Context<ApiContext>): Promise<void> {
  const caller = await callerOfForm(await presentationOf(c), browserRequestOf(c));
  if (!caller) throw refuse("unauthenticated", { reason: "missing", wanted: "console_session" });
  c.set("caller", caller);
}

/**
 * Accepts the operator's ADMIN_TOKEN or console session. Without a configured ADMIN_TOKEN, every
 * path below /admin gets 404 (contract.md §Operator API).
 */
export function authenticateOperator(notFound: NotFound): RequestStep {
  return async (c) => {
    if (settingsOf(c.env).adminToken === null) throw notFound(c);
    const presented = bearer(c);
    if (presented !== undefined) await judgeAdminToken(await presentationOf(c), presented);
    else if ((await operatorSessionEnd(browserRequestOf(c))) === undefined)
      throw refuse("unauthenticated", { reason: "missing", wanted: "admin_token" });
  };
}

/**
 * Accepts the gateway's GATEWAY_TOKEN. Other callers get 404, as if the endpoint did not exist
 * (docs/gateway-protocol.md).
 */
export function authenticateGateway(notFound: NotFound): RequestStep {
  return async (c) => {
    if (!(await isGateway(c))) throw notFound(c);
  };
}

async function presentationOf(c: Context<ApiContext>): Promise<Presentation> {
  return {
    env: c.env,
    address: await clientAddress(c),
    now: c.get("now"),
    defer: (work) => c.executionCtx.waitUntil(work),
  };
}

function browserRequestOf(c: Context<ApiContext>) {
  return {
    env: c.env,
    headers: c.get("headers"),
    url: () => c.req.url,
    now: c.get("now"),
  };
}

function bearer(c: Context<ApiContext>): string | undefined {
  return /^Bearer +(\S+) *$/i.exec(c.get("headers").get("Authorization") ?? "")?.[1];
}

/**
 * Returns the client's address. Cloudflare sets CF-Connecting-IP on every request. The gateway
 * sends the addresses of its SMTP clients as X-Client-IP, because only the gateway knows them.
 */
async function clientAddress(c: Context<ApiContext>): Promise<Block | undefined> {
  return parseAddress(
    c.get("headers").get((await isGateway(c)) ? "X-Client-IP" : "CF-Connecting-IP") ?? "",
  );
}

async function isGateway(c: Context<ApiContext>): Promise<boolean> {
  const known = c.get("isGateway");
  if (known !== undefined) return known;
  const presented = c.get("headers").get("X-Gateway-Token");
  const { signingKey, gatewayToken } = settingsOf(c.env);
  const is = presented !== null && (await sameSecret(signingKey, presented, gatewayToken));
  c.set("isGateway", is);
  return is;
}
