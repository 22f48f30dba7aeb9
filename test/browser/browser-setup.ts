// Starts the one local stack that all tests in the browser share. At the end it prints how soon each
// page paints.
import type { TestProject } from "vitest/node";
import { Stack } from "../e2e/stack.ts";
import type { Dev } from "../stack/stack-client.ts";
import { firstPaintTable } from "./first-paint.ts";
import { findChromium, HOW_TO_INSTALL } from "./machine-chromium.ts";

declare module "vitest" {
  export interface ProvidedContext {
    stack: Dev;
    chromium: string;
  }
}

export async function setup(project: TestProject): Promise<() => Promise<void>> {
  const chromium = findChromium();
  if (chromium === null) throw new Error(HOW_TO_INSTALL);
  const stack = await Stack.start({ RETRY_SPEEDUP: "600" });
  project.provide("stack", stack.dev);
  project.provide("chromium", chromium);
  return async () => {
    process.stdout.write(`\n${await firstPaintTable(stack.dev, chromium)}\n`);
    await stack.destroy();
  };
}
