// Changes what a team manages during a storm: a template, a webhook, an API key, the team's
// settings, and suppressions. A script repeats each change until the change is certain, and makes
// it only once. So the audit trail must have exactly one entry for it (check-trail.ts).
import { Chance } from "../chance.ts";
import type { ChaosTarget } from "../clients.ts";
import { type ChangeMaker, type MadeChange, makerOf } from "./change-maker.ts";
import { changeKey, changeSettings, changeWebhook } from "./settings-scripts.ts";
import { changeTemplate } from "./template-script.ts";
import { importSuppressions, suppressAddresses } from "./suppression-scripts.ts";

type Script = (maker: ChangeMaker) => Promise<void>;

const SCRIPTS: readonly Script[] = [
  changeTemplate,
  changeWebhook,
  changeKey,
  changeSettings,
  suppressAddresses,
  importSuppressions,
];
const SCRIPTS_A_ROUND = 4;

/** Runs some of the scripts concurrently. Adds each change to `made` as soon as it is certain. */
export async function makeChanges(
  target: ChaosTarget,
  { seed, round }: { readonly seed: number; readonly round: number },
  made: MadeChange[],
): Promise<void> {
  const chance = new Chance(`${seed}/${round}/changes`);
  const maker = makerOf(target, `s${seed}r${round}`, chance, made);
  const scripts = chance.some("script", SCRIPTS, SCRIPTS_A_ROUND);
  await Promise.all(scripts.map((script) => script(maker)));
}
