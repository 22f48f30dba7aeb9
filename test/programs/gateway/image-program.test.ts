// Tests the image without a container engine (smtp-gateway/Dockerfile): npm accepts its lockfile,
// and its files are enough to start its command, which passes the health check, and ends on
// SIGTERM.
import { spawnSync } from "node:child_process";
import { cpSync, mkdirSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { CONTEXT, COPIED, instructions } from "../../gateway/dockerfile.ts";
import { temporaryDirectory } from "../../gateway/gateway-harness.ts";
import { startedPort, startGatewayProgram } from "./gateway-program.ts";

const ROOT = join(CONTEXT, "..");

it("npm accepts the lockfile from which the image installs", () => {
  expect(instructions("RUN")[0]).toMatch(/^npm ci --omit=dev --ignore-scripts /);
  const folder = temporaryDirectory();
  for (const file of ["package.json", "package-lock.json"])
    cpSync(join(CONTEXT, file), join(folder, file));
  const command = ["ci", "--omit=dev", "--ignore-scripts", "--dry-run", "--offline"];
  const { status, stderr } = spawnSync("npm", command, { cwd: folder, encoding: "utf8" });
  expect([status, stderr.includes("can only install")]).toEqual([0, false]);
});

it("the image starts by its command, passes its health check, and ends on SIGTERM", async () => {
  const directory = temporaryDirectory();
  for (const path of COPIED)
    cpSync(join(CONTEXT, path), join(directory, path), { recursive: true });
  symlinkSync(join(ROOT, "node_modules"), join(directory, "node_modules"));
  const state = join(directory, "state");
  mkdirSync(state);
  const [program, ...args] = JSON.parse(instructions("CMD").at(0)!) as string[];
  expect(program).toBe("node");
  const settings = instructions("ENV")
    .at(0)!
    .split(" ")
    .map((pair) => pair.split("="));
  const env = {
    ...(Object.fromEntries(settings) as Record<string, string>),
    EGRESS_HOST: "127.0.0.1",
    EGRESS_PORT: "0",
    EGRESS_STATE: state,
    GATEWAY_TOKEN: "t",
  };
  const gateway = startGatewayProgram(
    args.map((path) => join(directory, path)),
    env,
  );
  const EGRESS_PORT = String(await startedPort(gateway));
  const [, check = ""] = instructions("HEALTHCHECK").at(0)!.split("CMD ");
  const [, ...checkArgs] = JSON.parse(check) as string[];
  const isHealthy = () =>
    spawnSync(process.execPath, checkArgs, { env: { ...env, EGRESS_PORT } }).status;
  expect(isHealthy()).toBe(0);
  gateway.kill("SIGTERM");
  expect([await gateway.ended, isHealthy()]).toEqual([0, 1]);
});
