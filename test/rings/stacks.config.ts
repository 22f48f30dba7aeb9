// The projects of the stacks ring: what only started programs and whole stacks show. The steps
// of rings.ts say which of them run beside each other.
import { fileURLToPath } from "node:url";
import { defineConfig, type UserWorkspaceConfig } from "vitest/config";
import type { ProjectConfig } from "vitest/node";
import { LongestFirst } from "../support/longest-first.ts";
import { LIMITS, WAITS } from "./test-limits.ts";
import { Tally } from "./tally.ts";

const ROOT = fileURLToPath(new URL("../..", import.meta.url));
const CLIENT = fileURLToPath(
  new URL("../../packages/postern/src/client/postern.ts", import.meta.url),
);

/** A project whose tests are the files of its folder. */
function project(name: string, options: ProjectConfig = {}): UserWorkspaceConfig {
  return {
    // The examples import the package by its name.
    resolve: { alias: { postern: CLIENT } },
    root: ROOT,
    test: {
      name,
      environment: "node",
      include: [`test/${name}/**/*.test.ts`],
      setupFiles: [WAITS],
      ...LIMITS,
      ...options,
    },
  };
}

export default defineConfig({
  root: ROOT,
  test: {
    silent: "passed-only",
    slowTestThreshold: 600_000,
    sequence: { sequencer: LongestFirst },
    reporters: ["default", new Tally()],
    projects: [
      project("measured"),
      project("programs", { isolate: false, setupFiles: [WAITS, "./test/support/node-setup.ts"] }),
      project("stack", { globalSetup: ["./test/stack/stack-setup.ts"] }),
      project("e2e"),
      project("chaos"),
      // The files of a worker share its connection to the one browser.
      project("browser", { globalSetup: ["./test/browser/browser-setup.ts"], isolate: false }),
      project("memory"),
    ],
  },
});
