// Makes signing secrets, `whsec_` and the standard base64 of 32 random bytes (contract.md
// §Signatures). One rests encrypted under KEY_ENCRYPTION_KEY and bound to its webhook, since a
// delivery has to be signed with the secret itself and a hash would not do.
import { encodeBase64 } from "../../lib/crypto/base64.ts";
import { openBox, sealBox } from "../../lib/crypto/sealed-box.ts";
import type { WebhookRow } from "./store.ts";

const PREFIX = "whsec_";
const SECRET_BYTES = 32;
const PREFIX_SHOWN = 12; // `signing_secret_prefix` (contract.md §Signatures)

/** What a webhook's row holds of its secrets. */
type KeptSecrets = Pick<
  WebhookRow,
  "id" | "secretEncrypted" | "previousSecretEncrypted" | "graceExpiresAt"
>;

/** A secret with what is kept of it. */
export interface NewSecret {
  readonly secret: string;
  readonly secretPrefix: string;
  readonly secretEncrypted: string;
}

/** Each whole. */
export interface OpenSecrets {
  readonly current: string;
  readonly previous: string | null;
  /** Until when the previous one counts, Unix milliseconds. */
  readonly graceExpiresAt: number;
}

/** A new secret for the webhook of that id, from the platform's random source. */
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

/** The whole secret again, `whsec_` included. Throws when the key or the webhook is another one. */
export async function openSecret(
  encryptionKey: Uint8Array<ArrayBuffer>,
  webhookId: string,
  encrypted: string,
): Promise<string> {
  return new TextDecoder().decode(await openBox(encryptionKey, contextOf(webhookId), encrypted));
}

/**
 * The secrets that a delivery is signed with at `now`, each whole: the one in force and, until its
 * window ends, the previous one.
 */
export async function activeSecrets(
  encryptionKey: Uint8Array<ArrayBuffer>,
  webhook: KeptSecrets,
  now: number,
): Promise<string[]> {
  return secretsInForce(await openSecrets(encryptionKey, webhook, now), now);
}

/**
 * A webhook's secrets, to be kept in memory: the previous one is among them if its window is open
 * at `now`.
 */
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

/** What activeSecrets() gives, of secrets that were opened before. */
export function secretsInForce(
  { current, previous, graceExpiresAt }: OpenSecrets,
  now: number,
): string[] {
  return previous !== null && graceExpiresAt > now ? [current, previous] : [current];
}

function contextOf(webhookId: string): string {
  return `webhook ${webhookId}`;
}
