// Consumes the DNS_CLEANUP queue: removes the DNS records that the service published for deleted
// domains (docs/dns.md §The records API). Each job is acknowledged, retried or given up on its own.
// Removing a record twice is harmless.
import { type Env } from "../../env.ts";
import { type Settings, settingsOf } from "../../settings.ts";
import { logError } from "../../lib/log.ts";
import { giveUp, retryOrGiveUp } from "../dead-letters/failed-jobs.ts";
import { removeRecord, removeTxtNamed } from "./publisher.ts";
import type { DnsCleanupJob } from "../../rpc/queue-jobs.ts";
import { domainExists } from "./store.ts";

const QUEUE = "postern-dns-cleanup";
const FIRST_RETRY_SECONDS = 10;
const LONGEST_RETRY_SECONDS = 3_600;
/** If the domain still exists at this attempt, it was not deleted, and its records stay. */
const ATTEMPTS_FOR_EXISTING_DOMAIN = 4;

export async function consumeDnsCleanup(batch: MessageBatch, env: Env): Promise<void> {
  const settings = settingsOf(env);
  await Promise.all(batch.messages.map((message) => consume(message, env, settings)));
}

async function consume(message: Message, env: Env, settings: Settings): Promise<void> {
  if (!isJob(message)) return giveUp(env, QUEUE, message, "the body is not a job");
  try {
    if (await isDone(message, env, settings)) message.ack();
    else await retry(env, message, "not all records could be removed");
  } catch (error) {
    logError("dns.cleanup_failed", error, {
      domain_id: message.body.domainId,
      attempts: message.attempts,
    });
    await retry(env, message, error);
  }
}

function isJob(message: Message): message is Message<DnsCleanupJob> {
  const body = message.body as Partial<DnsCleanupJob> | null | undefined;
  return areStrings(body?.recordIds) && (body?.names === undefined || areStrings(body.names));
}

function areStrings(value: unknown): boolean {
  return Array.isArray(value) && value.every((one) => typeof one === "string");
}

async function isDone(
  { body, attempts }: Message<DnsCleanupJob>,
  env: Env,
  settings: Settings,
): Promise<boolean> {
  if (body.domainId !== undefined && (await domainExists(env.DB, body.domainId)))
    return attempts >= ATTEMPTS_FOR_EXISTING_DOMAIN;
  const removed = await Promise.all([
    ...body.recordIds.map((id) => removeRecord(settings, id)),
    ...(body.names ?? []).map((name) => removeTxtNamed(settings, name)),
  ]);
  return removed.every(Boolean);
}

function retry(env: Env, message: Message<DnsCleanupJob>, reason: unknown): Promise<void> {
  const delaySeconds = Math.min(
    FIRST_RETRY_SECONDS * 2 ** (message.attempts - 1),
    LONGEST_RETRY_SECONDS,
  );
  return retryOrGiveUp(env, QUEUE, message, reason, delaySeconds);
}
