// Judges a presented API key or admin token (contract.md §Authentication) by its value and the
// client's address, and blocks addresses that guess credentials. A block never stops a valid
// credential, so a client with a wrong key does not lock out other clients behind the same address.
import type { Caller } from "../endpoint.ts";
import type { Env } from "../env.ts";
import { BoundedCache } from "../lib/bounded-cache.ts";
import { addressGroup, type Block, blockContains } from "../lib/cidr.ts";
import { equalInConstantTime, toHex, sign } from "../lib/crypto/crypto.ts";
import { AUTH_BLOCK_MS, SECOND_MS } from "../limits.ts";
import { type Refusal, type RefusalError, refuse } from "../refusal.ts";
import {
  getCachedCredential,
  type Credential,
  lookUpCredential,
} from "../resources/api-keys/credentials.ts";
import { settingsOf } from "../settings.ts";
import { objectOf } from "../object-of.ts";

const BLOCKS_CACHED = 10_000;
const FINGERPRINT_BYTES = 12;

/**
 * Failures with API keys and failures with the admin token are counted separately, so one kind
 * never blocks the other.
 */
type Counted = Extract<
  Extract<Refusal, { code: "unauthenticated" }>["wanted"],
  "api_key" | "admin_token"
>;

/** The request that presents a credential. */
export interface Presentation {
  readonly env: Env;
  /** The client's address. Undefined: the address is unknown, so the check counts no failure. */
  readonly address: Block | undefined;
  /** The time of the request, in Unix milliseconds. */
  readonly now: number;
  readonly defer: (work: Promise<unknown>) => void;
}

/**
 * The blocks that this isolate knows: the end of each block in Unix milliseconds, by kind of
 * credential and address group.
 */
const blocked = new BoundedCache<number>(BLOCKS_CACHED, AUTH_BLOCK_MS);

/** Returns the caller of the key. Throws if the key is invalid or not allowed from the address. */
export async function judgeKey(from: Presentation, secret: string): Promise<Caller> {
  const { env, now, defer } = from;
  const credential =
    getCachedCredential(secret, now) ?? (await lookUpCredential(env, secret, now, defer));
  if (!credential) throw await refusalOf(from, "api_key", secret);
  return callerAt(credential, from);
}

/** Returns the credential's caller. Throws if the key may not be used from the address. */
export function callerAt(
  { caller, allowedIps }: Credential,
  { address }: Pick<Presentation, "address">,
): Caller {
  if (allowedIps && !(address && allowedIps.some((block) => blockContains(block, address))))
    throw refuse("ip_not_allowed");
  return caller;
}

/** Throws unless the request presents the operator's token. */
export async function judgeAdminToken(from: Presentation, presented: string): Promise<void> {
  const { signingKey, adminToken } = settingsOf(from.env);
  if (adminToken === null || !(await sameSecret(signingKey, presented, adminToken)))
    throw await refusalOf(from, "admin_token", presented);
}

/**
 * Compares the MACs of both values, so that the time of the comparison reveals neither their
 * content nor their length.
 */
export async function sameSecret(
  signingKey: string,
  left: string,
  right: string,
): Promise<boolean> {
  const encoder = new TextEncoder();
  const [one, other] = await Promise.all([
    sign(signingKey, "compare", encoder.encode(left)),
    sign(signingKey, "compare", encoder.encode(right)),
  ]);
  return equalInConstantTime(one, other);
}

/**
 * Counts an invalid credential as a failure of its address. Returns the refusal: 401, or 403 while
 * the address is blocked.
 */
async function refusalOf(
  { env, address, now }: Presentation,
  wanted: Counted,
  presented: string,
): Promise<RefusalError> {
  if (!address) return refuse("unauthenticated", { reason: "unknown", wanted });
  const name = `${wanted} ${addressGroup(address)}`;
  const known = blocked.get(name, now) ?? 0;
  const until =
    known > now
      ? known
      : await objectOf(env, "AUTH_FAILURES", name).fail(await fingerprint(env, presented), now);
  if (until <= now) return refuse("unauthenticated", { reason: "unknown", wanted });
  blocked.set(name, until, now);
  return refuse("ip_blocked", { retryAfterSeconds: Math.ceil((until - now) / SECOND_MS) });
}

/**
 * Identifies a presented credential in the failure counter. The counter must not store the
 * credential itself, which may be a mistyped password.
 */
async function fingerprint(env: Env, presented: string): Promise<string> {
  const mac = await sign(
    settingsOf(env).signingKey,
    "failed credential",
    new TextEncoder().encode(presented),
  );
  return toHex(mac.subarray(0, FINGERPRINT_BYTES));
}
