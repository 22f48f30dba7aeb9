// Creates a team with a key and a verified sending domain. The operator API creates the team. This
// file writes the domain into the database as if it were verified, because verification needs a DNS
// server. It encrypts the domain's DKIM key as in src/resources/domains/dkim-keys.ts.
import {
  createCipheriv,
  createPrivateKey,
  createPublicKey,
  generateKeyPairSync,
  randomBytes,
  randomUUID,
} from "node:crypto";
import { SENDER_DOMAIN } from "./sample-message.ts";
import type { Worker } from "./workerd.ts";

/** The members of a worker that this file needs. */
type TenantWorker = Pick<Worker, "origin" | "stores" | "errors">;

export interface Tenant {
  readonly origin: string;
  readonly teamId: string;
  readonly apiKey: string;
}

export const ADMIN_TOKEN = "bench-admin-token-0123456789abcdef";
export const GATEWAY_TOKEN = "bench-gateway-token";
export const SELECTOR = "bench";

const ENCRYPTION_KEY = randomBytes(32);
const NONCE_BYTES = 12;
const PLENTY = 1_000_000_000;

/**
 * Variables that are added to those of the configuration, so that a worker needs only this machine.
 * No program listens on port 9.
 */
export const VARS: Readonly<Record<string, string>> = {
  SERVICE_DOMAIN: "postern.example",
  OUTBOUND: "gateway",
  ADMIN_TOKEN,
  GATEWAY_TOKEN,
  SIGNING_KEY: randomBytes(32).toString("hex"),
  KEY_ENCRYPTION_KEY: ENCRYPTION_KEY.toString("base64"),
  DNS_API_TOKEN: "unused",
  DNS_ZONE_ID: "unused",
  EGRESS_URL: "http://127.0.0.1:9",
  DNS_RESOLVER_URL: "http://127.0.0.1:9/dns-query",
  DNS_API_URL: "http://127.0.0.1:9/client/v4",
};

/**
 * Makes an RSA-2048 key for the sending domain, in PEM. The worker and a peer sign with the same
 * key.
 */
export function newDkimKey(): string {
  return generateKeyPairSync("rsa", { modulusLength: 2048 }).privateKey.export({
    type: "pkcs8",
    format: "pem",
  }) as string;
}

/**
 * Creates a team whose only limit is `deliveryRatePerMinute`. SENDER_DOMAIN is verified for the
 * team.
 */
export async function createTenant(
  worker: TenantWorker,
  deliveryRatePerMinute = PLENTY,
  dkimKey = newDkimKey(),
): Promise<Tenant> {
  const response = await fetch(`${worker.origin}/admin/teams`, {
    method: "POST",
    headers: { Authorization: `Bearer ${ADMIN_TOKEN}`, "Content-Type": "application/json" },
    body: JSON.stringify({
      name: "Bench",
      limits: {
        daily: PLENTY,
        monthly: PLENTY,
        delivery_rate_per_minute: deliveryRatePerMinute,
        requests_per_second: 1_000_000,
      },
      label_caps: {
        tags_per_hour: PLENTY,
        topic_per_hour: PLENTY,
        campaign_per_hour: PLENTY,
        campaign_per_72_hours: PLENTY,
      },
    }),
  });
  const text = await response.text();
  if (response.status !== 201)
    throw new Error(`POST /admin/teams: ${response.status} ${text}\n${worker.errors().join("\n")}`);
  const team = JSON.parse(text) as {
    readonly id: string;
    readonly api_key: { readonly key: string };
  };
  await insertDomain(worker, team.id, dkimKey);
  return { origin: worker.origin, teamId: team.id, apiKey: team.api_key.key };
}

async function insertDomain(worker: TenantWorker, teamId: string, dkimKey: string): Promise<void> {
  const id = `domain_${randomUUID()}`;
  const now = Date.now();
  await worker.stores.run(
    "DB",
    `INSERT INTO domains (id, team_id, name, status, target_label, published_record_ids, tracking_status, created_at, verified_at)
     VALUES (?1, ?2, ?3, 'verified', ?4, '[]', 'disabled', ?5, ?5)`,
    id,
    teamId,
    SENDER_DOMAIN,
    randomBytes(8).toString("hex"),
    now,
  );
  const key = createPrivateKey(dkimKey);
  const publicKey = createPublicKey(dkimKey)
    .export({ type: "spki", format: "der" })
    .toString("base64");
  await worker.stores.run(
    "DB",
    "INSERT INTO dkim_keys (domain_id, selector, active, public_key, private_key_encrypted, " +
      "created_at) VALUES (?1, ?2, 1, ?3, ?4, ?5)",
    id,
    SELECTOR,
    publicKey,
    encrypt(key.export({ type: "pkcs8", format: "der" }), `dkim ${id} ${SELECTOR}`),
    now,
  );
}

/** Encrypts with AES-256-GCM. Returns base64 of nonce, ciphertext and tag. */
function encrypt(plain: Buffer, binding: string): string {
  const nonce = randomBytes(NONCE_BYTES);
  const cipher = createCipheriv("aes-256-gcm", ENCRYPTION_KEY, nonce).setAAD(Buffer.from(binding));
  return Buffer.concat([nonce, cipher.update(plain), cipher.final(), cipher.getAuthTag()]).toString(
    "base64",
  );
}
