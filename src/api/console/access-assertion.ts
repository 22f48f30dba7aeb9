// Verifies the assertion that Cloudflare Access adds to each request to the console (docs/people.md
// §What is verified). A browser could send the header itself. Access removes the browser's header,
// but only at the host that Access protects. So an assertion is valid at that host alone.
import { createRemoteJWKSet, errors, jwtVerify, type JWTPayload, type JWTVerifyGetKey } from "jose";
import { logWarning } from "../../lib/log.ts";
import { SECOND_MS } from "../../limits.ts";
import { refuse, type RefusalError } from "../../refusal.ts";
import type { Identity } from "../../resources/members/store.ts";
import { type AccessSettings, certificatesUrl } from "../../settings.ts";

const HEADER = "Cf-Access-Jwt-Assertion";
/** Allowed difference between clocks for `nbf`, `iat` and `exp`. */
const CLOCK_SECONDS = 30;
/**
 * Time for which Access's keys are cached. Access replaces them every six weeks. A key that is not
 * in the cache is looked up at once.
 */
const KEYS_CACHED_MS = 3_600 * SECOND_MS;
const SUBJECT_CHARACTERS = 255;
const EMAIL_CHARACTERS = 320;

export interface VerifiedAssertion extends Identity {
  readonly text: string;
  /** When the assertion ends, in Unix milliseconds. */
  readonly expiresAt: number;
}

const keySets = new Map<string, JWTVerifyGetKey>();

interface AssertingRequest {
  readonly headers: Headers;
  readonly url: () => string;
  /** The time of the request, in Unix milliseconds. */
  readonly now: number;
}

/**
 * Verifies an assertion and returns the person. Throws `unauthenticated` for an invalid assertion,
 * and `access_unavailable` if Access's keys cannot be read.
 */
export async function verifyAssertion(
  access: AccessSettings,
  { headers, url, now }: AssertingRequest,
): Promise<VerifiedAssertion> {
  const text = headers.get(HEADER);
  if (text === null || new URL(url()).host !== new URL(access.consoleUrl).host)
    throw refuse("unauthenticated", { reason: "missing", wanted: "access_assertion" });
  const payload = await payloadOf(access, text, now);
  const { sub, email, exp = 0 } = payload;
  if (!isPerson(payload) || typeof email !== "string" || sub === undefined) throw unknown();
  return {
    issuer: access.issuer,
    subject: sub,
    email: email.trim().toLowerCase(),
    text,
    expiresAt: exp * SECOND_MS,
  };
}

async function payloadOf(access: AccessSettings, text: string, now: number): Promise<JWTPayload> {
  try {
    const { payload } = await jwtVerify(text, keysOf(access), {
      issuer: access.issuer,
      audience: access.audience,
      // Only one algorithm is allowed, so that an attacker cannot use the public key as the secret
      // of another algorithm (RFC 8725 §3.1).
      algorithms: ["RS256"],
      requiredClaims: ["sub", "exp", "iat", "email"],
      clockTolerance: CLOCK_SECONDS,
      currentDate: new Date(now),
    });
    return payload;
  } catch (error) {
    if (isOfAssertion(error)) throw unknown();
    logWarning("access_unavailable", { error: String(error) });
    throw refuse("access_unavailable");
  }
}

function keysOf(access: AccessSettings): JWTVerifyGetKey {
  const known = keySets.get(access.issuer);
  if (known) return known;
  const url = new URL(certificatesUrl(access));
  const keys = createRemoteJWKSet(url, { cacheMaxAge: KEYS_CACHED_MS });
  keySets.set(access.issuer, keys);
  return keys;
}

/** Tells whether the assertion caused the error. If it did not, Access's keys could not be read. */
function isOfAssertion(error: unknown): boolean {
  return (
    error instanceof errors.JOSEError &&
    !(error instanceof errors.JWKSTimeout) &&
    !(error instanceof errors.JWKSInvalid) &&
    error.code !== "ERR_JOSE_GENERIC"
  );
}

/**
 * Tells whether the assertion identifies a person with a verified address. An assertion of a
 * service token has no address. An assertion of Access's own session has another `type` than `app`.
 * `email_verified` is false if the identity provider has not verified the address.
 */
function isPerson({ sub = "", type, email, custom, ...claims }: JWTPayload): boolean {
  const flags = [claims["email_verified"], (custom as JWTPayload | undefined)?.["email_verified"]];
  return (
    (type === undefined || type === "app") &&
    claims["common_name"] === undefined &&
    sub !== "" &&
    sub.length <= SUBJECT_CHARACTERS &&
    typeof email === "string" &&
    email.includes("@") &&
    email.length <= EMAIL_CHARACTERS &&
    flags.every((flag) => flag === undefined || flag === true || flag === "true")
  );
}

function unknown(): RefusalError {
  return refuse("unauthenticated", { reason: "unknown", wanted: "access_assertion" });
}
