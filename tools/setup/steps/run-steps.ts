// Runs the steps of set-up in order and prints each result. The first failure ends the run.
// Completed steps stay completed, so the next run continues at the failed step.
import type { Context, Step } from "../setup-context.ts";
import { failureLines, type StepOutcome, outcomeLines } from "../step-outcome.ts";
import { CallProblem, SetupProblem } from "../setup-problem.ts";

/**
 * The end of a run. Bugs are thrown.
 * - `failed`: a step failed and printed the reason.
 * - `unseen`: a dry run could not check everything.
 * - `changed`: something was changed, or would be changed in a real run.
 * - `nothing`: everything existed already.
 */
export type EndedRun = "failed" | "unseen" | "changed" | "nothing";

const STAYS = "Published before, and left for the next run:";

export async function runSteps(steps: readonly Step[], context: Context): Promise<EndedRun> {
  const { terminal } = context;
  let ended: EndedRun = "nothing";
  for (const step of steps) {
    if (step.applies?.(context) === false) continue;
    context.made.length = 0;
    try {
      const outcome = await runOne(step, context);
      for (const line of outcomeLines(step.name, outcome)) terminal.say(line);
      if (outcome.kind === "unseen") ended = "unseen";
      else if (outcome.kind !== "already" && outcome.kind !== "skipped" && ended === "nothing")
        ended = "changed";
    } catch (error) {
      if (!(error instanceof SetupProblem)) throw error;
      const notes = context.made.length === 0 ? [] : [STAYS, ...context.made];
      for (const line of failureLines(step.name, error.message, error.mend, notes))
        terminal.say(line);
      return "failed";
    }
  }
  return ended;
}

/** Runs one step. If a call fails in a dry run, prints the step's plan, and the run continues. */
async function runOne(step: Step, context: Context): Promise<StepOutcome> {
  try {
    return await step.run(context);
  } catch (error) {
    if (!context.dryRun || !(error instanceof CallProblem)) throw error;
    const reason = `not looked up: ${error.message}`;
    const remedy = error.mend === "" ? [] : [`→ ${error.mend}`];
    const [detail = "", ...notes] = [...(step.plan?.(context) ?? []), reason, ...remedy];
    return { kind: "unseen", detail, notes };
  }
}
