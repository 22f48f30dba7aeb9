// `npm run doctor` for a sending domain whose CNAME records lead to the service's names through
// names of the domain's own.
import { afterEach, beforeEach, expect, it } from "vitest";
import { DoctorHarness } from "./doctor-harness.ts";

let harness: DoctorHarness;

beforeEach(async () => {
  harness = await DoctorHarness.start();
});

afterEach(async () => {
  await harness.close();
});

async function detour(): Promise<void> {
  for (const { name: relative, value } of harness.worker.domains[0]?.dns_records ?? []) {
    const name = `${relative}.example.com`;
    await harness.dns(name, "CNAME", `detour.${name}`);
    await harness.dns(`detour.${name}`, "CNAME", value);
  }
}

it("the doctor finds no fault when aliases of aliases reach their targets", async () => {
  await detour();
  const { code, text } = await harness.examine(["--skip", "message"]);
  expect(text).not.toMatch(/^(?:warn|FAIL)/m);
  expect(code).toBe(0);
});

it("the doctor names the alias where a chain ends elsewhere", async () => {
  await detour();
  await harness.dns("detour.bounces.example.com", "CNAME", "elsewhere.example.com");
  const { code, findings } = await harness.examine(["--json", "--skip", "message"]);
  expect(code).toBe(1);
  expect(findings).toContainEqual(
    expect.objectContaining({
      check: "domain.spf",
      status: "FAIL",
      what: expect.stringContaining("bounces.example.com leads to elsewhere.example.com"),
    }),
  );
});
