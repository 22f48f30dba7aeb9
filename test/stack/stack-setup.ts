// Starts the one local stack that the tests of this folder share. It does not wait for the stack,
// because other tests can begin before it runs. A test waits with sharedStack().
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import type { TestProject } from "vitest/node";
import { Stack } from "../e2e/stack.ts";

export async function setup(project: TestProject): Promise<() => Promise<void>> {
  const stack = await Stack.prepare();
  const failure = join(stack.state, "failure.txt");
  project.provide("sharedState", stack.state);
  project.provide("sharedFailure", failure);
  const starting = stack.up().catch((error: Error) => {
    writeFileSync(failure, error.message);
  });
  return async () => {
    await starting;
    await stack.destroy();
  };
}
