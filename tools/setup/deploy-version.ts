// `npm run deploy`: deploys a new version of an existing deployment. It uses the variables that
// set-up stored, because wrangler.toml has only example variables. If set-up stored none, as in a
// build at Cloudflare, the variables of wrangler.toml apply. wrangler's own deployment creates
// missing queues, databases and the bucket.
import { readStoredSettings } from "./ask-settings.ts";
import { dnsAddresses } from "./deploy-config.ts";
import type { SetupCommand } from "./run-command.ts";
import { newContext, type Step } from "./setup-context.ts";
import { SETTING_PROMPTS } from "./setting-prompts.ts";
import { runSteps } from "./steps/run-steps.ts";
import { databases } from "./steps/databases.ts";
import { stores } from "./steps/keep-in-jurisdiction.ts";
import { deployNow } from "./steps/deploy-worker.ts";
import { SetupProblem } from "./setup-problem.ts";

/**
 * The token of a build at Cloudflare may lack the right to D1. The build deploys even then. The
 * deployed worker reports that its schema is missing, and serves nothing else until the schema
 * exists.
 */
const databasesOfBuild: Step = {
  ...databases,
  async run(context) {
    try {
      return await databases.run(context);
    } catch (error) {
      if (!(error instanceof SetupProblem)) throw error;
      return {
        kind: "skipped",
        detail: `${error.message}: run npm run setup in a clone, which applies the migrations`,
      };
    }
  },
};

export const deployVersion: SetupCommand = async (_, around) => {
  const context = newContext({ yes: true, dryRun: false, onConflict: "stop" }, around);
  const { kept, environment, config, wrangler } = context;
  const answered = readStoredSettings(SETTING_PROMPTS, kept);
  const isSetUp = answered["SERVICE_DOMAIN"] !== undefined;
  if (isSetUp) {
    context.settings = {
      ...answered,
      ...dnsAddresses(config, environment),
      ...(kept.zone && { DNS_ZONE_ID: kept.zone.id }),
    };
    context.customDomain = kept.custom_domain ?? null;
    context.consoleDomain = kept.console_domain ?? null;
    wrangler.accountId ??= kept.account_id;
  }
  const steps = [stores, isSetUp ? databases : databasesOfBuild, deployNow];
  return (await runSteps(steps, context)) !== "failed";
};
