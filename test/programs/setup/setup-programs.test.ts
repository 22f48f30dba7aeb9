// Tests `npm run doctor` as a program without a deployment: its exit code, and where it prints why.
// account-stack.test.ts runs set-up, deploys and the doctor as programs, and test/setup holds their
// rules.
import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { expect, it } from "vitest";
import { temporaryDirectory } from "../../gateway/gateway-harness.ts";

const DOCTOR = join(import.meta.dirname, "../../../tools/setup/doctor/main.ts");

it("the doctor prints its reason on standard error, if no deployment is known", () => {
  const state = temporaryDirectory();
  const { status, stdout, stderr } = spawnSync(process.execPath, ["--no-warnings", DOCTOR], {
    cwd: state,
    env: { PATH: process.env["PATH"], HOME: state, POSTERN_STATE: state },
    encoding: "utf8",
  });
  expect([status, stdout]).toEqual([1, ""]);
  expect(stderr).toMatch(/^doctor: no deployment is known: .*\n {2}→ run npm start/);
});
