// Creates and deletes a domain (contract.md §DNS records): its DKIM records are published before
// its row exists, and a creation that fails takes them back. A record that can't be taken back at
// once waits in the DNS_CLEANUP queue.
import type { Scope } from "../../db/client.ts";
import type { Env } from "../../env.ts";
import { encodeBase32 } from "../../lib/crypto/base32.ts";
import { newId } from "../../lib/ids.ts";
import { logWarning } from "../../lib/log.ts";
import { refuse } from "../../refusal.ts";
import { forgetSigningKey, generateKeys } from "./dkim-keys.ts";
import { parseDomainName } from "./domain-name.ts";
import { dkimHost, SELECTORS } from "./record-names.ts";
import { type Publication, publishTxt, removeRecord, type TxtRecord } from "./publisher.ts";
import type { Settings } from "../../settings.ts";
import { getDomain, hasDomain, insertDomain, removeDomain, type StoredDomain } from "./store.ts";

const TARGET_LABEL_BYTES = 10;
/** Long enough for the deletion that follows to have ended. */
const DELETED_CLEANUP_DELAY_SECONDS = 2;
/** Long enough for a call or statement of unknown outcome to have had one. */
const DOUBTFUL_CLEANUP_DELAY_SECONDS = 60;

/**
 * Creates a pending domain with two published keys. Refuses: 422 `name`, 503 when the records can't
 * be published.
 */
export async function createDomain(
  env: Env,
  settings: Settings,
  scope: Scope,
  given: string,
  now: number,
): Promise<StoredDomain> {
  const parsed = parseDomainName(given, settings.serviceDomain);
  if (parsed.kind === "refused") throw refuse("invalid", { errors: { name: [parsed.reason] } });
  const { name } = parsed;
  if (await hasDomain(scope, name)) throw duplicate();
  const id = newId("domain");
  const targetLabel = encodeBase32(crypto.getRandomValues(new Uint8Array(TARGET_LABEL_BYTES)));
  const keys = await generateKeys(settings.keyEncryptionKey, id, SELECTORS);
  const records = keys.map(({ selector, publicKey }) => ({
    name: dkimHost(targetLabel, selector, settings.serviceDomain),
    text: `v=DKIM1; k=rsa; p=${publicKey}`,
  }));
  const publishedRecordIds = await publish(env, settings, id, records);
  let inserted: boolean | undefined;
  try {
    inserted = await insertDomain(
      scope,
      { ...PENDING, id, name, targetLabel, publishedRecordIds, createdAt: now },
      keys,
    );
  } finally {
    // A statement that failed may have been carried out: then the row is there, and its records
    // must stay.
    if (inserted === undefined)
      await env.DNS_CLEANUP.send(
        { recordIds: publishedRecordIds, domainId: id },
        { delaySeconds: DOUBTFUL_CLEANUP_DELAY_SECONDS },
      );
  }
  if (!inserted) {
    await withdraw(env, settings, publishedRecordIds, []);
    throw duplicate();
  }
  return getDomain(scope, id);
}

/** Deletes a domain with its keys; its published records follow. Refuses: 404. */
export async function deleteDomain(env: Env, scope: Scope, id: string): Promise<void> {
  const domain = await getDomain(scope, id);
  // Before the row goes: it is the only place that knows the records' ids.
  await env.DNS_CLEANUP.send(
    { recordIds: domain.publishedRecordIds, domainId: id },
    { delaySeconds: DELETED_CLEANUP_DELAY_SECONDS },
  );
  await removeDomain(scope, domain);
  forgetSigningKey(id);
}

const PENDING = {
  status: "pending",
  failureCode: null,
  failureMessage: null,
  opensEnabled: false,
  clicksEnabled: false,
  trackingSubdomain: null,
  trackingHost: null,
  trackingStatus: "disabled",
  trackingFailureCode: null,
  trackingFailureMessage: null,
  trackingVerifiedAt: null,
  verifiedAt: null,
} as const;

/** Publishes all records or none; the provider's ids. */
async function publish(
  env: Env,
  settings: Settings,
  domainId: string,
  records: readonly TxtRecord[],
): Promise<string[]> {
  const outcomes = await Promise.all(
    records.map(async (record) => ({ record, outcome: await publishTxt(settings, record) })),
  );
  const recordIds = outcomes.flatMap(({ outcome }) =>
    outcome.kind === "published" ? [outcome.recordId] : [],
  );
  if (recordIds.length === records.length) return recordIds;
  logWarning("dns.publication_failed", {
    domain_id: domainId,
    reason: outcomes.map(({ outcome }) => describe(outcome)).join(", "),
  });
  await withdraw(
    env,
    settings,
    recordIds,
    outcomes.flatMap(({ record, outcome }) => (outcome.kind === "unclear" ? [record.name] : [])),
  );
  throw refuse("provisioning_failed");
}

/** Removes what was published, now if possible. */
async function withdraw(
  env: Env,
  settings: Settings,
  recordIds: readonly string[],
  names: readonly string[],
): Promise<void> {
  const removals = await Promise.all(
    recordIds.map(async (id) => ({ id, removed: await removeRecord(settings, id) })),
  );
  const left = removals.flatMap(({ id, removed }) => (removed ? [] : [id]));
  if (left.length > 0 || names.length > 0)
    await env.DNS_CLEANUP.send(
      { recordIds: left, names },
      { delaySeconds: DOUBTFUL_CLEANUP_DELAY_SECONDS },
    );
}

function describe(outcome: Publication): string {
  return outcome.kind === "published" ? "published" : `${outcome.kind}: ${outcome.reason}`;
}

function duplicate() {
  return refuse("invalid", { errors: { name: ["is already one of the team's domains"] } });
}
