// Creates a verified sending domain with real DKIM keys, by writing its rows instead of verifying
// it by DNS.
import { coreShardOf, coreWith, newIdOn } from "../../src/db/core-shards.ts";
import { generateKeys } from "../../src/resources/domains/dkim-keys.ts";
import { settingsOf } from "../../src/settings.ts";
import { bindings } from "./api.ts";
import { everyCore } from "./every-core.ts";

let made = 0;

/** Returns the new domain's name, which is unique. */
export async function makeSendingDomain(teamId: string, name?: string): Promise<string> {
  made += 1;
  const domain = name ?? `sender-${made}-${crypto.randomUUID().slice(0, 8)}.example`;
  const id = newIdOn(coreShardOf(teamId), "domain");
  const core = coreWith(bindings, teamId);
  const now = Date.now();
  const [key] = await generateKeys(settingsOf(bindings).keyEncryptionKey, id, ["ps1"]);
  if (!key) throw new Error("no key");
  await core.batch([
    core
      .prepare(
        "INSERT INTO domains (id, team_id, name, status, target_label, published_record_ids, " +
          "tracking_status, created_at, verified_at) VALUES (?, ?, ?, 'verified', ?, '[]', " +
          "'disabled', ?, ?)",
      )
      .bind(id, teamId, domain, crypto.randomUUID(), now, now),
    core
      .prepare(
        "INSERT INTO dkim_keys (domain_id, selector, active, public_key, " +
          "private_key_encrypted, created_at) VALUES (?, ?, 1, ?, ?, ?)",
      )
      .bind(id, key.selector, key.publicKey, key.privateKeyEncrypted, now),
  ]);
  return domain;
}

/** Returns the id of a domain that makeSendingDomain() made. */
export async function idOfDomain(name: string): Promise<string> {
  const id = await everyCore
    .prepare("SELECT id FROM domains WHERE name = ?")
    .bind(name)
    .first<string>("id");
  if (id === null) throw new Error(`no domain ${name}`);
  return id;
}
