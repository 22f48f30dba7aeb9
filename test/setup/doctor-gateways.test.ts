// `npm run doctor` for several gateways (docs/operating.md §Doctor): each is checked, and the
// worker's deployed settings are compared with those known here.
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { DoctorHarness } from "./doctor-harness.ts";

let harness: DoctorHarness;

beforeEach(async () => {
  harness = await DoctorHarness.start();
});

afterEach(async () => {
  await harness.close();
});

describe("several gateways", () => {
  const second = "https://localhost:1";

  beforeEach(() => {
    const about = { status: null, date: null };
    harness.worker.gateways = [
      { url: harness.egressUrl, state: "agreed", ...about },
      { url: second, state: "unreachable", ...about },
    ];
  });

  it("are checked one by one", async () => {
    const { code, findings } = await harness.examine(["--json"]);
    expect(code).toBe(1);
    const told = findings
      .filter(({ check }) => check === "gateway.token")
      .map(({ status, what }) => [status, what]);
    expect(told).toEqual([
      ["ok", `the worker reaches ${harness.egressUrl}, and their tokens agree`],
      ["FAIL", `the worker can't reach the gateway (${second})`],
    ]);
    expect(
      findings.filter(({ check, status }) => check === "gateway.tls" && status === "FAIL"),
    ).toHaveLength(1);
  });

  it("are compared with those the worker was deployed with", async () => {
    const both = ["--egress-url", `${second}, ${harness.egressUrl}/`];
    expect((await harness.examine(["--json", "--skip", "gateway", ...both])).code).toBe(0);
    const { code, findings } = await harness.examine([
      "--json",
      "--skip",
      "gateway",
      "--egress-url",
      harness.egressUrl,
    ]);
    expect(code).toBe(1);
    expect(findings.filter(({ status }) => status === "FAIL")).toEqual([
      expect.objectContaining({
        check: "worker.settings",
        what:
          `the worker hands mail to ${harness.egressUrl}, ${second}, not to ` + harness.egressUrl,
        mend: expect.stringContaining("npm run deploy"),
      }),
    ]);
  });

  it("take complaints, or the one that does not is named", async () => {
    harness.rcptReply = "550 5.7.1 Relaying denied";
    const { code, findings } = await harness.examine(["--json", "--skip", "gateway"]);
    expect(code).toBe(0);
    expect(findings).toContainEqual(
      expect.objectContaining({
        check: "smtp.feedback",
        status: "warn",
        what: expect.stringMatching(
          /takes no mail to fbl@feedback\.post\.example\.com: it is answered 550/,
        ),
      }),
    );
  });

  it("each need an MX record", async () => {
    await harness.dns("mx-b.example.com", "A", "127.0.0.1");
    const { findings } = await harness.examine([
      "--json",
      "--skip",
      "gateway",
      "--mail-host",
      "mx-b.example.com",
    ]);
    expect(findings).toContainEqual(
      expect.objectContaining({
        check: "dns.mx",
        status: "warn",
        what: expect.stringContaining("and not to mx-b.example.com"),
      }),
    );
    await harness.dns("*.return-path.post.example.com", "MX", [
      "10 mx.example.com",
      "20 mx-b.example.com",
    ]);
    const again = await harness.examine([
      "--json",
      "--skip",
      "gateway",
      "--mail-host",
      "mx-b.example.com",
    ]);
    expect(again.findings).toContainEqual(
      expect.objectContaining({ check: "dns.mx", status: "ok" }),
    );
    expect(again.findings.filter(({ check }) => check === "smtp.port")).toHaveLength(2);
  });
});
