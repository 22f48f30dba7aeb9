// Onboards a domain to Cloudflare's Email Service, and stores the onboarding's state (contract.md
// §Verification, decision 0026). A job of the DNS_CLEANUP queue calls it. Verification queues the
// job after it has proven the team's own records.
import { coreWith, sharedCore } from "../../../db/core-shards.ts";
import type { Onboarding } from "../../../db/core-schema.ts";
import type { Env } from "../../../env.ts";
import type { OnboardingJob } from "../../../rpc/queue-jobs.ts";
import type { Settings } from "../../../settings.ts";
import { dnsResolver } from "../resolver.ts";
import { domainExists } from "../store.ts";
import {
  ApiProblem,
  enableSending,
  queueIdOf,
  sendingDomain,
  type SendingZone,
  subscribe,
  subscriptionTo,
  zoneOf,
} from "./account-calls.ts";
import { findOtherMail } from "./other-mail.ts";
import {
  findOnboarded,
  forgetOnboarded,
  isNameUsed,
  rememberOnboarded,
  setOnboarding,
} from "./store.ts";

type Progress = Omit<Onboarding, "at">;

/**
 * Does the job. Returns null when the job is done, or the reason to retry it. `eventsQueue` is the
 * name of the queue for the domain's events.
 */
export async function onboardDomain(
  env: Env,
  settings: Settings,
  eventsQueue: string,
  { onboard: name, domainId }: OnboardingJob,
): Promise<string | null> {
  let left: string | null = null;
  if (await domainExists(coreWith(env, domainId), domainId)) {
    const progress = await makeProgress(env, settings, eventsQueue, name);
    await setOnboarding(env, domainId, { ...progress, at: Date.now() });
    if (progress.status === "waiting") left = progress.message;
  }
  if (await isNameUsed(env, name)) return left;
  // The domain was deleted during this job. The deletion may not have seen that the service
  // onboarded the name, so the job queues the removal.
  if (await findOnboarded(sharedCore(env), name)) await env.DNS_CLEANUP.send({ offboard: name });
  return null;
}

async function makeProgress(
  env: Env,
  settings: Settings,
  eventsQueue: string,
  name: string,
): Promise<Progress> {
  if (settings.emailApiToken === "")
    return toRefused("The service no longer has an EMAIL_API_TOKEN.");
  const other = await findOtherMail(dnsResolver(settings.dnsResolverUrl), name);
  if (other.kind === "others") return toRefused(other.message);
  if (other.kind === "unknown") return { status: "waiting", code: null, message: other.message };
  try {
    return await callCloudflare(env, settings, eventsQueue, name);
  } catch (error) {
    if (!(error instanceof ApiProblem)) throw error;
    const { code, message, isFinal } = error;
    if (isFinal) return { status: "refused", code, message };
    return { status: "waiting", code, message: `${message} The service retries automatically.` };
  }
}

/**
 * Makes the missing objects at Cloudflare. Reads all objects first, so that a missing permission of
 * the token does not leave an incomplete onboarding.
 */
async function callCloudflare(
  env: Env,
  settings: Settings,
  eventsQueue: string,
  name: string,
): Promise<Progress> {
  const zone = await zoneOf(settings, name);
  if (zone === null) return toRefused(`${name} is in no zone that EMAIL_API_TOKEN can read.`);
  const queueId = await queueIdOf(settings, zone, eventsQueue);
  if (queueId === null) return toRefused(`The account does not have the queue ${eventsQueue}.`);
  const subscription = await subscriptionTo(settings, zone, name, queueId);
  const known = await sendingDomain(settings, zone, name);
  if (known?.isEnabled === false)
    return toRefused(`Cloudflare has ${name}, and the operator switched its sending off.`);
  if (known === null) await enableAsOwn(env, settings, zone, name);
  if (subscription === null) await subscribe(settings, zone, name, queueId);
  return {
    status: "done",
    code: null,
    message: `${name} is onboarded to Cloudflare's Email Sending.`,
  };
}

/** Onboards the name. First records it, because Cloudflare's response may get lost. */
async function enableAsOwn(
  env: Env,
  settings: Settings,
  zone: SendingZone,
  name: string,
): Promise<void> {
  await rememberOnboarded(sharedCore(env), { name, ...zone, createdAt: Date.now() });
  try {
    await enableSending(settings, zone, name);
  } catch (error) {
    if (error instanceof ApiProblem && error.isFinal) await forgetOnboarded(sharedCore(env), name);
    throw error;
  }
}

function toRefused(message: string): Progress {
  return { status: "refused", code: null, message };
}
