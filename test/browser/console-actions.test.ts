// Tests the console in a real browser with the real stack: how to find out why a mail did not come,
// and the main action of each page, some of them by the keyboard alone.
import { createServer } from "node:http";
import { describe, expect, it, vi } from "vitest";
import { listenOnLoopback } from "../../tools/harness/loopback.ts";
import { suppressionWith } from "../unit/console/suppression-answer.ts";
import { shared, windowOfEachTest } from "./console-window.ts";

const window = windowOfEachTest();

describe("by the keyboard alone", () => {
  it("`/`, an address and Enter show why a mail did not come", async () => {
    await shared().sent("bounced+by-keys@simulator.postern.test", "A reset that did not come");
    await window.signIn();
    const { keyboard } = window.page;
    await keyboard.press("/");
    await keyboard.type("bounced+by-keys@simulator.postern.test");
    await keyboard.press("Enter");
    await window.page.getByText("A reset that did not come").first().waitFor();
    await window.page
      .getByText(/no such mailbox/)
      .first()
      .waitFor();
    expect(new URL(window.page.url()).search).toBe("");
  });

  it("`g` and a letter lead to a page, `j` and Enter open a row, and Esc closes it", async () => {
    await shared().sent("by-keys@example.net", "Opened by keys");
    await window.signIn();
    const { keyboard, page } = { keyboard: window.page.keyboard, page: window.page };
    // The console ignores `m` if it comes too long after `g`. A slow machine can cause this, so the
    // test repeats both keys.
    await expect
      .poll(async () => {
        await keyboard.press("g");
        await keyboard.press("m");
        return page.getByRole("heading", { level: 1, name: "Messages" }).count();
      })
      .toBe(1);
    await page.locator("button.row").first().waitFor();
    await keyboard.press("j");
    await keyboard.press("Enter");
    await page.locator("tr.detail").waitFor();
    await keyboard.press("Escape");
    await page.locator("tr.detail").waitFor({ state: "detached" });
    expect(await page.locator("button.row[aria-expanded=true]").count()).toBe(0);
  });
});

/** Waits until the list at a path has an item. */
const isListed = (path: string) =>
  expect.poll(() => shared().ask("GET", path), { interval: 200 }).not.toMatchObject({ data: [] });

const LONG_LIST = 500;

/** Returns 100 rows of the list from index `from`, and the index of the next page as the cursor. */
function pageOfLongList(from: number) {
  const data = Array.from({ length: 100 }, (_, index) =>
    suppressionWith({ id: `sup_${from + index}`, email: `person-${from + index}@example.net` }),
  );
  const next = from + data.length;
  return { data, has_more: next < LONG_LIST, next_cursor: next < LONG_LIST ? String(next) : null };
}

describe("the main actions", () => {
  it("a key is made and shown once, and if its deletion fails, the dialog says why", async () => {
    const { page } = window;
    await window.signIn("/keys");
    await page.getByRole("button", { name: "Add key" }).click();
    await page.getByLabel("Name", { exact: true }).fill("made in a browser");
    await page.getByRole("form", { name: "Add key" }).locator("[type=submit]").click();
    const shown = await page
      .getByRole("region", { name: "Add key" })
      .locator("pre.said")
      .textContent();
    const [secret = ""] = /ps_\S+/.exec(shown ?? "") ?? [];
    expect(secret).toMatch(/^ps_/);
    await page.getByRole("button", { name: "Done" }).click();
    await page.getByText("made in a browser").first().waitFor();
    expect(await page.getByText(secret).count()).toBe(0);

    const refusal = { status: 409, json: { error: { message: "Not now." } } };
    await page.route(/\/v1\/api-keys\/[^?]/, (route) => route.fulfill(refusal));
    await page.getByText("made in a browser").first().click();
    await page.getByRole("button", { name: "Delete key" }).click();
    const dialog = page.getByRole("dialog", { name: "Delete key made in a browser?" });
    await dialog.getByRole("button", { name: "Delete key" }).click();
    await dialog.getByRole("alert").getByText("Not now.").waitFor();
  });

  it("a long list draws few rows, keeps the focus and its place, and jumps to an address", async () => {
    const { page } = window;
    const asked: URLSearchParams[] = [];
    await page.route(/\/v1\/suppressions(?:\/count)?(?:\?|$)/, (route) => {
      const url = new URL(route.request().url());
      if (url.pathname.endsWith("/count"))
        return route.fulfill({ json: { total: LONG_LIST, has_more: false } });
      asked.push(url.searchParams);
      return route.fulfill({ json: pageOfLongList(Number(url.searchParams.get("after") ?? 0)) });
    });
    await window.signIn("/suppressions");
    await page.locator("button.row").first().waitFor();
    await page.keyboard.press("j");
    await page.keyboard.press("j");
    const table = page.getByRole("table", { name: "Suppressions" });
    const last = page.locator(`tr[aria-rowindex="${LONG_LIST + 1}"]`);
    await expect
      .poll(async () => {
        await page.evaluate(() => globalThis.scrollTo(0, document.body.scrollHeight));
        return last.count();
      })
      .toBe(1);
    expect(await table.getAttribute("aria-rowcount")).toBe(String(LONG_LIST + 1));
    expect(await page.locator("button.row").count()).toBeLessThan(80);
    const place = await page.evaluate(() => [
      document.activeElement?.closest("tr")?.ariaRowIndex,
      globalThis.scrollY,
    ]);
    expect(place[0]).toBe("3");
    await page.getByRole("link", { name: /^Keys/ }).first().click();
    await page.getByRole("heading", { level: 1, name: "Keys" }).waitFor();
    await page.goBack();
    await last.waitFor();
    expect(await page.evaluate(() => globalThis.scrollY)).toBe(place[1]);
    await page.getByLabel("Sort").selectOption("email");
    await page.getByLabel("Jump to").fill("jo@");
    await expect.poll(() => asked.at(-1)?.get("email_from")).toBe("jo@");
    expect(asked.at(-1)?.get("sort")).toBe("email");
    await page.unrouteAll();
  });

  it("an address is suppressed and found, and its suppression is lifted unless the user undoes this", async () => {
    const { page } = window;
    await window.signIn("/suppressions");
    await page.getByRole("button", { name: "Add suppression" }).click();
    await page.getByLabel("Address", { exact: true }).fill("asked-by-phone@example.net");
    await page.getByRole("form", { name: "Add suppression" }).locator("[type=submit]").click();
    await page.locator("button.row", { hasText: "asked-by-phone@example.net" }).click();
    const suppressed = async () => {
      const path = "/v1/suppressions?email_contains=asked-by-phone";
      return (await shared().ask<{ data: unknown[] }>("GET", path)).data;
    };
    const before = await suppressed();
    const lift = page.getByRole("button", { name: "Lift suppression" });
    await lift.click();
    expect(await window.violations()).toEqual([]);
    await page.getByRole("button", { name: "Undo" }).click();
    await page.getByRole("button", { name: "Undo" }).waitFor({ state: "detached" });
    expect(await suppressed()).toEqual(before);
    await lift.click();
    await page.getByRole("button", { name: "Undo" }).waitFor();
    await page.keyboard.press("u");
    await page.getByRole("button", { name: "Undo" }).waitFor({ state: "detached" });
    expect(await suppressed()).toEqual(before);
    await lift.click();
    // The console waits for an undo. If the user leaves, it lifts the suppression without waiting.
    await page.goto("about:blank");
    await vi.waitFor(async () => expect(await suppressed()).toEqual([]), { interval: 200 });
  });

  it("a template is edited, previewed, tested and published, and the publication is undone", async () => {
    const { page } = window;
    await window.signIn("/templates/new");
    await page.getByLabel("Name", { exact: true }).fill("Made in a browser");
    await page.getByRole("button", { name: "Add template" }).click();
    await page.waitForURL(/\/templates\/template_/);
    const frame = page.frameLocator("iframe:not(.waiting)").first();
    await frame.getByRole("heading", { name: /Thank you/ }).waitFor();
    const policy = await page.evaluate(async () => {
      const form = new FormData();
      form.set("html", "<p>x</p>");
      const answer = await fetch("/console/preview", { method: "POST", body: form });
      return answer.headers.get("Content-Security-Policy");
    });
    expect(policy).toContain("sandbox");
    expect(policy).toContain("default-src 'none'");

    const id = new URL(page.url()).pathname.split("/").at(-1) ?? "";
    const published = async () =>
      (await shared().ask<{ subject: string | null }>("GET", `/v1/templates/${id}`)).subject;
    const publish = async (said: string) => {
      await page.getByRole("button", { name: "Publish", exact: true }).click();
      const dialog = page.getByRole("dialog", { name: "Publish Made in a browser?" });
      await dialog.getByText(said).first().waitFor();
      await dialog.getByRole("button", { name: /[Pp]ublish$/ }).click();
      await dialog.waitFor({ state: "detached" });
    };
    await publish("Messages can then be sent");
    await page.getByRole("button", { name: "Publish now" }).click();
    await page.getByText("Made in a browser is published.").waitFor();
    expect(await published()).toBe("Your order {{number}}");

    await page.getByLabel("Subject", { exact: true }).fill("Your parcel {{number}} {{shop.name}}");
    await page.getByText("Missing: shop.name").waitFor();
    await page.getByRole("button", { name: "Fill in samples" }).click();
    await page.getByText("Your parcel number Ada").waitFor();
    await page.getByRole("button", { name: "Send a test" }).click();
    const form = page.getByRole("form", { name: "Send a test" });
    await form.getByLabel("To").fill("delivered+test@simulator.postern.test");
    await form.getByRole("button", { name: "Send a test" }).click();
    await form.getByRole("link", { name: "View message" }).waitFor();
    await publish("parcel");
    await page.getByText("Made in a browser will be published").waitFor();
    await page.getByRole("button", { name: "Undo" }).click();
    await page.getByText("Draft pending").waitFor();
    expect(await published()).toBe("Your order {{number}}");
    expect(await window.violations()).toEqual([]);
    await window.keepPictures("walk-template-taken-back");
    expect(window.complaints).toEqual([]);
  });

  it("a campaign's scheduled messages are canceled together", async () => {
    const { page } = window;
    const scheduledAt = (minutes: number) => new Date(Date.now() + minutes * 60_000).toISOString();
    const emails = Array.from({ length: 3 }, (_, index) => ({
      to: [`reader${index}@example.net`],
      subject: `Autumn ${index}`,
      scheduled_at: scheduledAt(90 - index),
    }));
    const defaults = { from: "shop@example.test", text: "Autumn.", campaign: "autumn" };
    await shared().ask("POST", "/v1/email/batch", { defaults, emails });
    await window.signIn("/messages?view=scheduled");
    await page.getByLabel("Campaign").selectOption("autumn");
    await page.locator("button.row").first().waitFor();
    expect(await page.locator("button.row").allTextContents()).toEqual(
      [2, 1, 0].map((index) => `Autumn ${index}`),
    );
    await page.getByRole("button", { name: "Cancel 3 messages" }).click();
    const dialog = page.getByRole("dialog", {
      name: "Cancel 3 messages scheduled for campaign autumn?",
    });
    await window.keepPictures("walk-campaign-cancel");
    await dialog.getByRole("button", { name: "Cancel 3 messages" }).click();
    await page.getByText("3 messages of campaign autumn canceled.").waitFor();
    await page.getByText("No messages are scheduled for campaign autumn.").waitFor();
    expect(await shared().ask("GET", "/v1/email?campaign=autumn")).toMatchObject({ data: [] });
    expect(await window.violations()).toEqual([]);
  });

  it("a domain is added, and its records are shown with their state in DNS", async () => {
    const { page } = window;
    await window.signIn("/domains");
    await page.getByRole("button", { name: "Add domain" }).click();
    await page.getByRole("textbox").last().fill("added-in-a-browser.example");
    await page.getByRole("form", { name: "Add domain" }).locator("[type=submit]").click();
    await page.getByText("added-in-a-browser.example").first().waitFor();
    await page.getByText("Missing").first().waitFor();
    expect(await page.getByRole("button", { name: /^copy/ }).count()).toBeGreaterThan(2);
  });

  it("a webhook is made, and its secret is shown once", async () => {
    const { page } = window;
    await window.signIn("/webhooks");
    await page.getByRole("button", { name: "Add webhook" }).first().click();
    await page.getByLabel(/^Name/).fill("Made in a browser");
    await page.getByLabel(/^URL/).fill("https://hooks.example.com/made-in-a-browser");
    const autoReplies = page.getByRole("checkbox", { name: /automatic replies/ });
    expect(await autoReplies.count()).toBe(0);
    await page.getByRole("checkbox", { name: "Replied" }).check();
    await autoReplies.check();
    await page.getByRole("form", { name: "Add webhook" }).locator("[type=submit]").click();
    await page
      .getByText(/whsec_/)
      .first()
      .waitFor();
    const url = "https://hooks.example.com/made-in-a-browser";
    const { data } = await shared().ask<{ data: { url: string }[] }>("GET", "/v1/webhooks");
    expect(data.filter((one) => one.url === url)).toMatchObject([{ auto_replies: true }]);
  });

  it("a failed delivery shows the endpoint's reply and the body", async () => {
    const { page } = window;
    const endpoint = createServer((_, response) => {
      response.writeHead(500).end("no such table: orders");
    });
    const port = await listenOnLoopback(endpoint);
    const { id } = await shared().ask<{ id: string }>("POST", "/v1/webhooks", {
      name: "Answers 500",
      url: `http://127.0.0.1:${port}/postern`,
      events: ["email.sent"],
    });
    await shared().sent("told-to-a-webhook@example.net", "Told to a webhook");
    await isListed(`/v1/webhooks/${id}/deliveries`);
    await window.signIn(`/webhooks/${id}`);
    await page
      .getByText(/^500 in/)
      .last()
      .click();
    await page.getByText("no such table: orders").first().waitFor();
    await page.getByText("Request body").click();
    await page.getByText("told-to-a-webhook@example.net").first().waitFor();
    expect(await page.getByText("told-to-a-webhook@example.net").count()).toBeGreaterThan(0);
    await shared().ask("DELETE", `/v1/webhooks/${id}`);
    endpoint.closeAllConnections();
    endpoint.close();
  });

  it("a button announces new events, and they appear after a click", async () => {
    const { page } = window;
    // The list needs a message, because an empty list shows its first message without a click.
    await shared().sent("seen-before@example.net", "Seen at the first look");
    await isListed("/v1/events?recipient=seen-before@example.net");
    await window.signIn("/messages");
    await page.getByText("seen-before@example.net").first().waitFor();
    await shared().sent("seen-by-itself@example.net", "Seen without a reload");
    await page.getByRole("button", { name: /\d+ new/ }).click();
    await page.getByText("seen-by-itself@example.net").first().waitFor();
    expect(await page.getByText("seen-by-itself@example.net").count()).toBeGreaterThan(0);
  });
});
