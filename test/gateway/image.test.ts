// Tests the image without a container engine (smtp-gateway/Dockerfile): the files that it copies
// exist and are enough to run the gateway, and its command starts, passes the health check, and
// ends on SIGTERM.
import { spawn, spawnSync } from "node:child_process";
import { cpSync, existsSync, globSync, mkdirSync, readFileSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { freePort } from "../../tools/harness/loopback.ts";
import { eventually, temporaryDirectory } from "./gateway-harness.ts";

const ROOT = join(import.meta.dirname, "../..");
const CONTEXT = join(ROOT, "smtp-gateway");
const DOCKERFILE = readFileSync(join(CONTEXT, "Dockerfile"), "utf8").replace(/\\\n\s*/g, "");
const MANIFEST = JSON.parse(readFileSync(join(CONTEXT, "package.json"), "utf8")) as {
  dependencies: Record<string, string>;
};
const EXACT_MATCH = expect.stringMatching(/^\d+\.\d+\.\d+$/) as string;
const DIGEST = expect.stringMatching(/^sha512-/) as string;

interface Locked {
  readonly version: string;
  readonly integrity: string;
  readonly dependencies?: Record<string, string>;
}

const instructions = (name: string) =>
  Array.from(DOCKERFILE.matchAll(new RegExp(`^${name} (.*)$`, "gm")), ([, rest = ""]) => rest);
const [, command = "[]"] = /^CMD (\[.*\])$/m.exec(DOCKERFILE) ?? [];
const [, check = "[]"] = /^HEALTHCHECK .*CMD (\[.*\])$/m.exec(DOCKERFILE) ?? [];
/** Paths in the build context that any stage of the Dockerfile copies. */
const copied = instructions("COPY")
  .filter((rest) => !rest.startsWith("--from"))
  .flatMap((rest) => rest.split(" ").slice(0, -1));

describe("the image", () => {
  it("copies only files that exist and that .dockerignore lets through", () => {
    const permitted = readFileSync(join(CONTEXT, ".dockerignore"), "utf8").trim().split("\n");
    expect(permitted[0]).toBe("*");
    for (const path of copied) {
      expect(existsSync(join(CONTEXT, path))).toBe(true);
      expect(permitted).toContain(`!${path}`);
    }
    expect(new Set(copied)).toEqual(new Set(["package.json", "package-lock.json", "src"]));
  });

  it("installs every package that the gateway imports, with exact versions throughout", () => {
    const sources = globSync("src/**/*.ts", { cwd: CONTEXT }).map((path) =>
      readFileSync(join(CONTEXT, path), "utf8"),
    );
    const specifiers = sources.flatMap((text) =>
      Array.from(
        text.matchAll(/^(?:import|export) (?:[^;]*? from )?"([^"]+)";$/gm),
        ([, from = ""]) => from,
      ),
    );
    const packages = new Set(
      specifiers
        .filter((from) => !/^(?:node:|\.\.?\/)/.test(from))
        .map((from) => from.split("/")[0] ?? ""),
    );
    expect(packages).toEqual(new Set(Object.keys(MANIFEST.dependencies)));
    const locked = (path: string) =>
      JSON.parse(readFileSync(path, "utf8")) as { packages: Record<string, Locked> };
    const { packages: whole } = locked(join(ROOT, "package-lock.json"));
    const { "": manifest, ...own } = locked(join(CONTEXT, "package-lock.json")).packages;
    expect(manifest?.dependencies).toEqual(MANIFEST.dependencies);
    const wanted = new Set(Object.keys(MANIFEST.dependencies));
    for (const name of wanted)
      for (const next of Object.keys(own[`node_modules/${name}`]?.dependencies ?? {}))
        wanted.add(next);
    expect(new Set(Object.keys(own))).toEqual(
      new Set([...wanted].map((name) => `node_modules/${name}`)),
    );
    for (const [path, entry] of Object.entries(own))
      expect([path, entry]).toEqual([path, whole[path]]);
    for (const { version, integrity } of Object.values(own))
      expect([version, integrity]).toEqual([EXACT_MATCH, DIGEST]);
  });

  it("installs from the lockfile of its folder, which npm accepts", () => {
    expect(instructions("RUN")[0]).toMatch(/^npm ci --omit=dev --ignore-scripts /);
    const folder = temporaryDirectory();
    for (const file of ["package.json", "package-lock.json"])
      cpSync(join(CONTEXT, file), join(folder, file));
    const { status, stderr } = spawnSync(
      "npm",
      ["ci", "--omit=dev", "--ignore-scripts", "--dry-run", "--offline"],
      {
        cwd: folder,
        encoding: "utf8",
      },
    );
    expect([status, stderr.includes("can only install")]).toEqual([0, false]);
  });

  it("runs as an unprivileged user, with a state directory that it may write to", () => {
    expect(instructions("USER")).toEqual(["node"]);
    const [state] = instructions("VOLUME");
    expect(instructions("ENV")[0]).toContain(`EGRESS_STATE=${state}`);
    expect(instructions("RUN").at(-1)).toBe(
      'mkdir -p "$EGRESS_STATE" && chown node:node "$EGRESS_STATE"',
    );
    expect(instructions("STOPSIGNAL")).toEqual(["SIGTERM"]);
  });

  it("starts by its command, passes its health check, and ends on SIGTERM", async () => {
    const directory = temporaryDirectory();
    for (const path of copied)
      cpSync(join(CONTEXT, path), join(directory, path), { recursive: true });
    symlinkSync(join(ROOT, "node_modules"), join(directory, "node_modules"));
    const state = join(directory, "state");
    mkdirSync(state);
    const environment = Object.fromEntries(
      (instructions("ENV")[0] ?? "").split(" ").map((pair) => pair.split("=") as [string, string]),
    );
    const env = {
      ...environment,
      EGRESS_HOST: "127.0.0.1",
      EGRESS_PORT: String(await freePort()),
      EGRESS_STATE: state,
      GATEWAY_TOKEN: "t",
    };
    const [, ...args] = JSON.parse(command) as string[];
    const [, ...checkArgs] = JSON.parse(check) as string[];
    expect((JSON.parse(command) as string[])[0]).toBe("node");
    const isHealthy = () => spawnSync(process.execPath, checkArgs, { env }).status;
    expect(isHealthy()).toBe(1);
    const gateway = spawn(process.execPath, args, { cwd: directory, env, stdio: "ignore" });
    try {
      await eventually(() => gateway.exitCode !== null || isHealthy() === 0, 15_000);
      expect([gateway.exitCode, isHealthy()]).toEqual([null, 0]);
      gateway.kill("SIGTERM");
      await eventually(() => gateway.exitCode !== null, 10_000);
      expect([gateway.exitCode, isHealthy()]).toEqual([0, 1]);
    } finally {
      gateway.kill("SIGKILL");
    }
  });
});
