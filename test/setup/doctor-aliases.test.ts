// What `npm run doctor` says of a sending domain whose CNAME records lead to the service's names
// through names of the domain's own.
import { afterEach, beforeEach, expect, it } from "vitest";
import { DoctorStand } from "./doctor-stand.ts";

let stand: DoctorStand;

beforeEach(async () => {
  stand = await DoctorStand.start();
});

afterEach(async () => {
  await stand.close();
});

async function detour(): Promise<void> {
  for (const { name: relative, value } of stand.worker.domains[0]?.dns_records ?? []) {
    const name = `${relative}.example.com`;
    await stand.dns(name, "CNAME", `detour.${name}`);
    await stand.dns(`detour.${name}`, "CNAME", value);
  }
}

it("finds nothing to mend where the aliases of aliases reach their targets", async () => {
  await detour();
  const { code, text } = await stand.examine(["--skip", "message"]);
  expect(text).not.toMatch(/^(?:warn|FAIL)/m);
  expect(code).toBe(0);
});

it("names the alias that the chain ends at where it ends elsewhere", async () => {
  await detour();
  await stand.dns("detour.bounces.example.com", "CNAME", "elsewhere.example.com");
  const { code, findings } = await stand.examine(["--json", "--skip", "message"]);
  expect(code).toBe(1);
  expect(findings).toContainEqual(
    expect.objectContaining({
      check: "domain.spf",
      status: "FAIL",
      what: expect.stringContaining("bounces.example.com leads to elsewhere.example.com"),
    }),
  );
});
