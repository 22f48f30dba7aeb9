// Delivery's edge cases through Cloudflare's Email Service: the worker, the double of that service,
// and mail servers that misbehave as the table says (scenarios/scenarios.ts). The results follow
// from those through the gateway by rules (scenarios/email-service-terms.ts).
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { tellsOfEmailService, throughEmailService } from "./scenarios/email-service-terms.ts";
import { type Fates, runScenarios, startScenarioStack } from "./scenarios/scenario-runner.ts";
import { SCENARIOS } from "./scenarios/scenarios.ts";
import type { Stack } from "./stack.ts";

const STORIES = SCENARIOS.filter(tellsOfEmailService).map(throughEmailService);

let stack: Stack;
let fates: Fates;

beforeAll(async () => {
  stack = await startScenarioStack("cloudflare");
  fates = await runScenarios(stack, STORIES);
}, 150_000);
afterAll(() => stack.destroy());

describe("through the Email Service, the outcome of a message with", () => {
  it.each(STORIES.map((story) => [story.title, story] as const))("%s", (_, story) => {
    for (const [address, expected] of Object.entries(story.fates)) {
      const {
        raws: _raws,
        attempts: _attempts,
        ...outcome
      } = fates.get(address) ?? { raws: [], attempts: 0 };
      expect(outcome, address).toEqual(expected);
    }
  });
});

describe("the stories that are not told of the Email Service", () => {
  it("are few, and each says why", () => {
    const reasons = SCENARIOS.flatMap(({ gatewayOnly }) => gatewayOnly ?? []);
    expect(reasons.length).toBeLessThan(SCENARIOS.length / 8);
    for (const reason of reasons) expect(reason).toMatch(/^[A-Z].*\.$/);
  });
});
