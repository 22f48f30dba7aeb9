// Tests the systemd unit (smtp-gateway/systemd): its restrictions, and what it passes to the
// gateway. test/programs/gateway starts its command.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { settingNames, settingsWith } from "./setting-names.ts";
import { firstValue, pairs, values } from "./unit-file.ts";

const readme = readFileSync(join(import.meta.dirname, "../../smtp-gateway/README.md"), "utf8");

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
});
