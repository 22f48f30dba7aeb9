// Tests the edge cases of delivery through Cloudflare's Email Service: the worker, the double of
// that service, and mail servers that misbehave as the table says (scenarios/scenarios.ts). Rules
// derive the expected results from those through the gateway (scenarios/email-service-terms.ts).
// test/pipeline/email-service has late, doubled and lost events, complaints, quotas and kills.
import { execFile } from "node:child_process";
import { readFileSync } from "node:fs";
import { promisify } from "node:util";
import { afterAll, describe, expect, it } from "vitest";
import { tellsOfEmailService, throughEmailService } from "./scenarios/email-service-terms.ts";
import { runScenarios, startScenarioStack } from "./scenarios/scenario-runner.ts";
import { SCENARIOS } from "./scenarios/scenarios.ts";
import { MAIL_HOSTS, oneServer, POLITE } from "./scenarios/scenario-terms.ts";
import { ofFile } from "../support/before-tests.ts";

const STORIES = SCENARIOS.filter(tellsOfEmailService).map(throughEmailService);
const PAGE = new URL("../../docs/local.md", import.meta.url);
const WITHIN = { interval: 200 };

const stack = ofFile(() => startScenarioStack("cloudflare"));
const fates = ofFile(() => runScenarios(stack, STORIES));
afterAll(() => stack.destroy());

/** Finds the commands on the page that call the double of the Email Service. */
function commandsOfPage(): string[] {
  const blocks = readFileSync(PAGE, "utf8").matchAll(/^```sh\n([^]*?)^```$/gm);
  return Array.from(blocks, ([, block = ""]) => block.split(/(?<!\\)\n/))
    .flat()
    .filter((command) => command.includes("http://127.0.0.1:8054"));
}

describe("through the Email Service, the outcome of a message with", () => {
  it.each(STORIES.map((story) => [story.title, story] as const))("%s", (_, story) => {
    for (const [address, expected] of Object.entries(story.fates))
      expect(fates.get(address)?.outcome, address).toEqual(expected);
  });
});

describe("the scenarios that are not run through the Email Service", () => {
  it("are few, and each says why", () => {
    const reasons = SCENARIOS.flatMap(({ gatewayOnly }) => gatewayOnly ?? []);
    expect(reasons.length).toBeLessThan(SCENARIOS.length / 8);
    for (const reason of reasons) expect(reason).toMatch(/^[A-Z].*\.$/);
  });
});

describe("the Email Service", () => {
  it("alone may put events onto the queue", async () => {
    const response = await fetch(`${stack.dev.api_url}/__email-service/events`, {
      method: "POST",
      headers: { authorization: "Bearer wrong" },
      body: "[]",
    });
    expect(response.status).toBe(403);
  });

  it("runs in a stack that also serves the console, with every switch on", async () => {
    const { status, headers } = await fetch(`${stack.dev.api_url}/console/`);
    expect([status, headers.get("content-type")]).toEqual([
      200,
      expect.stringMatching("text/html"),
    ]);
  });

  it("answers the commands of docs/local.md", async () => {
    expect(MAIL_HOSTS).toContain(POLITE);
    for (const record of oneServer("example.net", POLITE)) await stack.publish(record);
    const id = await stack.sent("someone@example.net", "Scenario");
    await expect.poll(() => stack.history(id), WITHIN).toContain("email.delivered");
    const commands = commandsOfPage();
    expect(commands.length).toBeGreaterThanOrEqual(4);
    for (const command of commands) {
      const here = command.replaceAll("http://127.0.0.1:8054", stack.dev.email_service_url ?? "");
      const { stdout } = await promisify(execFile)("bash", ["-c", here]);
      expect(JSON.parse(stdout), command).not.toHaveProperty("error");
    }
    await stack.put(`${stack.dev.email_service_url}/settings`, {});
    await stack.put(`${stack.dev.email_service_url}/event-rules`, { rules: [] });
  });
});
