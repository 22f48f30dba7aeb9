// Step: the questions are answered (setting-prompts.ts). The clients for the DNS API and the worker
// are created from the answers.
import { askSettings, storeSettings } from "../ask-settings.ts";
import { dnsAddresses } from "../deploy-config.ts";
import type { Step } from "../setup-context.ts";
import { DnsApi } from "../dns-api.ts";
import { SetupProblem } from "../setup-problem.ts";
import { type SettingPrompt, SETTING_PROMPTS } from "../setting-prompts.ts";
import { OperatorClient } from "../operator-client.ts";

const HOW_TO_BIND =
  'put [[send_email]] with name = "EMAIL" back into wrangler.toml (docs/couriers.md); then run ' +
  "this again";

/**
 * Returns the question, but makes DNS_API_TOKEN optional. Without this token, a dry run can't read
 * the zone, but it can print everything else.
 */
function withoutRequirement(question: SettingPrompt): SettingPrompt {
  return question.name === "DNS_API_TOKEN" ? { ...question, fallback: () => "" } : question;
}

export const settings: Step = {
  name: "settings",
  async run(context) {
    const { environment, kept, config, file, dryRun } = context;
    const before = JSON.stringify(kept.settings);
    const questions = dryRun ? SETTING_PROMPTS.map(withoutRequirement) : SETTING_PROMPTS;
    const answered = await askSettings(context, questions, {});
    if (answered["OUTBOUND"] === "cloudflare" && !config.bindsEmail)
      throw new SetupProblem(
        "OUTBOUND is cloudflare, but wrangler.toml has no binding send_email with the name EMAIL",
        HOW_TO_BIND,
      );
    storeSettings(SETTING_PROMPTS, answered, kept);
    file.save();
    context.settings = { ...answered, ...dnsAddresses(config, environment) };
    context.dns = new DnsApi(
      context.settings["DNS_API_URL"] ?? "",
      answered["DNS_API_TOKEN"] ?? "",
    );
    context.api = new OperatorClient(environment["API_URL"] || (answered["PUBLIC_URL"] ?? ""));
    const { SERVICE_DOMAIN, PUBLIC_URL, OUTBOUND, EGRESS_URL, SMTP_RELAY_HOST } = context.settings;
    const by = EGRESS_URL ?? SMTP_RELAY_HOST;
    const isNew = before !== JSON.stringify(kept.settings);
    return {
      kind: isNew ? (dryRun ? "would" : before === "{}" ? "done" : "changed") : "already",
      detail:
        `${SERVICE_DOMAIN} at ${PUBLIC_URL}, mail by ` +
        `${OUTBOUND}${by === undefined ? "" : ` (${by})`}`,
    };
  },
};
