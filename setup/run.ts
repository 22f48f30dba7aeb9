// Runs the steps of set-up one after the other and says what each came to; the first that can't be done ends the run. What is done is kept, so that the next run goes on there.
import type { Context, Step } from "./context.ts";
import { failureLines, outcomeLines } from "./outcome.ts";
import { SetupProblem } from "./problem.ts";

/** `failed`: a step could not be done, and said so. `nothing`: everything was there. Faults of the program are thrown. */
export type Ended = "failed" | "changed" | "nothing";

export async function runSteps(steps: readonly Step[], context: Context): Promise<Ended> {
  const { terminal } = context;
  let ended: Ended = "nothing";
  for (const step of steps) {
    try {
      const outcome = await step.run(context);
      for (const line of outcomeLines(step.name, outcome)) terminal.say(line);
      if (outcome.kind !== "already" && outcome.kind !== "skipped") ended = "changed";
    } catch (error) {
      if (!(error instanceof SetupProblem)) throw error;
      for (const line of failureLines(step.name, error.message, error.mend)) terminal.say(line);
      return "failed";
    }
  }
  return ended;
}
