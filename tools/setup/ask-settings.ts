// Collects the answers to the questions (setting-prompts.ts) for one run. If set-up can't ask the
// operator, it reports all missing and wrong answers together.
import type { StoredSetup } from "./setup-file.ts";
import { SetupProblem } from "./setup-problem.ts";
import type { SettingPrompt, SetupSettings } from "./setting-prompts.ts";
import type { Context } from "./setup-context.ts";
import type { CommandEnvironment } from "./run-wrangler.ts";

/** The sources of answers: the environment, an earlier run, and the operator. */
type Answerer = Pick<Context, "environment" | "kept" | "terminal">;

/** Maximum number of tries for one question, because a pipe may give wrong answers without end. */
const TRIES = 3;

/**
 * Returns the answers to all questions that apply. If an optional question has no answer, the
 * result does not contain it. Throws a SetupProblem if an answer is missing or wrong.
 */
export async function askSettings(
  context: Answerer,
  questions: readonly SettingPrompt[],
  known: SetupSettings,
): Promise<SetupSettings> {
  const settings: Record<string, string> = { ...known };
  const problems: string[] = [];
  const open = new Set<string>();
  for (const question of questions) {
    if (question.applies && !question.applies(settings)) continue;
    const value = await answerOne(context, question, settings);
    const problem = value === undefined ? "is missing" : value === "" ? null : question.rule(value);
    if (problem === null) {
      if (value) settings[question.name] = value;
      continue;
    }
    const isConsequence =
      value === undefined && question.follows?.some((name) => open.has(name)) === true;
    open.add(question.name);
    if (!isConsequence) problems.push(`${question.name} ${problem}`);
  }
  if (problems.length > 0)
    throw new SetupProblem(
      problems.join("; "),
      "set them in the environment, or run npm run setup without --yes to be asked",
    );
  refuseAnotherDomain(settings, context.kept);
  return settings;
}

async function answerOne(
  { environment, kept, terminal }: Answerer,
  question: SettingPrompt,
  settings: SetupSettings,
): Promise<string | undefined> {
  const given = environment[question.name]?.trim();
  if (given) return given;
  const known = (question.isSecret ? kept.secrets : kept.settings)[question.name];
  const fallback = question.fallback(settings, { ...kept.settings, ...definedIn(environment) });
  if (known !== undefined && (known || fallback) !== undefined) return known || fallback;
  if (!terminal.asks || question.isUnasked?.(settings)) return fallback;
  for (let tries = 0; tries < TRIES; tries += 1) {
    const prompt = `${question.text}${fallback ? ` [${fallback}]` : ""}:`;
    const typed = (await terminal.ask(prompt, question.isSecret)) || fallback;
    const problem = typed === undefined ? "is needed" : typed === "" ? null : question.rule(typed);
    if (problem === null) return typed;
    terminal.say(`    ${question.name} ${problem}`);
  }
  throw new SetupProblem(`no answer for ${question.name}`);
}

/**
 * Stores the answers. An answer that equals the default of its question is stored as "". So it
 * follows later changes of the default.
 */
export function storeSettings(
  questions: readonly SettingPrompt[],
  settings: SetupSettings,
  kept: StoredSetup,
): void {
  for (const question of questions) {
    const value = settings[question.name] ?? "";
    if (question.applies && !question.applies(settings)) continue;
    if (question.isSecret) kept.secrets[question.name] = value;
    else kept.settings[question.name] = value === fallbackOf(question, settings, kept) ? "" : value;
  }
}

/** Returns the answers of an earlier run, without secrets. */
export function readStoredSettings(
  questions: readonly SettingPrompt[],
  kept: StoredSetup,
): SetupSettings {
  const settings: Record<string, string> = {};
  for (const question of questions) {
    const { name, isSecret, applies } = question;
    if (isSecret || kept.settings[name] === undefined || (applies && !applies(settings))) continue;
    const value = kept.settings[name] || fallbackOf(question, settings, kept);
    if (value) settings[name] = value;
  }
  return settings;
}

function fallbackOf(
  question: SettingPrompt,
  settings: SetupSettings,
  kept: StoredSetup,
): string | undefined {
  return question.fallback(settings, { ...kept.settings, ...settings });
}

/** Returns the variables that are not empty. An empty variable counts as no answer. */
function definedIn(environment: CommandEnvironment): Record<string, string> {
  return Object.fromEntries(
    Object.entries(environment).flatMap(([name, value]) =>
      value?.trim() ? [[name, value.trim()]] : [],
    ),
  );
}

/**
 * Throws a SetupProblem if the service domain has changed. Every customer's DNS records name the
 * service domain, so another domain needs another deployment.
 */
function refuseAnotherDomain(settings: SetupSettings, kept: StoredSetup): void {
  const before = kept.settings["SERVICE_DOMAIN"];
  if (before === undefined || before === settings["SERVICE_DOMAIN"]) return;
  throw new SetupProblem(
    `SERVICE_DOMAIN was ${before} and is ${settings["SERVICE_DOMAIN"]} now: every customer's ` +
      "DNS records name the old domain",
    "set SERVICE_DOMAIN back, or set up another deployment in another account: CLOUDFLARE_ACCOUNT_ID, " +
      "and POSTERN_STATE=<another directory>",
  );
}
