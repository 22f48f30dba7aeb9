// The guarantees of `npm run doctor`, run as a program: a healthy deployment has no faults, each
// planted fault is named with its remedy and no other check fails, and no secret is printed.
import { createServer } from "node:net";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { listenOnLoopback } from "../../tools/harness/loopback.ts";
import { selfSigned } from "../../tools/harness/smtp/self-signed.ts";
import { DoctorHarness, GATEWAY_TOKEN } from "./doctor-harness.ts";
import { FAULTS } from "./planted-faults.ts";

const DAY_MS = 86_400_000;

let harness: DoctorHarness;

beforeEach(async () => {
  harness = await DoctorHarness.start();
});

afterEach(async () => {
  await harness.close();
});

describe("a deployment in good health", () => {
  it("has no faults, in one line for each check", async () => {
    const { code, text } = await harness.examine();
    expect(text).not.toMatch(/^(?:warn|FAIL)/m);
    expect(code).toBe(0);
    const checks = [...text.matchAll(/^ok {4}(\S+)/gm)].map(([, check]) => check);
    const all = [
      "worker.health",
      "worker.clock",
      "worker.admin",
      "queues.moving",
      "gateway.token",
      "gateway.health",
      "gateway.clock",
      "gateway.tls",
      "dns.mx",
      "dns.spf",
      "dns.track",
      "dns.dkim",
    ];
    expect(checks).toEqual(
      expect.arrayContaining([
        ...all,
        "smtp.port",
        "smtp.tls",
        "smtp.bounces",
        "smtp.ptr",
        "domain.spf",
        "domain.dkim",
        "domain.dmarc",
        "key",
        "message",
      ]),
    );
    expect(text).toMatch(/^skip +smtp\.outbound/m);
    for (const secret of ["admin-token", GATEWAY_TOKEN, "ps_"]) expect(text).not.toContain(secret);
  });

  it("gets the same report as JSON", async () => {
    const { code, text } = await harness.examine(["--json"]);
    expect(code).toBe(0);
    expect(JSON.parse(text)).toMatchObject({
      ok: true,
      findings: expect.arrayContaining([
        { check: "gateway.token", status: "ok", what: expect.any(String), mend: null },
      ]),
    });
  });

  it("gets no message with --skip message", async () => {
    const { code, findings } = await harness.examine([
      "--json",
      "--skip",
      "message",
      "--skip",
      "smtp.tls",
    ]);
    expect(code).toBe(0);
    expect(harness.worker.emails).toEqual([]);
    expect(findings.map(({ check }) => check)).not.toContain("smtp.tls");
  });

  it("has a line on whether port 25 is open outwards", async () => {
    const { findings } = await harness.examine([
      "--json",
      "--outbound-mx",
      `127.0.0.1:${harness.smtpPort}`,
    ]);
    expect(findings).toContainEqual(
      expect.objectContaining({ check: "smtp.outbound", status: "ok" }),
    );
  });
});

describe("many faults at once", () => {
  const planted = [
    "a return-path that leads elsewhere",
    "an SPF record without our address",
    "no wildcard for tracking",
    "a certificate that expires soon",
    "a certificate for another name",
    "a worker's clock ahead",
    "a gateway's clock behind",
    "tokens that differ",
    "a worker that is not well",
    "a queue that stands still",
    "a message that stays where it is",
    "an address without a name",
    "a mail port that takes no bounces",
    "no DMARC",
    "a DKIM key that is gone",
  ];

  it("are each named in a line of their own, with a remedy", async () => {
    const faults = Object.entries(FAULTS).filter(([name]) => planted.includes(name));
    expect(faults).toHaveLength(planted.length);
    for (const [, { plant }] of faults) await plant(harness);
    const { code, text } = await harness.examine();
    expect(code).toBe(1);
    const lines = text.split("\n");
    for (const [name, { check, what, mend, status = "FAIL" }] of faults) {
      const found = lines.filter(
        (line) => line.startsWith(status) && line.split(/ +/)[1] === check,
      );
      expect([name, found]).toEqual([name, [expect.stringMatching(what)]]);
      expect(found[0]?.split(" → ")[1]).toMatch(mend);
    }
    expect(lines.filter((line) => /^(?:warn|FAIL)/.test(line) && !line.includes(" → "))).toEqual(
      [],
    );
  });
});

describe("a planted fault is named with its remedy, and nothing else fails:", () => {
  it.each(Object.entries(FAULTS))(
    "%s",
    async (_, { plant, check, what, mend, status = "FAIL", args = [], also = [] }) => {
      await plant(harness);
      const { code, text, findings } = await harness.examine(["--json", ...args]);
      const found = findings.filter(
        (finding) => finding.check === check && finding.status === status,
      );
      expect(found, text).toHaveLength(1);
      expect(found[0]?.what).toMatch(what);
      expect(found[0]?.mend).toMatch(mend);
      const failed = findings
        .filter((finding) => finding.status === "FAIL")
        .map((finding) => finding.check);
      expect(failed.filter((one) => !also.includes(one))).toEqual(status === "FAIL" ? [check] : []);
      expect(code).toBe(failed.length > 0 ? 1 : 0);
    },
  );

  it("port 25 closed outwards", async () => {
    const server = createServer();
    const port = await listenOnLoopback(server);
    await new Promise((closed) => server.close(closed));
    const { code, text } = await harness.examine(["--outbound-mx", `127.0.0.1:${port}`]);
    expect(code).toBe(1);
    expect(text).toMatch(
      new RegExp(
        `^FAIL +smtp\\.outbound +127\\.0\\.0\\.1:${port} is not reached from here: ` +
          "ECONNREFUSED → many providers close port 25",
        "m",
      ),
    );
  });

  it("a certificate of an unknown authority", async () => {
    const stranger = selfSigned(["localhost"], -DAY_MS, 60 * DAY_MS);
    const trusted = harness.egressTls;
    harness.certify("egress", stranger);
    // The trusted authority stays the same.
    harness.egressTls = trusted;
    const { findings } = await harness.examine(["--json"]);
    expect(findings).toContainEqual(
      expect.objectContaining({
        check: "gateway.tls",
        status: "FAIL",
        what: expect.stringContaining(
          "the certificate is not trusted (DEPTH_ZERO_SELF_SIGNED_CERT)",
        ),
      }),
    );
  });

  it("no server at the URL", async () => {
    const { code, text } = await harness.examine(["--url", "http://127.0.0.1:9"]);
    expect(code).toBe(1);
    expect(text).toMatch(/^FAIL +worker\.health +http:\/\/127\.0\.0\.1:9 does not answer: /m);
  });
});
