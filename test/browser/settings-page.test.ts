// Tests the page "Settings" of the console in a real browser: its two settings reach the service.
import { describe, expect, it } from "vitest";
import { shared, windowOfEachTest } from "./console-window.ts";

const window = windowOfEachTest();

describe("the settings of a team", () => {
  it("topics get names, and a name that the service refuses stays in the form", async () => {
    const { page } = window;
    await window.signIn("/settings");
    const topics = page.getByLabel("Names of topics");
    await page.getByLabel("We read replies here").check();
    await topics.fill("newsletter = Weekly news\nOdd Topic = X");
    await page.getByRole("button", { name: "Save settings" }).click();
    await page.getByRole("alert").getByText("must be a topic").waitFor();
    await topics.fill("newsletter = Weekly news = now");
    await page.getByRole("button", { name: "Save settings" }).click();
    await page.getByText("Saved.").waitFor();
    const saved = { reads_replies: true, topic_names: { newsletter: "Weekly news = now" } };
    expect(await shared().ask("GET", "/v1/team")).toMatchObject(saved);
    await page.reload();
    await expect.poll(() => topics.inputValue()).toBe("newsletter = Weekly news = now");
  });
});
