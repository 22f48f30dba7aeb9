// Starts one local stack and one browser for all browser tests. At the end it prints how soon each
// page of the console paints.
import { chromium } from "playwright-core";
import type { TestProject } from "vitest/node";
import { Stack } from "../e2e/stack.ts";
import type { Dev } from "../stack/stack-client.ts";
import { firstPaintTable } from "./first-paint.ts";
import { findChromium, HOW_TO_INSTALL } from "./machine-chromium.ts";

declare module "vitest" {
  export interface ProvidedContext {
    stack: Dev;
    browser: string;
  }
}

export async function setup(project: TestProject): Promise<() => Promise<void>> {
  const executablePath = findChromium();
  if (executablePath === null) throw new Error(HOW_TO_INSTALL);
  // Chromium's sandbox does not work for the root user of a container.
  const browser = await chromium.launchServer({ executablePath, args: ["--no-sandbox"] });
  const stack = await Stack.start({ RETRY_SPEEDUP: "600", LEASE_SPEEDUP: "12" });
  project.provide("stack", stack.dev);
  project.provide("browser", browser.wsEndpoint());
  return async () => {
    const table = await firstPaintTable(stack.dev, await chromium.connect(browser.wsEndpoint()));
    process.stdout.write(`\n${table}\n`);
    await browser.close();
    await stack.destroy();
  };
}
