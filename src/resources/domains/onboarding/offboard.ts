// Removes an onboarding that the service made, as a job of the queue, when no team has a domain of
// the name any more (decision 0026).
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

/** Returns false if a domain of the name exists. Throws an ApiProblem. */
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
