// Starts the one local stack that all tests in the browser share, and gives it mail to show.
import type { TestProject } from "vitest/node";
import { type Dev, Stack } from "../e2e/stack.ts";
import { findChromium, HOW_TO_INSTALL } from "./machine-chromium.ts";

declare module "vitest" {
  export interface ProvidedContext {
    stack: Pick<Dev, "api_url" | "api_key" | "admin_token">;
    chromium: string;
  }
}

export async function setup(project: TestProject): Promise<() => Promise<void>> {
  const chromium = findChromium();
  if (chromium === null) throw new Error(HOW_TO_INSTALL);
  const stack = await Stack.start({ RETRY_SPEEDUP: "600" });
  const { api_url, api_key, admin_token } = stack.dev;
  project.provide("stack", { api_url, api_key, admin_token });
  project.provide("chromium", chromium);
  return () => stack.destroy();
}
