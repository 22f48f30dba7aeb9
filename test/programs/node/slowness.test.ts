// Tests how a machine's slowness is measured, by which storms and scenarios take longer
// (tools/harness/slowness.ts).
import { spawnSync } from "node:child_process";
import { expect, it } from "vitest";

const SLOWNESS = new URL("../../../tools/harness/slowness.ts", import.meta.url).href;

/**
 * Runs a new process with `environment`. Returns what patience() makes of one second there, and the
 * slowness that the process would hand to its children.
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

it("a limit never shrinks, and a process passes its measurement on to its children", () => {
  const [limit, slowness] = secondIn({});
  expect(limit).toBeGreaterThanOrEqual(1_000);
  expect(limit).toBe(Math.ceil(1_000 * slowness));
});
