// Decides who is calling (contract.md §Authentication) by the bearer key and the address it comes
// from, and blocks addresses that guess. A block never stops a valid credential, so one client with
// a wrong key does not lock out the others behind a shared address.
import type { Context } from "hono";
import { createMiddleware } from "hono/factory";
import type { Env } from "../env.ts";
import { BoundedCache } from "../lib/bounded-cache.ts";
import { addressGroup, type Block, blockContains, parseAddress } from "../lib/cidr.ts";
import { equalInConstantTime, toHex, sign } from "../lib/crypto/crypto.ts";
import { AUTH_BLOCK_MS } from "../limits.ts";
import { type Refusal, type RefusalError, refuse } from "../refusal.ts";
import {
  getCachedCredential,
  type Credential,
  lookUpCredential,
} from "../resources/api-keys/credentials.ts";
import { looksLikeSecret } from "../resources/api-keys/key-secret.ts";
import { settingsOf } from "../settings.ts";
import type { ApiContext } from "./api-context.ts";

const SECOND_MS = 1_000;
const BLOCKS_CACHED = 10_000;
const FINGERPRINT_BYTES = 12;

/**
 * Failures with API keys and with the admin token are counted apart, so neither blocks the other.
 */
type Wanted = Extract<Refusal, { code: "unauthenticated" }>["wanted"];

/**
 * The blocks that this isolate knows of: kind of credential and address group → the block's end, in
 * Unix milliseconds.
 */
const blocked = new BoundedCache<number>(BLOCKS_CACHED, AUTH_BLOCK_MS);

/** Lets a team's key pass, when its address may present it. */
export const authenticate = createMiddleware<ApiContext>(async (c, next) => {
  const now = c.get("now");
  const address = await clientAddress(c);
  const secret = bearer(c);
  if (secret === undefined)
    throw refuse("unauthenticated", { reason: "missing", wanted: "api_key" });
  const credential = getCachedCredential(secret, now) ?? (await lookUp(c, secret, now));
  if (!credential) throw await refusalOf(c, "api_key", secret, address);
  if (
    credential.allowedIps &&
    !(address && credential.allowedIps.some((block) => blockContains(block, address)))
  )
    throw refuse("ip_not_allowed");
  c.set("caller", credential.caller);
  await next();
});

/**
 * Lets the operator's ADMIN_TOKEN pass. While none is set, all of /admin is answered with 404
 * (contract.md §Operator API).
 */
export const authenticateOperator = createMiddleware<ApiContext>(async (c, next) => {
  const { adminToken, signingKey } = settingsOf(c.env);
  if (adminToken === null) return c.notFound();
  const presented = bearer(c);
  if (presented === undefined)
    throw refuse("unauthenticated", { reason: "missing", wanted: "admin_token" });
  if (!(await sameSecret(signingKey, presented, adminToken)))
    throw await refusalOf(c, "admin_token", presented, await clientAddress(c));
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

async function lookUp(
  c: Context<ApiContext>,
  secret: string,
  now: number,
): Promise<Credential | undefined> {
  return looksLikeSecret(secret)
    ? lookUpCredential(c.env, secret, now, (work) => c.executionCtx.waitUntil(work))
    : undefined;
}

/**
 * Counts an invalid credential as a failure of its address. Returns the refusal: 401, or 403 while
 * the address is blocked.
 */
async function refusalOf(
  c: Context<ApiContext>,
  wanted: Wanted,
  presented: string,
  address: Block | undefined,
): Promise<RefusalError> {
  if (!address) return refuse("unauthenticated", { reason: "unknown", wanted });
  const now = c.get("now");
  const name = `${wanted} ${addressGroup(address)}`;
  const known = blocked.get(name, now) ?? 0;
  const until =
    known > now
      ? known
      : await c.env.AUTH_FAILURES.getByName(name).fail(await fingerprint(c.env, presented), now);
  if (until <= now) return refuse("unauthenticated", { reason: "unknown", wanted });
  blocked.set(name, until, now);
  return refuse("ip_blocked", { retryAfterSeconds: Math.ceil((until - now) / SECOND_MS) });
}

/**
 * Identifies a presented credential in the failure counter, which must not store the credential
 * itself: it may be a mistyped password.
 */
async function fingerprint(env: Env, presented: string): Promise<string> {
  const mac = await sign(
    settingsOf(env).signingKey,
    "failed credential",
    new TextEncoder().encode(presented),
  );
  return toHex(mac.subarray(0, FINGERPRINT_BYTES));
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

/** Compares MACs of the two, so that the time reveals neither content nor length. */
async function sameSecret(signingKey: string, left: string, right: string): Promise<boolean> {
  const encoder = new TextEncoder();
  const [one, other] = await Promise.all([
    sign(signingKey, "compare", encoder.encode(left)),
    sign(signingKey, "compare", encoder.encode(right)),
  ]);
  return equalInConstantTime(one, other);
}
