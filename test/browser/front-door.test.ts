// Tests signing in at the address of any page of the console: the sign-in form, a session that ends
// in the middle of work, and what the next person sees.
import { describe, expect, inject, it } from "vitest";
import { shared, windowOfEachTest } from "./console-window.ts";

const ENDED = "Your session has ended. Sign in to continue.";

const window = windowOfEachTest();

const addressOf = (path: string): string => `${inject("stack").api_url}/console${path}`;
const heading = (name: string) => window.page.getByRole("heading", { level: 1, name });

/** Makes a key of the shared team. The test may delete it. */
const makeKey = (permissions: "full" | "send_only") =>
  shared().ask<{ id: string; key: string }>("POST", "/v1/api-keys", {
    name: "for a browser",
    permissions,
  });

describe("signing in at a page's address", () => {
  it.each([
    ["", "Overview"],
    ["/messages?view=events&event_type=email.bounced#subject=reset", "Messages"],
  ])("leads a team's key to that page: /console%s", async (path, name) => {
    await window.page.goto(addressOf(path));
    await heading("Sign in to Postern").waitFor();
    await window.giveSecret("API key", inject("stack").api_key);
    await heading(name).waitFor();
    expect(window.page.url()).toBe(addressOf(path));
    await window.page.reload();
    await heading(name).waitFor();
    expect(window.complaints).toEqual([]);
  });

  it("leads the admin token to that page of the operator", async () => {
    await window.page.goto(addressOf("/operator/teams?q=fern"));
    await heading("Sign in as operator").waitFor();
    await window.giveSecret("Admin token", inject("stack").admin_token);
    await heading("Teams").waitFor();
    expect(window.page.url()).toBe(addressOf("/operator/teams?q=fern"));
  });

  it("has no violation of axe; after a wrong key it shows the API's error and keeps no key", async () => {
    await window.goTo("/messages");
    expect(await window.violations()).toEqual([]);
    await window.keepPictures("sign-in");
    await window.page.getByLabel("API key").fill("ps_wrong");
    await window.page.getByRole("button", { name: "Sign in" }).click();
    await window.page.getByRole("alert").waitFor();
    expect(await window.page.getByLabel("API key").inputValue()).toBe("");
  });

  it("stores a cookie that no script can read, and nothing in the browser's storage", async () => {
    await window.signIn();
    const seen = await window.page.evaluate(() => ({
      cookie: document.cookie,
      local: Object.keys(localStorage),
    }));
    expect(seen).toEqual({ cookie: "", local: [] });
    const [cookie] = await window.page.context().cookies();
    expect(cookie).toMatchObject({ httpOnly: true, sameSite: "Strict" });
  });

  it("with a key that may only send, says why the pages are empty", async () => {
    const { key } = await makeKey("send_only");
    await window.signIn("/messages", key);
    await heading("This key can only send").waitFor();
    expect(await heading("Messages").count()).toBe(0);
  });
});

describe("the page of signing in", () => {
  it("accepts a link once, and leads to the overview", async () => {
    const { team_id } = inject("stack");
    const link = await shared().operator.ask<{ url: string }>("POST", "/admin/console-links", {
      team_id,
    });
    await window.page.goto(link.url);
    await heading("Overview").waitFor();
    expect(window.page.url()).toBe(addressOf("/"));
    await window.page.context().clearCookies();
    await window.page.goto(link.url);
    await window.page.getByRole("alert").waitFor();
    expect(window.page.url()).toBe(addressOf("/sign-in"));
  });

  it("ignores a target that its address names", async () => {
    await window.signIn("/sign-in?to=//elsewhere.example&redirect=https://elsewhere.example");
    await heading("Overview").waitFor();
    expect(window.page.url()).toBe(addressOf("/"));
  });

  it("appears after Sign out, and the page before needs a new session", async () => {
    await window.signIn("/keys");
    await window.page.getByRole("button", { name: "Sign out" }).first().click();
    await heading("Sign in to Postern").waitFor();
    expect(window.page.url()).toBe(addressOf("/sign-in"));
    await window.page.goBack();
    await heading("Sign in to Postern").waitFor();
    expect(window.page.url()).toBe(addressOf("/keys"));
  });
});

describe("a session that ends in the middle of work", () => {
  it("says that its key was deleted, and keeps the typed text after a new sign-in", async () => {
    const { page } = window;
    const { id, key } = await makeKey("full");
    await window.signIn("/suppressions?reason=manual", key);
    await page.getByRole("button", { name: "Add suppression" }).click();
    await page.getByLabel("Address", { exact: true }).fill("typed-before@example.net");
    await shared().ask("DELETE", `/v1/api-keys/${id}`);
    await page.getByRole("form", { name: "Add suppression" }).locator("[type=submit]").click();
    await page.getByText(ENDED).waitFor();
    await page.keyboard.press("Escape");
    await page.keyboard.press("Escape");
    expect(await page.getByText(ENDED).isVisible()).toBe(true);
    expect(await window.violations()).toEqual([]);
    await window.keepPictures("session-ended");

    await window.giveSecret("API key", inject("stack").api_key);
    expect(page.url()).toBe(addressOf("/suppressions?reason=manual"));
    await page.getByRole("form", { name: "Add suppression" }).locator("[type=submit]").click();
    await page.locator("button.row", { hasText: "typed-before@example.net" }).waitFor();
    expect(window.complaints).toEqual([]);
  });

  it("shows nothing of its team to the key of another team", async () => {
    const { page } = window;
    const { operator } = shared();
    const other = await operator.ask<{ api_key: { key: string } }>("POST", "/admin/teams", {
      name: "Another team",
    });
    const id = await shared().sent("seen-by-one-team@example.net", "Of one team");
    await window.signIn(`/messages?days=%227%22&open=${id}`);
    await page.getByText("seen-by-one-team@example.net").first().waitFor();
    await page.context().clearCookies();
    await page.getByRole("button", { name: "Events" }).click();
    await page.getByText(ENDED).waitFor();

    await window.giveSecret("API key", other.api_key.key);
    await page.getByText("Another team").first().waitFor();
    expect(await page.getByText("seen-by-one-team@example.net").count()).toBe(0);
    await window.settle();
    expect(await page.getByText("seen-by-one-team@example.net").count()).toBe(0);
    expect(new URL(page.url()).pathname).toBe("/console/messages");
  });

  it("of the operator continues on the chosen page after a new sign-in", async () => {
    await window.signInAsOperator("/operator/shards");
    await window.page.context().clearCookies();
    await window.page
      .getByRole("link", { name: /^Dead letters/ })
      .first()
      .click();
    await window.page.getByText(ENDED).waitFor();
    await window.giveSecret("Admin token", inject("stack").admin_token);
    await heading("Dead letters").waitFor();
    expect(window.page.url()).toBe(addressOf("/operator/dead-letters"));
  });
});
