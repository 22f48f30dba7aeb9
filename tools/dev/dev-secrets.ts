// Generates the secrets of the local service once, and stores them in the state directory. The
// workers of `npm start` and `npx wrangler dev` share these secrets. Each secret has a prefix that
// marks it as local. A worker with a service domain outside .test refuses to run with such a secret
// (src/lib/local-secrets.ts).
import { randomBytes } from "node:crypto";
import { join } from "node:path";
import { type Environment, StartProblem } from "./dev-settings.ts";
import { readStateFile, writeStateFile } from "./state-file.ts";

const TOKEN_START = "local-only-";
/** The prefix of local secrets in base64, which has no dash. */
const KEY_START = "local/only/";

export interface Secrets {
  readonly ADMIN_TOKEN: string;
  readonly GATEWAY_TOKEN: string;
  readonly SIGNING_KEY: string;
  readonly KEY_ENCRYPTION_KEY: string;
  readonly DNS_API_TOKEN: string;
}

/**
 * Reads the secrets from the state directory. At the first start, generates them. The environment
 * may set another ADMIN_TOKEN.
 */
export function loadSecrets(state: string, environment: Environment): Secrets {
  const path = join(state, "secrets.json");
  const kept = (readStateFile(path) ?? {}) as Partial<Secrets>;
  const secrets = {
    ADMIN_TOKEN: kept.ADMIN_TOKEN ?? token(24),
    GATEWAY_TOKEN: kept.GATEWAY_TOKEN ?? token(24),
    SIGNING_KEY: kept.SIGNING_KEY ?? token(32),
    KEY_ENCRYPTION_KEY: kept.KEY_ENCRYPTION_KEY ?? encryptionKey(),
    DNS_API_TOKEN: kept.DNS_API_TOKEN ?? token(24),
  };
  writeStateFile(path, secrets);
  const adminToken = environment["ADMIN_TOKEN"];
  if (!adminToken) return secrets;
  if (!/^[\x21-\x7e]{32,}$/.test(adminToken))
    throw new StartProblem("ADMIN_TOKEN needs at least 32 characters, all of them visible ASCII");
  return { ...secrets, ADMIN_TOKEN: adminToken };
}

function token(bytes: number): string {
  return TOKEN_START + randomBytes(bytes).toString("hex");
}

/**
 * Generates an encryption key: 32 bytes in base64. The first 8 bytes are the prefix, and the others
 * are random.
 */
function encryptionKey(): string {
  return KEY_START + randomBytes(32).toString("base64").slice(KEY_START.length);
}
