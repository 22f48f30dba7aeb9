// Tests the edge cases of delivery with real sockets and real DNS: the worker, the gateway, and
// mail servers that misbehave as the table says (scenarios/scenarios.ts).
import { afterAll, describe, expect, it } from "vitest";
import { runScenarios, startScenarioStack } from "./scenarios/scenario-runner.ts";
import { runsHere } from "./scenarios/scenario-terms.ts";
import { SCENARIOS } from "./scenarios/scenarios.ts";
import { ofFile } from "../support/before-tests.ts";

const stack = ofFile(() => startScenarioStack("gateway"));
const fates = ofFile(() => runScenarios(stack));
afterAll(() => stack.destroy());

describe("the outcome of a message with", () => {
  for (const scenario of SCENARIOS) {
    it.skipIf(!runsHere(scenario))(scenario.title, () => {
      for (const [address, expected] of Object.entries(scenario.fates))
        expect(fates.get(address)?.outcome, address).toEqual(expected);
    });
  }
});

describe("a message that was sent again", () => {
  it("has the same Message-ID and bytes, except for the signature", () => {
    const [first = "", second = ""] = fates.get("ann@lost-at-end.test")?.raws ?? [];
    const messageId = (raw: string) => /^Message-ID: (<\S+>)\r$/im.exec(raw)?.[1];
    const unsigned = (raw: string) => raw.replace(/^DKIM-Signature:.*(?:\r\n[ \t].*)*\r\n/im, "");
    expect(messageId(first)).toMatch(/^<.+@.+>$/);
    expect(messageId(second)).toBe(messageId(first));
    expect(unsigned(second)).toBe(unsigned(first));
  });

  it("was tried for as many attempts as the schedule has", () => {
    const attempts = [...fates.values()]
      .filter(({ outcome }) => outcome.events.some(({ attempt }) => attempt === "1..n"))
      .map((fate) => fate.attempts);
    expect(attempts.length).toBeGreaterThanOrEqual(7);
    expect(attempts.filter((count) => count < 6 || count > 30)).toEqual([]);
  });
});
