// Tests the operator's settings: their defaults and forms, and that an error names each wrong
// setting in one line.
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { readSettings } from "../../smtp-gateway/src/config.ts";
import { withoutEffect } from "../../smtp-gateway/src/gateway-setting-table.ts";
import { temporaryDirectory } from "./gateway-harness.ts";

const given = { GATEWAY_TOKEN: "secret", GATEWAY_HOSTNAME: "out.example.test" };
const incoming = {
  ...given,
  SUBMISSION_PORTS: "587, 2587,25",
  WORKER_URL: "https://api.example.test/",
  SUBMISSION_CERTIFICATE: "cert.pem",
  SUBMISSION_KEY: "key.pem",
};

describe("settings", () => {
  it("read routes, pools, DNS servers and limits", () => {
    const settings = readSettings({
      ...given,
      EGRESS_PORT: "0",
      EGRESS_ROUTES: "*=127.0.0.1:8026, Example.com=mx.local:25,six.test=[::1]:2525",
      EGRESS_POOLS: '{"marketing": ["198.51.100.7", "2001:db8::7"], "default": ["198.51.100.1"]}',
      EGRESS_DNS: "9.9.9.9, 127.0.0.1:8053, [2620:fe::fe]:53, 2620:fe::9",
      EGRESS_FINAL_SECONDS: "10",
      EGRESS_CONNECTIONS: "",
    });
    expect(settings.routes).toEqual([
      { pattern: "*", host: "127.0.0.1", port: 8026 },
      { pattern: "example.com", host: "mx.local", port: 25 },
      { pattern: "six.test", host: "::1", port: 2525 },
    ]);
    expect([...settings.sources]).toEqual([
      ["marketing", ["198.51.100.7", "2001:db8::7"]],
      ["default", ["198.51.100.1"]],
    ]);
    const servers = "9.9.9.9 127.0.0.1:8053 [2620:fe::fe]:53 2620:fe::9";
    expect(settings.dnsServers).toEqual(servers.split(" "));
    expect(settings.timeouts.final).toBe(10_000);
    expect(settings.connections).toBe(500);
  });

  it("read secrets from the files that `_FILE` variables name", () => {
    const path = join(temporaryDirectory(), "token");
    writeFileSync(path, " from-a-file\n");
    const tokens = (more: object) => {
      const { token, metricsToken } = readSettings({ ...more });
      return [token, metricsToken];
    };
    expect(tokens({ GATEWAY_TOKEN_FILE: path })).toEqual(["from-a-file", null]);
    const metrics = { ...given, GATEWAY_METRICS_TOKEN_FILE: path };
    expect(tokens(metrics)).toEqual(["secret", "from-a-file"]);
    expect(readSettings({ ...given, GATEWAY_METRICS_TOKEN: "m" }).metricsToken).toBe("m");
    writeFileSync(path, "two words");
    const readFile = () => readSettings({ GATEWAY_TOKEN_FILE: path });
    expect(readFile).toThrow("setting GATEWAY_TOKEN_FILE: must not contain white space");
    writeFileSync(path, "\n");
    expect(readFile).toThrow("setting GATEWAY_TOKEN_FILE: is empty");
  });

  it.each([
    ["GATEWAY_TOKEN_FILE", "/nowhere"],
    ["GATEWAY_METRICS_TOKEN", "two words"],
    ["GATEWAY_METRICS_TOKEN_FILE", "/nowhere/at/all"],
    ["GATEWAY_TOKEN", ""],
    ["GATEWAY_TOKEN", "two words"],
    ["GATEWAY_HOSTNAME", "no host name"],
    ["EGRESS_PORT", "65536"],
    ["EGRESS_PORT", "12x"],
    ["EGRESS_PORT", "-1"],
    ["EGRESS_ROUTES", "example.com"],
    ["EGRESS_ROUTES", "example.com=host"],
    ["EGRESS_ROUTES", "*=host:0"],
    ["EGRESS_ROUTES", "*=host:99999"],
    ["EGRESS_ROUTES", "*=[1.2.3.4]:25"],
    ["EGRESS_ROUTES", "ex ample=host:25"],
    ["EGRESS_POOLS", "marketing"],
    ["EGRESS_POOLS", "[]"],
    ["EGRESS_POOLS", '{"marketing": "198.51.100.7"}'],
    ["EGRESS_POOLS", '{"marketing": []}'],
    ["EGRESS_POOLS", '{"marketing": ["198.51.100.700"]}'],
    ["EGRESS_POOLS", '{"Marketing!": ["198.51.100.7"]}'],
    ["EGRESS_DNS", "dns.example.com"],
    ["EGRESS_ALLOW_PRIVATE", "yes"],
    ["EGRESS_LOG", "loud"],
    ["EGRESS_CONNECTIONS_PER_HOST", "0"],
    ["EGRESS_FINAL_SECONDS", "0"],
    ["SUBMISSION_PORTS", "smtp"],
    ["SUBMISSION_PORTS", "587,65536"],
    ["SUBMISSION_PORTS", "587,587"],
    ["RETURN_PATH", "yes"],
    ["WORKER_URL", ""],
    ["WORKER_URL", "api.example.test"],
    ["WORKER_URL", "ftp://api.example.test"],
    ["WORKER_URL", "https://api.example.test/v1"],
    ["WORKER_URL", "https://user:password@api.example.test"],
    ["SUBMISSION_CERTIFICATE", ""],
    ["SUBMISSION_KEY", ""],
    ["SUBMISSION_USER", "two words"],
    ["SUBMISSION_CONNECTIONS", "0"],
    ["SUBMISSION_CONNECTIONS_PER_ADDRESS", "x"],
    ["SUBMISSION_ATTEMPTS_PER_MINUTE", "-1"],
    ["SUBMISSION_IDLE_SECONDS", "0"],
    ["SUBMISSION_MEGABYTES_IN_FLIGHT", "1"],
  ])("refuse %s=%s with an error that names the setting", (name, value) => {
    const error = new RegExp(`^setting ${name}: `);
    expect(() => readSettings({ ...incoming, [name]: value })).toThrow(error);
  });
});

describe("the settings for incoming mail", () => {
  it("are absent unless a setting names a port", () => {
    expect(readSettings(given).intake).toBeNull();
  });

  it("have defaults, except the ports, the worker and the certificate", () => {
    expect(readSettings(incoming).intake).toEqual({
      workerOrigin: "https://api.example.test",
      host: "",
      submissionPorts: [587, 2587, 25],
      returnPathPorts: [],
      submissionBounces: false,
      certificate: "cert.pem",
      key: "key.pem",
      certificateEveryMs: 10_000,
      user: "service",
      connections: 1000,
      connectionsPerAddress: 100,
      attemptsPerMinute: 600,
      idleMs: 300_000,
      bytesInFlight: 268_435_456,
    });
  });

  it("take return-paths on port 25 by default", () => {
    const intakeWith = (more: object) =>
      readSettings({ ...incoming, RETURN_PATH: "true", ...more }).intake;
    const alone = intakeWith({ SUBMISSION_PORTS: "" });
    expect(alone).toMatchObject({ submissionPorts: [], returnPathPorts: [25] });
    const two = intakeWith({ RETURN_PATH_PORTS: "25,26" });
    expect(two).toMatchObject({ returnPathPorts: [25, 26] });
  });
});

describe("a variable without effect", () => {
  it("is a removed or a misspelt setting, and not a setting of the worker or another program's variable", () => {
    const wrong = ["EGRESS_WAIT_SECONDS", "EGRESS_PROT", "SUBMISSION_PORT"];
    const others = ["EGRESS_PORT", "EGRESS_URL", "SUBMISSION_PORTS", "PATH", "RETURN_PATH"];
    expect(withoutEffect([...wrong, ...others])).toEqual(wrong);
    expect(readSettings({ ...given, EGRESS_WAIT_SECONDS: "1" }).timeouts.wait).toBe(120_000);
  });
});
