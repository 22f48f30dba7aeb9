// Lets a request pass by its credential (contract.md §Authentication): a bearer key, the operator's
// token or the gateway's token. The console's session stands for the first two.
import type { Context } from "hono";
import { type Block, parseAddress } from "../lib/cidr.ts";
import { type RefusalError, refuse } from "../refusal.ts";
import { getCachedCredential } from "../resources/api-keys/credentials.ts";
import { settingsOf } from "../settings.ts";
import type { ApiContext, RequestStep } from "./api-context.ts";
import { callerOfForm, callerOfSession, operatorSessionEnd } from "./console/session-caller.ts";
import { judgeAdminToken, judgeKey, type Presentation, sameSecret } from "./judge-credential.ts";

/** The answer to a caller who must not learn that the endpoint exists. */
type NotFound = (c: Context<ApiContext>) => RefusalError;

/** Lets a team's key pass, or the console session of one, when its address may present it. */
export function authenticate(c: Context<ApiContext>): void | Promise<void> {
  const secret = bearer(c);
  const known = secret === undefined ? undefined : getCachedCredential(secret, c.get("now"));
  // A key that this isolate knows and that works from any address needs neither address nor
  // look-up.
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

/** Lets a team's key pass, and no session: for programs alone. */
export async function authenticateKey(c: Context<ApiContext>): Promise<void> {
  const secret = bearer(c);
  if (secret === undefined)
    throw refuse("unauthenticated", { reason: "missing", wanted: "api_key" });
  c.set("caller", await judgeKey(await presentationOf(c), secret));
}

/** Lets a form of the console's own page pass, by the team's session. */
export async function authenticateForm(c: Context<ApiContext>): Promise<void> {
  const caller = await callerOfForm(await presentationOf(c), browserRequestOf(c));
  if (!caller) throw refuse("unauthenticated", { reason: "missing", wanted: "console_session" });
  c.set("caller", caller);
}

/**
 * Lets the operator's ADMIN_TOKEN pass, or the operator's console session. While none is set, all
 * of /admin is answered with 404 (contract.md §Operator API).
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
 * Lets the gateway pass, by its GATEWAY_TOKEN. Other callers are answered with 404, as if the
 * endpoint did not exist (docs/gateway-protocol.md).
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
 * Returns the client's address. Cloudflare sets CF-Connecting-IP on every request; only the gateway
 * knows the addresses of the SMTP clients behind it, and sends them as X-Client-IP.
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
