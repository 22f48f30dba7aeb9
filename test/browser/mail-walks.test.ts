// Tests two problems that a member of a team solves with the console, with real mail that the local
// stack's inbox refuses: a password reset that did not come, and a Monday on which a large provider
// refuses everything. The tests take pictures of the main steps.
import { text } from "node:stream/consumers";
import type { Locator } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { leadOf } from "../../console/src/pages/overview/provider-cards.ts";
import type { Deliverability } from "../../packages/postern/src/generated/types.ts";
import { ConsoleWindow, shared } from "./console-window.ts";
import type { StackClient } from "../stack/stack-client.ts";

interface Answer {
  readonly explanation: { readonly summary: string; readonly next: string };
}

/**
 * Allows time for the message to be delivered, and for the console to refresh the page, which it
 * does every minute.
 */
const OFTEN = { interval: 200 };

/** Returns the rows' names for a screen reader. */
const namesOf = (rows: Locator): Promise<string[]> =>
  rows.evaluateAll((buttons) =>
    buttons.map((button) =>
      (button.getAttribute("aria-labelledby") ?? "")
        .split(" ")
        .map((id) => document.getElementById(id)?.textContent)
        .join(" "),
    ),
  );

describe("a password reset that did not come", () => {
  const ADDRESS = "ada@customer.example";
  const WORDS = "550 5.1.1 <ada@customer.example>: Recipient address rejected: User unknown";
  let team: StackClient;

  beforeAll(async () => {
    team = await shared().team("fernhill.example", "Fernhill");
    await team.rules([{ rcpt: "^ada@customer\\.example$", stage: "rcpt", reply: WORDS }]);
    const first = await team.sent(ADDRESS, "Reset your password");
    const became = (id: string, type: string) =>
      vi.waitFor(async () => expect(await team.history(id)).toContain(type), OFTEN);
    await became(first, "email.bounced");
    // The suppression is stored some time after the bounce. If the second message did not wait for
    // it, the message would bounce too.
    await vi.waitFor(() => team.ask("GET", `/v1/suppressions/${ADDRESS}`), OFTEN);
    const second = await team.sent(ADDRESS, "Reset your password");
    await became(second, "email.suppressed");
  });
  afterAll(() => team.rules([]));

  it("is found by its address, explained in the service's words, and can be corrected there", async () => {
    const window = await ConsoleWindow.open(team.dev);
    const { page } = window;
    await window.signIn();

    await page.keyboard.press("/");
    await page.keyboard.type(ADDRESS);
    await window.keepPictures("walk-reset-asked");
    await page.keyboard.press("Enter");
    const suppression = page.getByRole("region", { name: "Suppression" });
    const { explanation } = await team.ask<Answer>("GET", `/v1/recipients/${ADDRESS}`);
    await suppression.getByText(explanation.summary).waitFor();
    await suppression.getByText(explanation.next).waitFor();
    await suppression.getByText(WORDS).waitFor();
    await window.settle();
    expect(await page.locator("button.row").count()).toBe(2);
    await window.keepPictures("walk-reset-answer");

    await page.locator("tr", { hasText: "Bounced" }).locator("button.row").click();
    const timeline = page.getByRole("region", { name: "Timeline" });
    await timeline.getByText(WORDS).waitFor();
    await timeline.getByText("Address suppressed").waitFor();
    await timeline.getByText("Classification").click();
    await timeline.getByText("InvalidRecipient").waitFor();
    await window.keepPictures("walk-reset-timeline");

    await team.rules([]);
    const kept = await team.ask("GET", `/v1/suppressions/${ADDRESS}`);
    const lift = suppression.getByRole("button", { name: "Lift suppression" });
    await lift.click();
    await page.getByText(`The suppression of ${ADDRESS} will be lifted`).waitFor();
    await page.getByRole("button", { name: "Undo" }).click();
    await lift.waitFor();
    expect(await team.ask("GET", `/v1/suppressions/${ADDRESS}`)).toEqual(kept);
    await lift.click();
    await window.keepPictures("walk-reset-lifting");
    await page.getByRole("button", { name: "Lift now" }).click();
    await page.getByText(`${ADDRESS} is no longer suppressed.`).waitFor();
    await timeline.getByText("Suppression lifted").waitFor();
    await window.keepPictures("walk-reset-lifted");

    await team.sent(ADDRESS, "Reset your password");
    await vi.waitFor(async () => expect(await team.inbox(`&to=${ADDRESS}`)).toHaveLength(1), OFTEN);
    await page.getByRole("button", { name: /\d+ new/ }).click();
    await page.locator("tr", { hasText: "Delivered" }).locator("button.row").click();
    await timeline.getByText("The receiving server accepted the message.").waitFor();
    await page.getByText("3 in 30 days").waitFor();
    await window.settle();
    await window.keepPictures("walk-reset-delivered");
    expect(window.complaints).toEqual([]);
    await window.close();
  });
});

describe("a Monday on which a large provider refuses everything", () => {
  const REFUSED = Array.from({ length: 60 }, (_, index) => `reader${index + 1}@outlook.com`);
  const OTHERS = Array.from({ length: 15 }, (_, index) => `ann@customer${index + 1}.example`);
  const REFUSAL = { rcpt: "@outlook\\.com$", stage: "rcpt" };
  const DEFERRAL = "421 4.7.0 [TS01] Messages from 127.0.0.1 temporarily deferred";
  const ROW_NAME = /^Bounced reader\d+@outlook\.com$/;
  const WORDS = "550 5.7.1 Our system detected unusual mail from 127.0.0.1: it has been blocked";
  let team: StackClient;

  beforeAll(async () => {
    team = await shared().team("harbour.example", "Harbour");
    await team.rules([{ ...REFUSAL, reply: DEFERRAL }]);
    for (const address of [...OTHERS, ...REFUSED]) await team.sent(address, "Your weekly report");
    const recipientsOf = async (type: string) =>
      (
        await team.ask<{ data: { recipient: string }[] }>(
          "GET",
          `/v1/events?event_type=${type}&limit=100`,
        )
      ).data.map(({ recipient }) => recipient);
    const deferred = async () => new Set(await recipientsOf("email.delayed"));
    await vi.waitFor(async () => expect((await deferred()).size).toBe(REFUSED.length), OFTEN);
    await team.rules([{ ...REFUSAL, reply: WORDS }]);
    const bounced = () => recipientsOf("email.bounced");
    await vi.waitFor(async () => expect(await bounced()).toHaveLength(REFUSED.length), OFTEN);
  });
  afterAll(() => team.rules([]));

  it("appears in the overview, which links to the refused mail, the server's words and the rows", async () => {
    const window = await ConsoleWindow.open(team.dev);
    const { page } = window;
    await window.signIn();

    const row = page.getByRole("table", { name: "Recipient domains" }).locator("tr", {
      has: page.getByRole("rowheader", { name: "outlook.com" }),
    });
    await row.getByRole("cell", { name: "60", exact: true }).waitFor();
    await row.getByText("over the limit").first().waitFor({ state: "attached" });
    const { findings } = await team.ask<Deliverability>("GET", "/v1/deliverability");
    const [finding] = findings;
    if (!finding) throw new Error("there is no finding");
    const card = page
      .getByRole("region", { name: "Needs attention" })
      .getByRole("listitem")
      .first();
    await card.getByText(leadOf(finding, "UTC")).click();
    await card.getByText(finding.evidence.reply ?? "", { exact: true }).waitFor();
    expect(await page.locator(".kpi", { hasText: "Bounced" }).textContent()).toContain(
      "80%over 2%",
    );
    await window.keepPictures("walk-monday-overview");

    await card.getByRole("link", { name: /^Show 60: / }).click();
    await page.getByRole("heading", { level: 1, name: "Messages" }).waitFor();
    await page.getByText("60 events.").waitFor();
    const filters = page.getByRole("list", { name: "Active filters" });
    await filters.getByText(finding.evidence.reply ?? "").waitFor();
    expect(await page.getByRole("combobox", { name: "Event type" }).inputValue()).toBe(
      "email.bounced",
    );
    const form = page.getByRole("link", { name: finding.action.text.split(": ")[0] ?? "" });
    expect(await form.getAttribute("href")).toBe(finding.action.href);
    await window.settle();
    const rows = page.getByRole("table", { name: "Events" }).locator("button.row");
    expect(await rows.count()).toBeGreaterThan(0);
    expect((await namesOf(rows)).filter((name) => !ROW_NAME.test(name))).toEqual([]);
    await window.keepPictures("walk-monday-messages");

    await page.locator("button.row").first().click();
    const timeline = page.getByRole("region", { name: "Timeline" });
    await timeline.getByText(DEFERRAL).first().waitFor();
    await timeline.getByText(WORDS).waitFor();
    await window.settle();
    await window.keepPictures("walk-monday-row");

    const saved = page.waitForEvent("download");
    await page.getByRole("button", { name: "Download CSV" }).click();
    const lines = (await text(await (await saved).createReadStream())).split("\r\n");
    expect(lines[0]).toContain("bounce_classification");
    expect(REFUSED.filter((address) => !lines.some((line) => line.includes(address)))).toEqual([]);
    expect(lines.filter((line) => line.includes("email.bounced"))).toHaveLength(REFUSED.length);
    expect(window.complaints).toEqual([]);
    await window.close();
  });
});
