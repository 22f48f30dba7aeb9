// Makes and decrypts DKIM keys: two RSA-2048 keys per domain. The first key signs. The second key
// is published as a spare (docs/dns.md §The records of a domain). Private keys are encrypted by
// AES-256-GCM with KEY_ENCRYPTION_KEY. The encryption is bound to the domain and the selector, so a
// ciphertext that is copied to another domain's row cannot be decrypted.
import type { Env } from "../../env.ts";
import type { Settings } from "../../settings.ts";
import { encodeBase64 } from "../../lib/crypto/base64.ts";
import { BoundedCache } from "../../lib/bounded-cache.ts";
import { openBox, sealBox } from "../../lib/crypto/sealed-box.ts";
import { CREDENTIAL_CACHE_MS } from "../../limits.ts";
import type { SealedDkimKey } from "../../rpc/delivery-facts.ts";
import { findActiveKey } from "./domain-lookups.ts";
import type { DkimKeyRow } from "./store.ts";

export interface SigningKey {
  /** Tag `d=` of the signature. */
  readonly domain: string;
  /** Tag `s=` of the signature. */
  readonly selector: string;
  /** RSASSA-PKCS1-v1_5 with SHA-256, for `sign` only, not extractable. */
  readonly key: CryptoKey;
}

const ALGORITHM = { name: "RSASSA-PKCS1-v1_5", hash: "SHA-256" };
const MODULUS_BITS = 2048;
const PUBLIC_EXPONENT = new Uint8Array([1, 0, 1]);
const SIGNING_KEYS_CACHED = 1_000;

const signingKeys = new BoundedCache<SigningKey & { readonly sealed: string }>(
  SIGNING_KEYS_CACHED,
  CREDENTIAL_CACHE_MS,
);

/**
 * Returns the key that signs a domain's mail, or undefined if the domain was deleted. `told` is the
 * key that the ledger returned. `told` null: the ledger knows that the domain was deleted. `told`
 * undefined: the ledger has no key, so this function queries the core database. Throws if the key
 * was encrypted with another KEY_ENCRYPTION_KEY.
 */
export async function signingKeyFor(
  env: Env,
  settings: Settings,
  domainId: string,
  told?: SealedDkimKey | null,
): Promise<SigningKey | undefined> {
  if (told === null) return undefined;
  const now = Date.now();
  const known = signingKeys.get(domainId, now);
  if (known && (!told || told.privateKeyEncrypted === known.sealed)) return known;
  const stored = told ?? (await findActiveKey(env, domainId));
  if (!stored) return undefined;
  const { domain, selector, privateKeyEncrypted } = stored;
  const pkcs8 = await openBox(
    settings.keyEncryptionKey,
    contextOf(domainId, selector),
    privateKeyEncrypted,
  );
  const signingKey = {
    domain,
    selector,
    key: await crypto.subtle.importKey("pkcs8", pkcs8, ALGORITHM, false, ["sign"]),
    sealed: privateKeyEncrypted,
  };
  signingKeys.set(domainId, signingKey, now);
  return signingKey;
}

/** Drops a deleted domain's key from this isolate's cache. */
export function forgetSigningKey(domainId: string): void {
  signingKeys.delete(domainId);
}

/** Generates an encrypted key for each selector. The first key signs mail. */
export async function generateKeys(
  encryptionKey: Uint8Array<ArrayBuffer>,
  domainId: string,
  selectors: readonly string[],
): Promise<Omit<DkimKeyRow, "id" | "domainId" | "createdAt">[]> {
  return Promise.all(
    selectors.map(async (selector, index) => {
      const pair = (await crypto.subtle.generateKey(
        { ...ALGORITHM, modulusLength: MODULUS_BITS, publicExponent: PUBLIC_EXPONENT },
        true,
        ["sign", "verify"],
      )) as CryptoKeyPair;
      const spki = (await crypto.subtle.exportKey("spki", pair.publicKey)) as ArrayBuffer;
      const pkcs8 = (await crypto.subtle.exportKey("pkcs8", pair.privateKey)) as ArrayBuffer;
      return {
        selector,
        active: index === 0,
        publicKey: encodeBase64(new Uint8Array(spki)),
        privateKeyEncrypted: await sealBox(
          encryptionKey,
          contextOf(domainId, selector),
          new Uint8Array(pkcs8),
        ),
      };
    }),
  );
}

function contextOf(domainId: string, selector: string): string {
  return `dkim ${domainId} ${selector}`;
}
