// Signs the assertions of the double of Cloudflare Access, in the form that Access documents
// (docs/people.md §What is verified). The key is new at each start.
import { exportJWK, generateKeyPair, SignJWT } from "jose";
import { randomBytes } from "node:crypto";
import type { KnownPerson } from "./known-people.ts";

export const AUDIENCE = "double-of-cloudflare-access";
const KEY_ID = "local";
/** The duration of a sign-in. */
export const LIFE_SECONDS = 8 * 60 * 60;

export interface AssertionMaker {
  /** The response of `/cdn-cgi/access/certs`. */
  readonly certificates: { readonly keys: readonly object[] };
  /** Makes an assertion for a person who signs in now. */
  readonly assert: (person: KnownPerson) => Promise<string>;
}

export async function makeAssertions(issuer: string): Promise<AssertionMaker> {
  const { publicKey, privateKey } = await generateKeyPair("RS256");
  const key = { ...(await exportJWK(publicKey)), kid: KEY_ID, alg: "RS256", use: "sig" };
  return {
    certificates: { keys: [key] },
    assert: ({ subject, email }) => {
      const now = Math.floor(Date.now() / 1_000);
      const nonce = randomBytes(12).toString("base64url");
      return new SignJWT({ email, type: "app", identity_nonce: nonce, country: "XX" })
        .setProtectedHeader({ alg: "RS256", kid: KEY_ID, typ: "JWT" })
        .setIssuer(issuer)
        .setSubject(subject)
        .setAudience([AUDIENCE])
        .setIssuedAt(now)
        .setNotBefore(now)
        .setExpirationTime(now + LIFE_SECONDS)
        .sign(privateKey);
    },
  };
}
