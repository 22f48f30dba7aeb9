// Tests which gateways are asked about a copy (src/mail/deliver/couriers/gateway-questions.ts).
import { describe, expect, it, vi } from "vitest";
import { askGateways } from "../../../../src/mail/deliver/couriers/gateway-questions.ts";
import { attemptKey } from "../../../../src/rpc/attempt-key.ts";

const [ONE, TWO, GONE] = ["one", "two", "gone"].map((name) => `https://${name}.example`) as [
  string,
  string,
  string,
];
const GRANT = { emailId: "email_1", recipientIndex: 0, attempt: 1 };
const SETTINGS = { egressUrls: [ONE, TWO], leavingUrls: [], gatewayToken: "token" };

/** Asks about one copy that `holder` has. Returns the answers, and the gateways that were asked. */
async function ask(host: string | null, holder: string) {
  const asked: string[] = [];
  vi.spyOn(globalThis, "fetch").mockImplementation((input) => {
    const url = (input as string).replace(/\/ask$/, "");
    asked.push(url);
    const kind = url === holder ? "under_way" : "never_heard";
    return Promise.resolve(new Response(`${JSON.stringify({ key: attemptKey(GRANT), kind })}\n`));
  });
  return { results: await askGateways(SETTINGS, [{ ...GRANT, host }]), asked };
}

describe("a question about a copy", () => {
  it.each([
    ["the gateway that has it alone", TWO, [TWO]],
    ["all gateways if it is unknown which one has it", null, [ONE, TWO]],
    ["all gateways if the one that had it is removed", GONE, [ONE, TWO]],
  ])("goes to %s", async (_whom, host, expected) => {
    const { results, asked } = await ask(host, TWO);
    expect(asked).toEqual(expected);
    expect(results.underWay).toEqual([{ ...GRANT, host: TWO }]);
    expect(results.neverHeard).toEqual([]);
  });
});
