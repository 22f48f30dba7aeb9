// What `npm run doctor` says where there are several gateways (docs/operating.md §Doctor): each is
// looked at, and what the worker was last given is told apart from what is known here.
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { DoctorStand } from "./doctor-stand.ts";

let stand: DoctorStand;

beforeEach(async () => {
  stand = await DoctorStand.start();
});

afterEach(async () => {
  await stand.close();
});

describe("several gateways", () => {
  const second = "https://localhost:1";

  beforeEach(() => {
    const about = { status: null, date: null };
    stand.worker.gateways = [
      { url: stand.egressUrl, state: "agreed", ...about },
      { url: second, state: "unreachable", ...about },
    ];
  });

  it("are looked at one by one", async () => {
    const { code, findings } = await stand.examine(["--json"]);
    expect(code).toBe(1);
    const told = findings
      .filter(({ check }) => check === "gateway.token")
      .map(({ status, what }) => [status, what]);
    expect(told).toEqual([
      ["ok", `the worker reaches ${stand.egressUrl}, and their tokens agree`],
      ["FAIL", `the worker can't reach the gateway (${second})`],
    ]);
    expect(
      findings.filter(({ check, status }) => check === "gateway.tls" && status === "FAIL"),
    ).toHaveLength(1);
  });

  it("are told from what the worker was last given", async () => {
    const both = ["--egress-url", `${second}, ${stand.egressUrl}/`];
    expect((await stand.examine(["--json", "--skip", "gateway", ...both])).code).toBe(0);
    const { code, findings } = await stand.examine([
      "--json",
      "--skip",
      "gateway",
      "--egress-url",
      stand.egressUrl,
    ]);
    expect(code).toBe(1);
    expect(findings.filter(({ status }) => status === "FAIL")).toEqual([
      expect.objectContaining({
        check: "worker.settings",
        what: `the worker hands mail to ${stand.egressUrl}, ${second}, not to ${stand.egressUrl}`,
        mend: expect.stringContaining("npm run deploy"),
      }),
    ]);
  });

  it("take complaints, or are named", async () => {
    stand.rcptReply = "550 5.7.1 Relaying denied";
    const { code, findings } = await stand.examine(["--json", "--skip", "gateway"]);
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

  it("have each an MX record", async () => {
    await stand.dns("mx-b.example.com", "A", "127.0.0.1");
    const { findings } = await stand.examine([
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
    await stand.dns("*.return-path.post.example.com", "MX", [
      "10 mx.example.com",
      "20 mx-b.example.com",
    ]);
    const again = await stand.examine([
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
