// Consumes the DNS_CLEANUP queue. Its jobs remove what the service made for deleted domains: DNS
// records (docs/dns.md §The records API), custom hostnames and onboardings to Cloudflare's Email
// Service. Other jobs make onboardings. Each job is acknowledged, retried or given up separately. A
// job may run twice without harm.
import { coreWith } from "../../db/core-shards.ts";
import { retryDelaySeconds } from "../../retry-delay.ts";
import { type Env } from "../../env.ts";
import { type Settings, settingsOf } from "../../settings.ts";
import { logError } from "../../lib/log.ts";
import { giveUp, retryOrGiveUp } from "../dead-letters/failed-jobs.ts";
import { eventsQueueBeside } from "../dead-letters/job-queues.ts";
import { offboardName } from "./onboarding/offboard.ts";
import { onboardDomain } from "./onboarding/onboard.ts";
import { removeRecord, removeTxtNamed } from "./publisher.ts";
import { releaseHost } from "./tracking-hosts/release-host.ts";
import type { DnsCleanupJob, DnsJob } from "../../rpc/queue-jobs.ts";
import { domainExists } from "./store.ts";

const QUEUE = "postern-dns-cleanup";
const CLEANUP_WAITS = { firstSeconds: 10, longestSeconds: 3_600 };
/** A domain that still exists at this attempt was not deleted, so its DNS records must stay. */
const ATTEMPTS_FOR_EXISTING_DOMAIN = 4;
const DOMAIN_EXISTS = "the domain exists";

export async function consumeDnsCleanup(batch: MessageBatch, env: Env): Promise<void> {
  const settings = settingsOf(env);
  const eventsQueue = eventsQueueBeside(batch.queue);
  await Promise.all(batch.messages.map((message) => consume(message, env, settings, eventsQueue)));
}

async function consume(
  message: Message,
  env: Env,
  settings: Settings,
  eventsQueue: string,
): Promise<void> {
  if (!isJob(message)) return giveUp(env, QUEUE, message, "the body is not a job");
  try {
    const left = await findWorkLeft(message, env, settings, eventsQueue);
    if (left === null) message.ack();
    else await retry(env, message, left);
  } catch (error) {
    logError("dns.cleanup_failed", error, {
      domain_id: "domainId" in message.body ? message.body.domainId : undefined,
      attempts: message.attempts,
    });
    await retry(env, message, error);
  }
}

function isJob(message: Message): message is Message<DnsJob> {
  const body = message.body as Readonly<Record<string, unknown>> | null | undefined;
  if (typeof body?.["offboard"] === "string" || typeof body?.["releaseHost"] === "string")
    return true;
  if (typeof body?.["onboard"] === "string") return typeof body["domainId"] === "string";
  return (
    areStrings(body?.["recordIds"]) && (body?.["names"] === undefined || areStrings(body["names"]))
  );
}

function areStrings(value: unknown): boolean {
  return Array.isArray(value) && value.every((one) => typeof one === "string");
}

/** Does the job. Returns null when the job is done, or the reason to retry it. */
async function findWorkLeft(
  { body, attempts }: Message<DnsJob>,
  env: Env,
  settings: Settings,
  eventsQueue: string,
): Promise<string | null> {
  if ("onboard" in body) return onboardDomain(env, settings, eventsQueue, body);
  if ("releaseHost" in body) return releaseHost(env, settings, body.releaseHost);
  const mayExist = attempts < ATTEMPTS_FOR_EXISTING_DOMAIN;
  if ("offboard" in body) {
    const isOver = await offboardName(env, settings, eventsQueue, body.offboard);
    return isOver || !mayExist ? null : DOMAIN_EXISTS;
  }
  const { domainId } = body;
  if (domainId !== undefined && (await domainExists(coreWith(env, domainId), domainId)))
    return mayExist ? DOMAIN_EXISTS : null;
  return (await removeRecords(settings, body)) ? null : "not all records could be removed";
}

async function removeRecords(
  settings: Settings,
  { recordIds, names = [] }: DnsCleanupJob,
): Promise<boolean> {
  const removed = await Promise.all([
    ...recordIds.map((id) => removeRecord(settings, id)),
    ...names.map((name) => removeTxtNamed(settings, name)),
  ]);
  return removed.every(Boolean);
}

function retry(env: Env, message: Message<DnsJob>, reason: unknown): Promise<void> {
  const delaySeconds = retryDelaySeconds(CLEANUP_WAITS, message.attempts);
  return retryOrGiveUp(env, QUEUE, message, reason, delaySeconds);
}
