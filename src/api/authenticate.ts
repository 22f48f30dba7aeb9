// Who is calling (spec.md "Authentication"): the bearer key, the address it comes from, and the block on addresses that guess.
// Keys that this isolate knows cost nothing; a failure or an unknown key asks the address's failure counter (design.md section 3).
import type { Context } from "hono";
import { createMiddleware } from "hono/factory";
import type { Env } from "../env.ts";
import { settingsOf } from "../env.ts";
import { BoundedCache } from "../lib/bounded-cache.ts";
import { addressGroup, type Block, blockContains, parseAddress } from "../lib/cidr.ts";
import { equalInConstantTime, sign } from "../lib/crypto.ts";
import { AUTH_BLOCK_MS } from "../limits.ts";
import { refuse } from "../refusal.ts";
import { cachedCredential, type Credential, lookUpCredential } from "../resources/api-keys/credentials.ts";
import { looksLikeSecret } from "../resources/api-keys/secret.ts";
import type { ApiContext } from "./context.ts";

const SECOND_MS = 1_000;
const BLOCKS_CACHED = 10_000;

/** Address groups that this isolate knows to be blocked → Unix milliseconds of the block's end. */
const blocked = new BoundedCache<number>(BLOCKS_CACHED, AUTH_BLOCK_MS);

/** A team's key, from an address that may present it. */
export const authenticate = createMiddleware<ApiContext>(async (c, next) => {
  const now = c.get("now");
  const address = await clientAddress(c);
  refuseBlocked(address, now);
  const secret = bearer(c);
  if (secret === undefined) throw refuse("unauthenticated", { reason: "missing" });
  const credential = cachedCredential(secret, now) ?? (await lookUp(c, secret, address, now));
  if (credential.allowedIps && !(address && credential.allowedIps.some((block) => blockContains(block, address))))
    throw refuse("ip_not_allowed");
  c.set("caller", credential.caller);
  await next();
});

/** The operator, by ADMIN_TOKEN; without one there is no /admin at all (wire.md "Operator API"). */
export const authenticateOperator = createMiddleware<ApiContext>(async (c, next) => {
  const { adminToken, signingKey } = settingsOf(c.env);
  if (adminToken === null) throw refuse("not_found");
  const address = await clientAddress(c);
  refuseBlocked(address, c.get("now"));
  const presented = bearer(c);
  if (presented === undefined) throw refuse("unauthenticated", { reason: "missing" });
  if (!(await sameSecret(signingKey, presented, adminToken))) {
    await noteFailure(c.env, address, c.get("now"));
    throw refuse("unauthenticated", { reason: "unknown" });
  }
  await next();
});

/** The gateway, by GATEWAY_TOKEN; without it what is the gateway's is not there (docs/gateway-protocol.md). */
export const authenticateGateway = createMiddleware<ApiContext>(async (c, next) => {
  if (!(await isGateway(c))) throw refuse("not_found");
  await next();
});

async function lookUp(c: Context<ApiContext>, secret: string, address: Block | undefined, now: number): Promise<Credential> {
  if (address) {
    rememberBlock(address, await failureCounter(c.env, address).blockedUntil(now), now);
    refuseBlocked(address, now);
  }
  const found = looksLikeSecret(secret) ? await lookUpCredential(c.env, secret, now, (work) => c.executionCtx.waitUntil(work)) : undefined;
  if (found) return found;
  await noteFailure(c.env, address, now);
  throw refuse("unauthenticated", { reason: "unknown" });
}

async function noteFailure(env: Env, address: Block | undefined, now: number): Promise<void> {
  if (address) rememberBlock(address, await failureCounter(env, address).fail(now), now);
}

function failureCounter(env: Env, address: Block) {
  return env.AUTH_FAILURES.getByName(addressGroup(address));
}

function refuseBlocked(address: Block | undefined, now: number): void {
  const until = address && blocked.get(addressGroup(address), now);
  if (until !== undefined && until > now) throw refuse("ip_blocked", { retryAfterSeconds: Math.ceil((until - now) / SECOND_MS) });
}

function rememberBlock(address: Block, until: number, now: number): void {
  if (until > now) blocked.set(addressGroup(address), until, now);
}

function bearer(c: Context<ApiContext>): string | undefined {
  return /^Bearer +(\S+) *$/i.exec(c.req.header("Authorization") ?? "")?.[1];
}

/** Cloudflare sets CF-Connecting-IP on every request; of the SMTP clients behind the gateway the gateway alone knows where they are. */
async function clientAddress(c: Context<ApiContext>): Promise<Block | undefined> {
  return parseAddress(c.req.header((await isGateway(c)) ? "X-Client-IP" : "CF-Connecting-IP") ?? "");
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

/** Compares through a MAC, so that neither content nor length shows in the time. */
async function sameSecret(signingKey: string, left: string, right: string): Promise<boolean> {
  const encoder = new TextEncoder();
  const [one, other] = await Promise.all([
    sign(signingKey, "compare", encoder.encode(left)),
    sign(signingKey, "compare", encoder.encode(right)),
  ]);
  return equalInConstantTime(one, other);
}
