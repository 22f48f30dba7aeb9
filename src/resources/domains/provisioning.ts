// Creates and deletes a domain (contract.md §DNS records). The service publishes the DKIM records
// before it stores the domain's row. If the creation then fails, the service removes the records.
// If it cannot remove a record immediately, a job in the DNS_CLEANUP queue does.
import type { Scope } from "../../db/client.ts";
import { coreShardOf, newIdOn, sharedCore } from "../../db/core-shards.ts";
import type { Team } from "../../endpoint.ts";
import type { Env } from "../../env.ts";
import { encodeBase32 } from "../../lib/crypto/base32.ts";
import { logError, logWarning } from "../../lib/log.ts";
import { refuse, refuseMember } from "../../refusal.ts";
import { forgetSigningKey, generateKeys } from "./dkim-keys.ts";
import { parseDomainName } from "./domain-name.ts";
import { findOnboarded } from "./onboarding/store.ts";
import { listHostsOf } from "./tracking-hosts/store.ts";
import { dkimHost, SELECTORS } from "./record-names.ts";
import { type Publication, publishTxt, removeRecord, type TxtRecord } from "./publisher.ts";
import type { Settings } from "../../settings.ts";
import { getDomain, hasDomain, insertDomain, removeDomain, type StoredDomain } from "./store.ts";
import { reachLedger } from "../team-settings/reach-ledger.ts";

const TARGET_LABEL_BYTES = 10;
/**
 * The delay before a job removes the records of a deleted domain. After this time, the deletion is
 * complete.
 */
const AFTER_DELETION = { delaySeconds: 2 };
/**
 * The delay before a job removes records after a call or statement with an unknown outcome. After
 * this time, the call or statement has ended.
 */
const AFTER_DOUBT = { delaySeconds: 60 };

/**
 * Creates a pending domain with two published keys. Throws 422 for a name that is refused or
 * already added, and 503 if the records cannot be published.
 */
export async function createDomain(
  env: Env,
  settings: Settings,
  scope: Scope,
  given: string,
  now: number,
): Promise<StoredDomain> {
  const parsed = parseDomainName(given, settings.serviceDomain);
  if (parsed.kind === "refused") throw refuseMember("name", parsed.reason);
  const { name } = parsed;
  if (await hasDomain(scope, name)) throw duplicateError();
  const id = newIdOn(coreShardOf(scope.teamId), "domain");
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
    // The statement may have been executed although it failed. Then the row exists, and its records
    // must stay.
    if (inserted === undefined)
      await env.DNS_CLEANUP.send({ recordIds: publishedRecordIds, domainId: id }, AFTER_DOUBT);
  }
  if (!inserted) {
    await withdraw(env, settings, publishedRecordIds, []);
    throw duplicateError();
  }
  return getDomain(scope, id);
}

/**
 * Deletes a domain with its keys. Queues the removal of its published records. If the service made
 * an onboarding to Cloudflare's Email Service or custom hostnames for the domain, queues their
 * removal too.
 */
export async function deleteDomain(env: Env, scope: Scope, team: Team, id: string): Promise<void> {
  const domain = await getDomain(scope, id);
  // The job is queued before the row is deleted, because only the row has the records' ids.
  // Otherwise a failure of the queue would lose the ids.
  const { name, publishedRecordIds: recordIds } = domain;
  await env.DNS_CLEANUP.send({ recordIds, domainId: id }, AFTER_DELETION);
  if (await findOnboarded(sharedCore(env), name))
    await env.DNS_CLEANUP.send({ offboard: name }, AFTER_DELETION);
  for (const { host } of await listHostsOf(sharedCore(env), id))
    await env.DNS_CLEANUP.send({ releaseHost: host }, AFTER_DELETION);
  await removeDomain(scope, domain);
  forgetSigningKey(id);
  // The held mail of the domain gets its final outcome at once. If the ledger does not answer, the
  // hold's probes end this mail one message at a time.
  await reachLedger(env, team, (ledger) => ledger.dropDomain(name, Date.now())).catch(
    (error: unknown) => logError("held_mail_not_ended", error, { team_id: team.id }),
  );
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
  onboarding: null,
} as const;

/** Publishes all records or none. Returns the DNS provider's ids. */
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
    reason: outcomes.map(({ outcome }) => describeOutcome(outcome)).join(", "),
  });
  await withdraw(
    env,
    settings,
    recordIds,
    outcomes.flatMap(({ record, outcome }) => (outcome.kind === "unclear" ? [record.name] : [])),
  );
  const refused = outcomes.flatMap(({ outcome }) =>
    outcome.kind === "refused" ? [outcome.reason] : [],
  );
  throw refuse("provisioning_failed", { reason: refused[0] ?? null });
}

/** Removes published records, immediately if possible. */
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
    await env.DNS_CLEANUP.send({ recordIds: left, names }, AFTER_DOUBT);
}

function describeOutcome(outcome: Publication): string {
  return outcome.kind === "published" ? "published" : `${outcome.kind}: ${outcome.reason}`;
}

function duplicateError() {
  return refuseMember("name", "is already one of the team's domains");
}
