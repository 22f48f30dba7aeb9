// `npm run setup` creates a deployment from nothing, up to a first delivered message
// (docs/set-up.md). Every step may run again, because it recognises objects that exist.
import { parseArgs } from "node:util";
import { type SetupCommand, withUsage } from "./run-command.ts";
import { gatewayInstructions, submissionInstructions } from "./gateway-instructions.ts";
import {
  type ConflictPolicy,
  type Context,
  newContext,
  type SetupOptions,
  type Step,
} from "./setup-context.ts";
import { SetupProblem } from "./setup-problem.ts";
import type { CommandEnvironment } from "./run-wrangler.ts";
import { type EndedRun, runSteps } from "./steps/run-steps.ts";
import { databases } from "./steps/databases.ts";
import { deploy } from "./steps/deploy-worker.ts";
import { mailboxes } from "./steps/route-mailboxes.ts";
import { programs } from "./steps/admit-programs.ts";
import { emailService } from "./steps/onboard-sending.ts";
import { health } from "./steps/worker-health.ts";
import { trackingHosts } from "./steps/lead-tracking-hosts.ts";
import { login } from "./steps/login.ts";
import { message } from "./steps/test-message.ts";
import { preflight } from "./steps/preflight.ts";
import { queues } from "./steps/create-queues.ts";
import { records } from "./steps/publish-records.ts";
import { secrets } from "./steps/store-secrets.ts";
import { sendingDomain } from "./steps/add-sending-domain.ts";
import { stores } from "./steps/keep-in-jurisdiction.ts";
import { settings } from "./steps/write-settings.ts";
import { team } from "./steps/first-team.ts";
import { zone } from "./steps/zone.ts";

const STEPS: readonly Step[] = [
  login,
  settings,
  zone,
  preflight,
  stores,
  records,
  queues,
  databases,
  secrets,
  deploy,
  health,
  programs,
  mailboxes,
  team,
  emailService,
  sendingDomain,
  message,
  trackingHosts,
];
const POLICIES: readonly ConflictPolicy[] = ["stop", "replace", "keep"];

const USAGE = `npm run setup [-- --yes] [--dry-run] [--dns-conflict=stop|replace|keep]

  --yes            asks nothing: answers come from the environment, an earlier run or the defaults
  --dry-run        changes nothing, and names each change to make and each object that it can't check
  --dns-conflict   stop at, replace or keep another record where set-up publishes its own; default stop

Variables for the answers: docs/set-up.md.`;

export const setUp: SetupCommand = async (args, around) => {
  const options = optionsFrom(args, around.environment);
  if (options === null) {
    around.output.write(`${USAGE}\n`);
    return true;
  }
  const context = newContext(options, around);
  const { terminal: screen } = context;
  const unlock = context.file.lock();
  screen.say(`\nPostern set-up${options.dryRun ? " (dry run: nothing is changed)" : ""}\n`);
  const ended = await runSteps(STEPS, context).finally(unlock);
  screen.close();
  if (ended === "failed") return false;
  for (const line of options.dryRun ? ["", dryRunWords(ended)] : closingLines(context, ended))
    screen.say(line);
  return true;
};

function dryRunWords(ended: EndedRun): string {
  if (ended === "unseen")
    return (
      "Nothing was changed. Some objects could not be checked and may already exist: follow " +
      "the arrows, and run this again."
    );
  return ended === "nothing"
    ? "Nothing was changed, and a run without --dry-run would change nothing."
    : "Nothing was changed.";
}

function closingLines(context: Context, ended: EndedRun): string[] {
  const { settings: known, file } = context;
  return [
    ...(ended === "nothing" ? ["", "Everything already existed: nothing was changed."] : []),
    "",
    `The API is at ${known["PUBLIC_URL"]}, its reference at ${known["PUBLIC_URL"]}/docs.`,
    ...gatewayInstructions(context),
    ...submissionInstructions(context),
    `This run's data is in ${file.path}: keep it. Run npm run setup again whenever ` +
      "something changed, and npm run deploy for a new version.",
    nextLine(context),
  ];
}

function nextLine({ settings: known }: Context): string {
  return known["OUTBOUND"] === "cloudflare"
    ? "Next: npm run doctor -- --send <your own address>, which sends a real message and waits " +
        "for the event about it."
    : "Next: npm run doctor, which lists remaining faults, including the gateway's.";
}

/** Returns null if the user asked for help. Throws a SetupProblem for an unknown option. */
function optionsFrom(
  args: readonly string[],
  environment: CommandEnvironment,
): SetupOptions | null {
  const options = {
    yes: { type: "boolean", short: "y", default: false },
    "dry-run": { type: "boolean", default: false },
    "dns-conflict": { type: "string", default: environment["DNS_CONFLICT"] || "stop" },
    help: { type: "boolean", short: "h", default: false },
  } as const;
  const { values } = withUsage(USAGE, () => parseArgs({ args: [...args], options }));
  const onConflict = POLICIES.find((policy) => policy === values["dns-conflict"]);
  if (onConflict === undefined)
    throw new SetupProblem(`--dns-conflict is one of ${POLICIES.join(", ")}`);
  return values.help ? null : { yes: values.yes, dryRun: values["dry-run"], onConflict };
}
