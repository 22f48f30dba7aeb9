// Tests the operator's console while a gateway is down, on a stack of its own. The console shows
// the fault at once, mail waits, and all of it is delivered when the gateway is back. Then a
// provider refuses a team's mail. The test takes pictures of the main steps.
import { createServer } from "node:net";
import { afterAll, describe, expect, it, vi } from "vitest";
import { listenOnLoopback } from "../../tools/harness/loopback.ts";
import { formatShare } from "../../console/src/parts/figures.ts";
import { Stack } from "../e2e/stack.ts";
import { ConsoleWindow } from "./console-window.ts";
import { ofFile } from "../support/before-tests.ts";

/**
 * Allows for the console, which asks for the gateways every 15 seconds, and for a team's numbers,
 * which can be a minute old.
 */
const OFTEN = { interval: 200 };
const ADDRESSES = ["ann@example.net", "ben@example.net", "cleo@example.net"];

const stack = ofFile(() => Stack.start({ RETRY_SPEEDUP: "20", LEASE_SPEEDUP: "12" }));

afterAll(() => stack.destroy());

/**
 * Kills the gateway and takes its port, so that each restart fails. Returns a function that
 * releases the port.
 */
async function keepGatewayDown(): Promise<() => void> {
  const port = Number(new URL(stack.dev.egress_url).port);
  const squatter = createServer((socket) => socket.destroy());
  await vi.waitFor(async () => {
    stack.killGateway();
    await listenOnLoopback(squatter, port);
  }, OFTEN);
  return () => squatter.close();
}

describe("a gateway that is down, seen by the operator", () => {
  it("appears with its waiting mail and again when it is back, and loses no mail; a team with refused mail appears too", async () => {
    const window = await ConsoleWindow.open(stack.dev);
    const { page } = window;
    await window.signInAsOperator();
    const verdict = page.getByRole("region", { name: "Summary" });
    await verdict.getByText("Nothing needs attention.").waitFor();
    await window.keepPictures("walk-gateway-before");

    const bringBack = await keepGatewayDown();
    for (const address of ADDRESSES)
      expect((await stack.send(address, "Your order of today")).status).toBe(202);
    await verdict.getByText(/The gateway \S+ does not answer\./).waitFor();
    await verdict.getByText(/mail is accepted and waits/).waitFor();
    const waiting = page.getByRole("row", { name: "Pending recipients" });
    await waiting.getByRole("cell", { name: "3", exact: true }).waitFor();
    await window.keepPictures("walk-gateway-overview");

    await verdict.getByRole("link", { name: "Gateways" }).click();
    await page.getByRole("heading", { level: 1, name: "Delivery" }).waitFor();
    await page.getByText(/\/deliver → no answer/).waitFor();
    expect(await stack.inbox()).toEqual([]);
    await window.keepPictures("walk-gateway-down");

    bringBack();
    await verdict.getByText("The gateway is up.").waitFor();
    await page.getByText(/\/deliver → HTTP 200/).waitFor();
    await window.keepPictures("walk-gateway-back");

    await vi.waitFor(async () => {
      const taken = (await stack.inbox()).flatMap(({ rcpt_to }) => rcpt_to);
      expect(taken.toSorted()).toEqual(ADDRESSES);
    }, OFTEN);

    await stack.rules([{ rcpt: "@refused", stage: "rcpt", reply: "550 5.7.1 Blocked (S3150)" }]);
    for (let index = 0; index < 5; index += 1)
      await stack.send(`someone-${index}@refused.example.net`, "Your order of today");
    await vi.waitFor(async () => {
      const attention = await stack.operator.ask("GET", "/admin/attention");
      expect(attention).toMatchObject({ worst: [{ severity: "critical" }] });
    }, OFTEN);
    await window.goTo("/operator");
    await verdict.getByText(/have refused all mail since \d\d:\d\d UTC\.$/).waitFor();
    await verdict.getByText("550 5.7.1 Blocked (S3150)", { exact: true }).waitFor();
    expect(await window.violations()).toEqual([]);
    await window.keepPictures("walk-team-refused");
    await page
      .getByRole("region", { name: "Teams" })
      .getByRole("link", { name: "Open team" })
      .click();
    const mail = page.getByRole("region", { name: "Deliverability" });
    await mail.getByText(`5 of 5 recipients (${formatShare(5, 5)})`).waitFor();
    await mail.getByRole("row", { name: /^Other providers/ }).waitFor();
    await window.settle();
    expect(await window.violations()).toEqual([]);
    expect(window.complaints).toEqual([]);
    await window.close();
  });
});
