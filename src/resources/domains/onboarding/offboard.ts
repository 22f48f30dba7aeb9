// Removes an onboarding that the service made, if no team has a domain of this name any more
// (decision 0026). A job of the DNS_CLEANUP queue calls it.
import { sharedCore } from "../../../db/core-shards.ts";
import type { Env } from "../../../env.ts";
import type { Settings } from "../../../settings.ts";
import {
  disableSending,
  queueIdOf,
  sendingDomain,
  subscriptionTo,
  unsubscribe,
} from "./account-calls.ts";
import { findOnboarded, forgetOnboarded, isNameUsed } from "./store.ts";

/** Removes the onboarding. Returns false if a domain of this name exists. */
export async function offboardName(
  env: Env,
  settings: Settings,
  eventsQueue: string,
  name: string,
): Promise<boolean> {
  const onboarded = await findOnboarded(sharedCore(env), name);
  if (onboarded === null) return true;
  if (await isNameUsed(env, name)) return false;
  const queueId = await queueIdOf(settings, onboarded, eventsQueue);
  const subscription =
    queueId === null ? null : await subscriptionTo(settings, onboarded, name, queueId);
  if (subscription !== null) await unsubscribe(settings, onboarded, subscription);
  const known = await sendingDomain(settings, onboarded, name);
  if (known !== null) await disableSending(settings, onboarded, known);
  await forgetOnboarded(sharedCore(env), name);
  return true;
}
