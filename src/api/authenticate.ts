// Decides who is calling (contract.md §Authentication): the bearer key, the address it comes from,
// and the block on addresses that guess. The block is on guessing, not on the address: a credential
// that verifies passes it, so one wrong key behind a shared address locks no other client out.
import type { Context } from "hono";
import { createMiddleware } from "hono/factory";
import type { Env } from "../env.ts";
import { settingsOf } from "../env.ts";
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
import type { ApiContext } from "./api-context.ts";

const SECOND_MS = 1_000;
const BLOCKS_CACHED = 10_000;
const FINGERPRINT_BYTES = 12;

/** The failures with each are counted apart, so that neither closes the other's door. */
type Wanted = Extract<Refusal, { code: "unauthenticated" }>["wanted"];

/**
 * Kinds of credentials and address groups that this isolate knows to be blocked → Unix milliseconds
 * of the block's end.
 */
const blocked = new BoundedCache<number>(BLOCKS_CACHED, AUTH_BLOCK_MS);

/** Passes a team's key that comes from an address which may present it. */
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
 * Passes the operator's ADMIN_TOKEN. Without one in the settings there is no /admin at all
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
 * The gateway, by GATEWAY_TOKEN; without it what is the gateway's is not there
 * (docs/gateway-protocol.md).
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
 * Counts a credential that did not verify against its address. The refusal is a 401, and a 403
 * while the address is blocked.
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
 * Tells one presented credential from another in the failure counter, which must not hold a
 * mistyped password.
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
 * Cloudflare sets CF-Connecting-IP on every request; of the SMTP clients behind the gateway the
 * gateway alone knows where they are.
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

/** Compares through a MAC, so that neither content nor length shows in the time. */
async function sameSecret(signingKey: string, left: string, right: string): Promise<boolean> {
  const encoder = new TextEncoder();
  const [one, other] = await Promise.all([
    sign(signingKey, "compare", encoder.encode(left)),
    sign(signingKey, "compare", encoder.encode(right)),
  ]);
  return equalInConstantTime(one, other);
}
