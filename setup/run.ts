// Runs the steps of set-up one after the other and says what each came to; the first that can't be done ends the run. What is done is kept, so that the next run goes on there.
import type { Context, Step } from "./context.ts";
import { failureLines, outcomeLines } from "./outcome.ts";
import { SetupProblem } from "./problem.ts";

/** False: a step could not be done, and said so. Faults of the program are thrown. */
export async function runSteps(steps: readonly Step[], context: Context): Promise<boolean> {
  const { terminal } = context;
  for (const step of steps) {
    try {
      for (const line of outcomeLines(step.name, await step.run(context))) terminal.say(line);
    } catch (error) {
      if (!(error instanceof SetupProblem)) throw error;
      for (const line of failureLines(step.name, error.message, error.mend)) terminal.say(line);
      return false;
    }
  }
  return true;
}
