// Tests the settings for incoming mail (off by default; an error names each wrong setting in one
// line), the cache of keys, hostile paths, and a worker that answers late.
import { describe, expect, it } from "vitest";
import { readSettings } from "../../../smtp-gateway/src/config.ts";
import { KeyCache } from "../../../smtp-gateway/src/inbound/key-cache.ts";
import { parseMail, parseRcpt } from "../../../smtp-gateway/src/inbound/path-syntax.ts";
import { WorkerApi } from "../../../smtp-gateway/src/inbound/worker-api.ts";
import { setLogLevel } from "../../../smtp-gateway/src/gateway-log.ts";
import { expectLinear } from "../../support/processor-time.ts";
import { FakeWorker, GOOD_KEY, TOKEN } from "../fake-worker.ts";

const egress = { GATEWAY_TOKEN: "secret", GATEWAY_HOSTNAME: "out.example.test" };
const given = {
  ...egress,
  SUBMISSION_PORTS: "587, 2587,25",
  WORKER_URL: "https://api.example.test/",
  SUBMISSION_CERTIFICATE: "cert.pem",
  SUBMISSION_KEY: "key.pem",
};

describe("the settings for incoming mail", () => {
  it("are null unless a port is named", () => {
    expect(readSettings(egress).intake).toBeNull();
  });

  it("have defaults, except the ports, the worker and the certificate", () => {
    expect(readSettings(given).intake).toEqual({
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
      readSettings({ ...given, RETURN_PATH: "true", ...more }).intake;
    const alone = intakeWith({ SUBMISSION_PORTS: "" });
    expect(alone).toMatchObject({ submissionPorts: [], returnPathPorts: [25] });
    const two = intakeWith({ RETURN_PATH_PORTS: "25,26" });
    expect(two).toMatchObject({ returnPathPorts: [25, 26] });
  });

  it.each([
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
    expect(() => readSettings({ ...given, [name]: value })).toThrow(error);
  });
});

describe("a good key", () => {
  it("is remembered for a minute, together with the address that used it", () => {
    const clock = { now: 0 };
    const keys = new KeyCache(() => clock.now);
    keys.noteGood("ps_a", "192.0.2.1");
    const isGood = (key: string) => keys.isGood(key, "192.0.2.1");
    expect(keys.isGood("ps_a", "192.0.2.2")).toBe(false);
    expect(["ps_a", "ps_b"].map(isGood)).toEqual([true, false]);
    clock.now = 59_999;
    expect(keys.isGood("ps_a", "192.0.2.1")).toBe(true);
    clock.now = 60_000;
    expect(keys.isGood("ps_a", "192.0.2.1")).toBe(false);
    for (let at = 0; at < 10_001; at += 1) keys.noteGood(`ps_${at}`, "192.0.2.1");
    expect(["ps_0", "ps_1"].map(isGood)).toEqual([false, true]);
  });
});

describe("a hostile path", () => {
  it.each<[string, (count: number) => string]>([
    ["an even number of quotes", (count) => `<${'""'.repeat(count)}`],
    ["an odd number of quotes", (count) => `<"${'""'.repeat(count)}`],
    ["empty strings", (count) => `<${'""'.repeat(count)}x`],
    ["backslashes", (count) => `<${"\\".repeat(count)}`],
    ["a string without an end", (count) => `<"${"\\a".repeat(count)}`],
    ["a route", (count) => `<@${"a,@".repeat(count)}`],
    ["spaces before a parameter", (count) => `<a>${" ".repeat(count)}x=`],
  ])("is refused in linear time: %s", async (_, pathOf) => {
    await expectLinear(100_000, (count) => {
      const path = pathOf(count);
      return () => {
        expect(parseMail(`MAIL FROM:${path}`)).toHaveProperty("refused");
        for (const smtpUtf8 of [false, true])
          expect(parseRcpt(`RCPT TO:${path}`, smtpUtf8)).toHaveProperty("refused");
      };
    });
  });
});

describe("a worker that answers too late", () => {
  it("counts as a worker that did not answer", async () => {
    setLogLevel("none");
    const worker = new FakeWorker();
    await worker.listen();
    const api = new WorkerApi(worker.origin, TOKEN, 500);
    worker.answers["key"] = [{ status: 204, after: 10_000 }];
    expect(await api.judgeKey(GOOD_KEY, "192.0.2.1")).toBeNull();
    const judged = await api.judgeKey(GOOD_KEY, "192.0.2.1");
    expect(judged).toMatchObject({ status: 204, requestId: "req_for-tests" });
    const asked = { method: "GET", client: "192.0.2.1", key: GOOD_KEY };
    expect(worker.requests.at(-1)).toMatchObject(asked);
    await api.close();
    await worker.close();
  });
});
