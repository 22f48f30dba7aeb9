// Tests that a campaign of the chaos machine finds no broken promise (tools/chaos/README.md).
import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { describe, expect, it, onTestFinished } from "vitest";

const ROOT = join(import.meta.dirname, "../..");
/** Number of rounds in the campaign. They all run at the same time, for about 15 seconds. */
const ROUNDS = 16;

describe("a campaign of sixteen rounds", () => {
  it("keeps every promise through faults and kills", async () => {
    const args = [
      "tools/chaos/main.ts",
      "--rounds",
      String(ROUNDS),
      "--at-once",
      String(ROUNDS),
      "--seed",
      "9",
    ];
    const child = spawn(process.execPath, args, {
      cwd: ROOT,
      stdio: ["ignore", "pipe", "inherit"],
    });
    const ended = once(child, "exit");
    // If Vitest's limit ends the test, the campaign prints what its rounds wait for.
    onTestFinished(() => void child.kill());
    const output = await text(child.stdout);
    expect(output).toContain(`${ROUNDS} rounds in`);
    expect(output).toMatch(/^kills: [1-9]/m);
    expect(output).toMatch(/left under way: [1-9]/);
    expect(output).toMatch(/with 50,000 deferred messages: 1/);
    expect(output).toMatch(/^violations: 0$/m);
    expect(await ended).toEqual([0, null]);
  });
});
