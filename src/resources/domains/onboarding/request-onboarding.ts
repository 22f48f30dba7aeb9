// Requests a domain's onboarding to Cloudflare's Email Service if verification does not find the
// Email Service's records (contract.md §Verification). The caller has already proven the team's own
// records, because only these records show that the team owns the name.
import type { Onboarding } from "../../../db/core-schema.ts";
import type { Env } from "../../../env.ts";
import { HOUR_MS, MINUTE_MS } from "../../../limits.ts";
import type { Settings } from "../../../settings.ts";
import { askOperator } from "../email-service-records.ts";
import type { Resolver } from "../resolver.ts";
import type { StoredDomain } from "../store.ts";
import { findOtherMail } from "./other-mail.ts";
import { setOnboarding } from "./store.ts";

/**
 * The time after which the service asks again, by the onboarding's state. `refused`: the operator
 * may have fixed the cause. `done`: the operator may have removed the onboarding at Cloudflare.
 * `waiting`: the job was lost. Each attempt of a running job renews the time.
 */
const ASK_AGAIN_MS: Readonly<Record<Onboarding["status"], number>> = {
  refused: MINUTE_MS,
  done: 10 * MINUTE_MS,
  waiting: 2 * HOUR_MS,
};

const JOB_DELAY_SECONDS = 2;

/** Queues the onboarding if it is due. Returns sentences about the next step. */
export async function requestOnboarding(
  env: Env,
  settings: Settings,
  resolver: Resolver,
  { id, name, onboarding }: StoredDomain,
  now: number,
): Promise<string> {
  if (settings.emailApiToken === "") return askOperator(name);
  const other = await findOtherMail(resolver, name);
  if (other.kind === "others") return `${other.message} ${askOperator(name)}`;
  if (other.kind === "unknown") return other.message;
  if (onboarding !== null && now - onboarding.at < ASK_AGAIN_MS[onboarding.status])
    return explain(onboarding, name);
  // The delay lets this request store its state first. Otherwise it could overwrite the job's
  // state.
  await env.DNS_CLEANUP.send({ onboard: name, domainId: id }, { delaySeconds: JOB_DELAY_SECONDS });
  // A refusal stays readable until the job has a new result.
  const next: Onboarding =
    onboarding?.status === "refused"
      ? { ...onboarding, at: now }
      : {
          status: "waiting",
          code: null,
          message:
            `The service asks Cloudflare to onboard ${name}. Verify the domain again in a ` +
            "minute.",
          at: now,
        };
  await setOnboarding(env, id, next);
  return explain(next, name);
}

function explain({ status, message }: Onboarding, name: string): string {
  if (status === "refused") return `${message} ${askOperator(name)}`;
  return status === "waiting"
    ? message
    : `${message} DNS shows its records within minutes. Verify the domain again then.`;
}
