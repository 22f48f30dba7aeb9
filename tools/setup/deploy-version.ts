// `npm run deploy`: deploys a new version of an existing deployment. It uses the variables that
// set-up stored, because wrangler.toml has only the example's variables. If set-up stored none, as
// in a build at Cloudflare, the variables of wrangler.toml apply.
import { readStoredSettings } from "./ask-settings.ts";
import { dnsAddresses } from "./deploy-config.ts";
import type { SetupCommand } from "./run-command.ts";
import { newContext, type Step } from "./setup-context.ts";
import { SETTING_PROMPTS } from "./setting-prompts.ts";
import { runSteps } from "./steps/run-steps.ts";
import { databases } from "./steps/databases.ts";
import { deployNow } from "./steps/deploy-worker.ts";
import { queues } from "./steps/create-queues.ts";

const STEPS: readonly Step[] = [queues, databases, deployNow];

export const deployVersion: SetupCommand = async (_, around) => {
  const context = newContext({ yes: true, dryRun: false, onConflict: "stop" }, around);
  const { kept, environment, config, wrangler } = context;
  const answered = readStoredSettings(SETTING_PROMPTS, kept);
  if (answered["SERVICE_DOMAIN"] !== undefined) {
    context.settings = {
      ...answered,
      ...dnsAddresses(config, environment),
      ...(kept.zone && { DNS_ZONE_ID: kept.zone.id }),
    };
    context.customDomain = kept.custom_domain ?? null;
    wrangler.accountId ??= kept.account_id;
  }
  return (await runSteps(STEPS, context)) !== "failed";
};
