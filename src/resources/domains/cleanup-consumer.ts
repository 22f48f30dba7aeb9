// The consumer of the DNS_CLEANUP queue: removes what the service published for domains that are gone (spec.md DELETE /domains/{id}, design.md section 7).
// Each job is acknowledged or retried on its own; removing twice is harmless.
import { type Env, type Settings, settingsOf } from "../../env.ts";
import { logError } from "../../lib/log.ts";
import { type DnsCleanupJob, removeRecord, removeTxtNamed } from "./publisher.ts";
import { domainExists } from "./store.ts";

const FIRST_RETRY_SECONDS = 10;
const LONGEST_RETRY_SECONDS = 3_600;
/** After so many looks a domain that still exists was not deleted after all. */
const LOOKS_AT_LIVING_DOMAIN = 4;

export async function consumeDnsCleanup(batch: MessageBatch<DnsCleanupJob>, env: Env): Promise<void> {
  const settings = settingsOf(env);
  await Promise.all(batch.messages.map((message) => consume(message, env, settings)));
}

async function consume(message: Message<DnsCleanupJob>, env: Env, settings: Settings): Promise<void> {
  try {
    if (await isDone(message, env, settings)) message.ack();
    else retry(message);
  } catch (error) {
    logError("dns.cleanup_failed", error, { attempts: message.attempts });
    retry(message);
  }
}

async function isDone({ body, attempts }: Message<DnsCleanupJob>, env: Env, settings: Settings): Promise<boolean> {
  if (body.domainId !== undefined && (await domainExists(env.DB, body.domainId))) return attempts >= LOOKS_AT_LIVING_DOMAIN;
  const removed = await Promise.all([
    ...body.recordIds.map((id) => removeRecord(settings, id)),
    ...(body.names ?? []).map((name) => removeTxtNamed(settings, name)),
  ]);
  return removed.every(Boolean);
}

function retry(message: Message<DnsCleanupJob>): void {
  message.retry({ delaySeconds: Math.min(FIRST_RETRY_SECONDS * 2 ** (message.attempts - 1), LONGEST_RETRY_SECONDS) });
}
