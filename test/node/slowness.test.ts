// Measuring a machine's slowness, by which the time limits of tests grow
// (tools/harness/slowness.ts).
import { spawnSync } from "node:child_process";
import { expect, it } from "vitest";

const SLOWNESS = new URL("../../tools/harness/slowness.ts", import.meta.url).href;

/**
 * Returns the limit for a second in a separate process, and the slowness that this process tells
 * its children.
 */
function secondIn(environment: Record<string, string>): [limit: number, slowness: number] {
  const script =
    `import { patience } from ${JSON.stringify(SLOWNESS)};\n` +
    "console.log(JSON.stringify([patience(1_000), Number(process.env.POSTERN_SLOWNESS)]));";
  const { stdout } = spawnSync(process.execPath, ["--input-type=module", "-e", script], {
    env: environment,
    encoding: "utf8",
  });
  return JSON.parse(stdout) as [number, number];
}

it("a limit grows with the slowness that the parent has measured", () => {
  expect(secondIn({ POSTERN_SLOWNESS: "2.5" })).toEqual([2_500, 2.5]);
});

it("a limit never shrinks, and a process that measures tells its children", () => {
  const [limit, slowness] = secondIn({});
  expect(limit).toBeGreaterThanOrEqual(1_000);
  expect(limit).toBe(Math.ceil(1_000 * slowness));
});
