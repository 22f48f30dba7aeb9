// Tests `npm run doctor` with the courier `cloudflare`: a healthy deployment, each planted fault of
// the Email Service, and a login without the needed rights. doctor-send.test.ts tests --send with a
// real message.
import { beforeEach, describe, expect, it } from "vitest";
import { type DoctorHarness, expectResult, harness, useDoctor } from "./doctor-harness.ts";
import { EMAIL_SERVICE_FAULTS } from "./account-faults.ts";
import { expectFault } from "./planted-faults.ts";

useDoctor();

beforeEach(() => harness.useEmailService());

const EVENTS = "all 6 types of events of example.com go to postern-email-events";
const of = (findings: Awaited<ReturnType<DoctorHarness["examine"]>>["findings"]) =>
  findings.filter(({ check }) => check.startsWith("email-service"));

describe("a deployment in good health", () => {
  it("has no faults, and the doctor checks neither a gateway nor port 25", async () => {
    const { code, text, findings } = await harness.examine("--json");
    expect(code, text).toBe(0);
    expect(findings.filter(({ status }) => status === "warning")).toEqual([]);
    expect(of(findings)).toEqual(
      [
        ["email-service.domain", "sending is enabled for example.com"],
        ["email-service.subscription", EVENTS],
        ["email-service.quota", "197 left of 200 messages a day"],
      ].map(([check, what]) => ({ check, status: "ok", what, mend: null })),
    );
    const others = findings.filter(({ check }) => /^(?:gateway|smtp)/.test(check));
    expect(others.map(({ check, status }) => `${check} ${status}`)).toEqual([
      "gateway unknown",
      "smtp unknown",
    ]);
    expect(text).not.toContain("login-token");
    expect(harness.accountApi.calls.filter((call) => !call.startsWith("GET"))).toEqual([]);
  });

  it("may have a quota of which Cloudflare does not report the use", async () => {
    harness.change({ limits: { quota: { value: 200, unit: "day" }, usage: null } });
    const { findings } = await harness.examine("--json");
    const what = "200 messages a day; Cloudflare does not report how many are used";
    expectResult(findings, { check: "email-service.quota", status: "ok", what });
  });

  it("is checked for each --domain too", async () => {
    const { findings } = await harness.examine("--json --domain news.example.com");
    const what = "news.example.com is not onboarded in the Email Service: its mail is refused";
    expectResult(findings, { check: "email-service.domain", status: "critical", what });
  });
});

describe("a planted fault is named with its remedy, and nothing else fails:", () => {
  it.each(Object.entries(EMAIL_SERVICE_FAULTS))("%s", (_, fault) => expectFault(harness, fault));
});

describe("a worker with another courier than its settings", () => {
  it("is named", async () => {
    const settings = { OUTBOUND: "gateway" };
    const { findings } = await harness.examine("--json --skip message", settings);
    expect(findings).toContainEqual({
      check: "worker.settings",
      status: "critical",
      what: "the worker carries mail by cloudflare, not by gateway",
      mend: expect.stringContaining("npm run deploy"),
    });
  });
});

describe("a team with a courier of its own", () => {
  it("is checked if that courier is the Email Service", async () => {
    harness.worker.outbound = () => "gateway";
    harness.worker.teamCourier = "cloudflare";
    const { findings } = await harness.examine("--json --skip smtp --skip dns");
    expect(of(findings)).toHaveLength(3);
    expectResult(findings, { check: "gateway.token", status: "ok" });
  });

  it("needs nothing of the Email Service if that courier is another", async () => {
    harness.worker.teamCourier = "smtp";
    harness.change({ sending: [], subscriptions: [] });
    const { code, findings } = await harness.examine("--json --skip message");
    expect(code).toBe(0);
    expect(of(findings).map(({ check, status }) => [check, status])).toEqual([
      ["email-service.domain", "unknown"],
      ["email-service.quota", "ok"],
    ]);
  });
});

describe("the check of the account", () => {
  it("is skipped without a login, and the doctor says so", async () => {
    harness.change({ loggedIn: false });
    const { code, findings } = await harness.examine("--json --skip message");
    expect(code).toBe(0);
    expect(of(findings)).toMatchObject([{ check: "email-service", status: "unknown" }]);
    expect(of(findings)[0]?.what).toMatch(
      /wrangler is not logged in to Cloudflare \(npx wrangler login/,
    );
  });

  it("is skipped if the login has several accounts and none is chosen", async () => {
    harness.change({ accounts: ["acc1", "acc2"].map((id) => ({ id, name: id })) });
    const { findings } = await harness.examine("--json --skip message");
    expect(of(findings)[0]?.what).toContain("several accounts: set CLOUDFLARE_ACCOUNT_ID");
  });

  it.each([
    ["GET /zones", "email-service.subscription", "Zone · Zone · Read"],
    ["GET /accounts/acc1/email", "email-service.quota", "Zone · Email Sending · Edit"],
  ])("is skipped without a permission, which is named: %s", async (at, check, permission) => {
    harness.change({ fault: { at, kind: "refuse", times: 9 } });
    const { code, findings } = await harness.examine("--json --skip message");
    expect(code).toBe(0);
    expectResult(findings, { check, status: "unknown", what: expect.stringContaining(permission) });
  });

  it("is not made for another courier, nor with --skip email-service", async () => {
    const skipped = await harness.examine(
      "--json --skip email-service --skip account --skip mailboxes --skip tracking --skip message",
    );
    expect(of(skipped.findings)).toEqual([]);
    harness.worker.outbound = () => "smtp";
    const relay = await harness.examine("--json --skip message --skip smtp");
    expect(of(relay.findings)).toEqual([]);
    expect(harness.askedWrangler).toBe(false);
  });
});
