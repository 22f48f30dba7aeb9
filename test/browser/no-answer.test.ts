// Tests the console while the API does not answer. The frame of the page stays and says when it
// tries again, a list shows no count that it has not read, and an unknown address still has a page.
import type { Route } from "playwright-core";
import { describe, expect, inject, it } from "vitest";
import { OPERATOR_SECTIONS } from "../../console/src/pages/operator/operator-sections.ts";
import { SECTIONS } from "../../console/src/shell/sections.ts";
import { shared, windowOfEachTest } from "./console-window.ts";

const UNKNOWN = "00000000-0000-4000-8000-000000000000";
const SINCE = /No answer since \d\d:\d\d/;
const COUNTDOWN = /No answer since \d\d:\d\d UTC, trying again in \d+ s$/;

const window = windowOfEachTest();

const addressOf = (path: string): string => `${inject("stack").api_url}/console${path}`;
const heading = (name: string) => window.page.getByRole("heading", { level: 1, name });
const section = (name: RegExp) => window.page.getByRole("link", { name }).first();
const spoken = () => window.page.getByRole("status").filter({ hasText: SINCE });

describe("without an answer", () => {
  it("the frame stays, counts down silently for screen readers, and continues by itself", async () => {
    const { page } = window;
    await window.signIn("/messages?event_type=email.complained");
    await page.evaluate(() => document.body.setAttribute("data-same", ""));
    await page.route("**/*", (route) => route.abort());
    await page.getByRole("combobox", { name: "Event type" }).selectOption("email.clicked");
    const bar = page.getByText(COUNTDOWN);
    await bar.waitFor();
    const [said, first] = [await spoken().textContent(), await bar.textContent()];
    await page.waitForFunction(
      (text) => document.querySelector(".no-answer p")?.textContent !== text,
      first,
    );
    expect(await spoken().textContent()).toBe(said);
    expect(await window.violations()).toEqual([]);
    await window.keepPictures("no-answer");
    // The browser cannot load the script of the page "Webhooks" now, and has not loaded it before.
    await section(/^Webhooks/).click();
    await heading("Messages").waitFor({ state: "detached" });

    await page.unroute("**/*");
    await heading("Webhooks").waitFor();
    await bar.waitFor({ state: "detached" });
    await spoken().waitFor({ state: "detached" });
    await page.getByText("The service answers again.").waitFor({ state: "attached" });
    expect(await page.locator("body[data-same]").count()).toBe(1);
  });

  it("a list waits while the network is away, and fills itself afterwards", async () => {
    const { page } = window;
    await shared().sent("read-when-online@example.net", "Read when online");
    await window.signIn("/messages?event_type=email.complained");
    await page.context().setOffline(true);
    await page.getByText("This browser is offline. No answer since").first().waitFor();
    await page.getByRole("combobox", { name: "Event type" }).selectOption("");
    await page.locator(".skeleton").waitFor();
    expect(
      await page
        .getByRole("region", { name: "Log" })
        .getByText(/\d (?:message|event)|reached/)
        .count(),
    ).toBe(0);
    await page.context().setOffline(false);
    await page.getByText("read-when-online@example.net").first().waitFor();
    await page.getByText(SINCE).first().waitFor({ state: "detached" });
  });

  it("a session that can't be read yet is asked for again until it is found", async () => {
    const { page } = window;
    await window.signIn("/keys");
    await page.route("**/console/session*", (route) => route.fulfill({ status: 502 }));
    await page.reload();
    await page.getByText(COUNTDOWN).waitFor();
    await page.unroute("**/console/session*");
    await heading("Keys").waitFor();
  });
});

describe("a count", () => {
  const never = (): Promise<void> => new Promise(() => {});
  const refuse = (route: Route): Promise<void> =>
    route.fulfill({ status: 403, json: { error: { message: "Not for this test." } } });

  it.each([
    ["while its answer is on the way", never, "Loading"],
    ["beside an error", refuse, "Not for this test."],
  ])("appears on no page %s", async (_case, answer, instead) => {
    const { page } = window;
    await page.route(/\/(?:v1|admin)\//, answer);
    await window.signIn("/nothing");
    const shown = SECTIONS.filter(({ needs }) => needs.includes(" /v1/"));
    const counted = await countsOf(shown, instead);
    await window.signInAsOperator("/operator/nothing");
    expect([...counted, ...(await countsOf(OPERATOR_SECTIONS, instead))]).toEqual([]);
  });

  it("of problems appears only when all of them were read", async () => {
    const { page } = window;
    await shared().sent("counted-in-the-overview@example.net", "Counted in the overview");
    await page.route(/\/v1\/(?!stats)/, refuse);
    await window.signIn();
    const attention = page.getByRole("region", { name: "Needs attention" });
    await attention.getByText("Could not load webhooks.").waitFor();
    expect(await attention.getByRole("status").textContent()).toBe("");
  });

  /**
   * Opens each section of the console, waits for the text `instead`, and returns the names of the
   * sections that show the count 0.
   */
  async function countsOf(
    sections: readonly { readonly name: string }[],
    instead: string,
  ): Promise<string[]> {
    const main = window.page.locator("main");
    const counted: string[] = [];
    for (const { name } of sections) {
      await section(new RegExp(`^${name}`)).click();
      await heading(name).waitFor();
      await main.getByText(instead).first().waitFor({ state: "attached" });
      const text = await main.innerText();
      if (/\b0\b/.test(text)) counted.push(`${name}: ${text}`);
    }
    return counted;
  }
});

describe("an unknown address of the console", () => {
  it("leads to a page of the console with a way back", async () => {
    await window.signIn("/nothing");
    await isNotFound("Go to overview", "Overview");
    for (const [path, back, name] of [
      ["/messages/email_1/more", "Go to overview", "Overview"],
      [`/messages/email_${UNKNOWN}`, "All messages", "Messages"],
      [`/domains/domain_${UNKNOWN}`, "All domains", "Domains"],
      [`/templates/template_${UNKNOWN}`, "All templates", "Templates"],
      ["/webhooks/nothing", "All webhooks", "Webhooks"],
    ] as const) {
      await window.page.goto(addressOf(path));
      await isNotFound(back, name);
    }
  });

  it("leads to such a page in the operator's console too", async () => {
    await window.signInAsOperator("/operator/nothing");
    await isNotFound("Go to overview", "Overview");
    await window.page.goto(addressOf(`/operator/teams/team_${UNKNOWN}`));
    await isNotFound("All teams", "Teams");
  });

  async function isNotFound(back: string, name: string): Promise<void> {
    await heading("Not found").waitFor();
    await section(/^Overview/).waitFor();
    await window.page.getByRole("link", { name: back }).click();
    await heading(name).waitFor();
  }
});
