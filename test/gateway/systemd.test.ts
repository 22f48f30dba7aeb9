// Tests the systemd unit (smtp-gateway/systemd): systemd accepts it, and its command starts,
// becomes ready, and ends in time.
import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { selfSigned } from "../../tools/harness/smtp/self-signed.ts";
import { FakeWorker, TOKEN } from "./fake-worker.ts";
import { settingNames, settingsWith } from "./setting-names.ts";
import { freePort } from "../../tools/harness/loopback.ts";
import { eventually, temporaryDirectory } from "./gateway-harness.ts";

const ROOT = join(import.meta.dirname, "../..");
const unit = readFileSync(join(ROOT, "smtp-gateway/systemd/postern-gateway.service"), "utf8");
const readme = readFileSync(join(ROOT, "smtp-gateway/README.md"), "utf8");

/** Returns all values of a systemd directive, in the order of the unit file. */
const values = (name: string): string[] =>
  Array.from(unit.matchAll(new RegExp(`^${name}=(.*)$`, "gm")), ([, value = ""]) => value);
const firstValue = (name: string): string | undefined => values(name)[0];
const pairs = (lines: readonly string[]): [string, string][] =>
  lines.map((line) => [line.slice(0, line.indexOf("=")), line.slice(line.indexOf("=") + 1)]);

const PROGRAM = "systemd-analyze";
const analyze = (...args: string[]) => spawnSync(PROGRAM, args, { encoding: "utf8" });
const hasSystemd = analyze("--version").error === undefined;

describe("the unit", () => {
  it("lets the gateway drain before it kills it, and always restarts it", () => {
    expect([
      firstValue("KillMode"),
      firstValue("KillSignal"),
      firstValue("Restart"),
      firstValue("StartLimitIntervalSec"),
    ]).toEqual(["mixed", "SIGTERM", "always", "0"]);
    const { drainMs, timeouts } = settingsWith({});
    const longest = drainMs + timeouts.final + 5_000;
    expect(Number(firstValue("TimeoutStopSec")) * 1000).toBeGreaterThan(longest);
    const [, seconds] = /docker run .*--stop-timeout (\d+)/.exec(readme) ?? [];
    expect(Number(seconds) * 1000).toBeGreaterThan(longest);
  });

  it("gives the gateway the right to ports below 1024, and no other right of root", () => {
    expect([
      firstValue("AmbientCapabilities"),
      firstValue("CapabilityBoundingSet"),
      firstValue("DynamicUser"),
    ]).toEqual(["CAP_NET_BIND_SERVICE", "CAP_NET_BIND_SERVICE", "yes"]);
  });

  it("passes secrets as credentials, and everything else as existing settings", () => {
    const credentials = values("LoadCredential").map((value) => value.split(":"));
    expect(credentials.map(([id]) => id)).toEqual(["token", "certificate", "key"]);
    for (const [, path = ""] of credentials)
      expect(readme).toContain(path.replace(/\/(?:fullchain|privkey)\.pem$/, ""));
    const environment = pairs(values("Environment"));
    for (const [name] of environment.filter(([known]) => known !== "NODE_ENV"))
      expect(settingNames()).toContain(name);
    const handed = environment.flatMap(([, value]) => /^%d\/(.*)$/.exec(value)?.[1] ?? []);
    expect(handed).toEqual(["token", "certificate", "key"]);
    expect(environment).toContainEqual(["EGRESS_STATE", `%S/${firstValue("StateDirectory")}`]);
  });

  it.runIf(hasSystemd)(
    "is accepted by systemd-analyze, with a good score for its restrictions",
    () => {
      const path = join(temporaryDirectory(), "postern-gateway.service");
      writeFileSync(path, unit.replace("/usr/bin/node", process.execPath));
      const verified = analyze("verify", path);
      expect([verified.status, verified.stderr]).toEqual([0, ""]);
      const judged = analyze("security", "--offline=true", "--threshold=20", path);
      expect(judged.status, judged.stdout.slice(-200)).toBe(0);
    },
  );

  it("runs a gateway that gets ready with its credentials and ends with 0 on SIGTERM", async () => {
    const directory = temporaryDirectory();
    const [credentials, state] = [join(directory, "credentials"), join(directory, "state")];
    mkdirSync(credentials);
    const { cert, key } = selfSigned(["smtp.example.test"]);
    for (const [name, content] of [
      ["token", `${TOKEN}\n`],
      ["certificate", cert],
      ["key", key],
    ] as const)
      writeFileSync(join(credentials, name), content);
    const worker = new FakeWorker();
    await worker.listen();
    const port = await freePort();
    const environment = pairs(values("Environment")).map(([name, value]) => [
      name,
      value.replace("%d", credentials).replace("%S", state),
    ]);
    const here = {
      EGRESS_PORT: String(port),
      WORKER_URL: worker.origin,
      SUBMISSION_HOST: "127.0.0.1",
      SUBMISSION_PORTS: "0",
      EGRESS_LOG: "none",
    };
    const script = join(
      ROOT,
      "smtp-gateway",
      firstValue("ExecStart")?.replace("/usr/bin/node /opt/postern-gateway/", "") ?? "",
    );
    const gateway = spawn(process.execPath, [script], {
      cwd: "/",
      env: { ...Object.fromEntries(environment), ...here },
      stdio: "ignore",
    });
    try {
      const isReady = async () => {
        try {
          return (await fetch(`http://127.0.0.1:${port}/readyz`)).status === 200;
        } catch {
          return false;
        }
      };
      await expect.poll(isReady).toBe(true);
      gateway.kill(firstValue("KillSignal") as NodeJS.Signals);
      expect((await once(gateway, "exit"))[0]).toBe(0);
      await eventually(() => worker.requests.length > 0);
    } finally {
      gateway.kill("SIGKILL");
      await worker.close();
    }
  });
});
