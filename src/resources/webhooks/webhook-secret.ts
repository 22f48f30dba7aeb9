// Makes signing secrets: `whsec_` and the standard base64 of 32 random bytes (contract.md
// §Signatures). A stored secret is encrypted with KEY_ENCRYPTION_KEY and bound to its webhook. A
// hash is not enough, because the service signs deliveries with the secret itself.
import { encodeBase64 } from "../../lib/crypto/base64.ts";
import { openBox, sealBox } from "../../lib/crypto/sealed-box.ts";
import type { WebhookRow } from "./store.ts";

const PREFIX = "whsec_";
const SECRET_BYTES = 32;
const PREFIX_SHOWN = 12; // `signing_secret_prefix` (contract.md §Signatures)

/** The columns of a webhook's row that contain its secrets. */
type KeptSecrets = Pick<
  WebhookRow,
  "id" | "secretEncrypted" | "previousSecretEncrypted" | "graceExpiresAt"
>;

/** A new secret, and the columns that store it. */
export interface NewSecret {
  readonly secret: string;
  readonly secretPrefix: string;
  readonly secretEncrypted: string;
}

/** A webhook's decrypted secrets, including `whsec_`. */
export interface OpenSecrets {
  readonly current: string;
  readonly previous: string | null;
  /** When the previous secret stops being valid, Unix milliseconds. */
  readonly graceExpiresAt: number;
}

/** Makes a new secret for the webhook with this id, from the platform's random source. */
export async function mintSecret(
  encryptionKey: Uint8Array<ArrayBuffer>,
  webhookId: string,
): Promise<NewSecret> {
  const secret = PREFIX + encodeBase64(crypto.getRandomValues(new Uint8Array(SECRET_BYTES)));
  return {
    secret,
    secretPrefix: secret.slice(0, PREFIX_SHOWN),
    secretEncrypted: await sealBox(
      encryptionKey,
      contextOf(webhookId),
      new TextEncoder().encode(secret),
    ),
  };
}

/**
 * Decrypts a secret, including `whsec_`. Throws if the key or the webhook is not the original one.
 */
async function openSecret(
  encryptionKey: Uint8Array<ArrayBuffer>,
  webhookId: string,
  encrypted: string,
): Promise<string> {
  return new TextDecoder().decode(await openBox(encryptionKey, contextOf(webhookId), encrypted));
}

/**
 * Returns the secrets that sign a delivery at `now`: the current secret and, while it is valid, the
 * previous secret.
 */
export async function activeSecrets(
  encryptionKey: Uint8Array<ArrayBuffer>,
  webhook: KeptSecrets,
  now: number,
): Promise<string[]> {
  return secretsInForce(await openSecrets(encryptionKey, webhook, now), now);
}

/** Decrypts a webhook's secrets for a cache, with the previous one if it is valid at `now`. */
export async function openSecrets(
  encryptionKey: Uint8Array<ArrayBuffer>,
  webhook: KeptSecrets,
  now: number,
): Promise<OpenSecrets> {
  const { id, secretEncrypted, previousSecretEncrypted, graceExpiresAt } = webhook;
  const isRotating =
    previousSecretEncrypted !== null && graceExpiresAt !== null && graceExpiresAt > now;
  const kept = isRotating ? [secretEncrypted, previousSecretEncrypted] : [secretEncrypted];
  const [current = "", previous] = await Promise.all(
    kept.map((encrypted) => openSecret(encryptionKey, id, encrypted)),
  );
  return { current, previous: previous ?? null, graceExpiresAt: graceExpiresAt ?? 0 };
}

/**
 * Returns the decrypted secrets that sign a delivery at `now`: the current secret and, while it is
 * valid, the previous secret.
 */
export function secretsInForce(
  { current, previous, graceExpiresAt }: OpenSecrets,
  now: number,
): string[] {
  return previous !== null && graceExpiresAt > now ? [current, previous] : [current];
}

function contextOf(webhookId: string): string {
  return `webhook ${webhookId}`;
}
