// Lets a request pass by its credential (contract.md §Authentication): a bearer key, the operator's
// token or the gateway's token. The console's session stands for the first two.
import type { Context } from "hono";
import { createMiddleware } from "hono/factory";
import { type Block, parseAddress } from "../lib/cidr.ts";
import { refuse } from "../refusal.ts";
import { settingsOf } from "../settings.ts";
import type { ApiContext } from "./api-context.ts";
import { callerOfSession, operatorSessionEnd } from "./console/session-caller.ts";
import { judgeAdminToken, judgeKey, type Presentation, sameSecret } from "./judge-credential.ts";

/** Lets a team's key pass, or the console session of one, when its address may present it. */
export const authenticate = createMiddleware<ApiContext>(async (c, next) => {
  const from = await presentationOf(c);
  const secret = bearer(c);
  const caller =
    secret === undefined
      ? await callerOfSession(from, browserRequestOf(c))
      : await judgeKey(from, secret);
  if (!caller) throw refuse("unauthenticated", { reason: "missing", wanted: "api_key" });
  c.set("caller", caller);
  await next();
});

/**
 * Lets the operator's ADMIN_TOKEN pass, or the operator's console session. While none is set, all
 * of /admin is answered with 404 (contract.md §Operator API).
 */
export const authenticateOperator = createMiddleware<ApiContext>(async (c, next) => {
  if (settingsOf(c.env).adminToken === null) return c.notFound();
  const presented = bearer(c);
  if (presented !== undefined) await judgeAdminToken(await presentationOf(c), presented);
  else if ((await operatorSessionEnd(browserRequestOf(c))) === undefined)
    throw refuse("unauthenticated", { reason: "missing", wanted: "admin_token" });
  return next();
});

/**
 * Lets the gateway pass, by its GATEWAY_TOKEN. Other callers are answered with 404, as if the
 * endpoint did not exist (docs/gateway-protocol.md).
 */
export const authenticateGateway = createMiddleware<ApiContext>(async (c, next) => {
  if (!(await isGateway(c))) return c.notFound();
  return next();
});

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
    headers: c.req.raw.headers,
    origin: new URL(c.req.url).origin,
    now: c.get("now"),
  };
}

function bearer(c: Context<ApiContext>): string | undefined {
  return /^Bearer +(\S+) *$/i.exec(c.req.header("Authorization") ?? "")?.[1];
}

/**
 * Returns the client's address. Cloudflare sets CF-Connecting-IP on every request; only the gateway
 * knows the addresses of the SMTP clients behind it, and sends them as X-Client-IP.
 */
async function clientAddress(c: Context<ApiContext>): Promise<Block | undefined> {
  return parseAddress(
    c.req.header((await isGateway(c)) ? "X-Client-IP" : "CF-Connecting-IP") ?? "",
  );
}

async function isGateway(c: Context<ApiContext>): Promise<boolean> {
  const known = c.get("isGateway");
  if (known !== undefined) return known;
  const presented = c.req.header("X-Gateway-Token");
  const { signingKey, gatewayToken } = settingsOf(c.env);
  const is = presented !== undefined && (await sameSecret(signingKey, presented, gatewayToken));
  c.set("isGateway", is);
  return is;
}
