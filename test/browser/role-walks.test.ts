// Tests what five roles do with the console, each from where a person begins and without a mouse: a
// developer, support, a product person, the operator, and a new team. The walks of operations are
// in mail-walks.test.ts, because only one file may set the rules of the shared stack's inbox.
import { afterEach, beforeAll, describe, expect, it, vi } from "vitest";
import { ConsoleWindow, shared } from "./console-window.ts";
import { ofFile } from "../support/before-tests.ts";

/** Allows time for mail to be delivered, and for the console to refresh a page. */
const OFTEN = { interval: 200 };

const team = ofFile(() => shared().team("roles.example", "Roles"));
let window: ConsoleWindow;

beforeAll(async () => {
  await team.ask("PATCH", "/v1/team", { content_days: 3 });
});
afterEach(() => window.close());

const page = () => window.page;

async function begin(path?: string): Promise<void> {
  window = await ConsoleWindow.open(team.dev);
  await window.signIn(path);
}

/** Types into the search field, as after `/`, and presses Enter. */
async function search(text: string): Promise<void> {
  await page().keyboard.press("/");
  await page().keyboard.type(text);
  await page().keyboard.press("Enter");
}

/** Moves the focus by `Tab` until a button or a link with this name has it, and presses Enter. */
async function reach(name: string | RegExp): Promise<void> {
  const focused = () =>
    page().evaluate(() => {
      const { ariaLabel = null, textContent = "" } = document.activeElement ?? {};
      return (ariaLabel ?? textContent ?? "").replaceAll(/\s+/g, " ").trim();
    });
  const isThere = (text: string) => (typeof name === "string" ? text === name : name.test(text));
  for (let tabs = 0; tabs < 120 && !isThere(await focused()); tabs += 1)
    await page().keyboard.press("Tab");
  expect(await focused()).toMatch(name);
  await page().keyboard.press("Enter");
}

const became = (id: string, type: string) =>
  vi.waitFor(async () => expect(await team.history(id)).toContain(type), OFTEN);

describe("a developer", () => {
  it("reaches a mail's content in three steps from the order number of the shop", async () => {
    const { id } = await team.ask<{ id: string }>("POST", "/v1/email", {
      from: "no-reply@roles.example",
      to: ["ada@developer.example"],
      subject: "Your order",
      html: "<h1>Thank you, Ada</h1>",
      metadata: { order_id: "52019" },
    });
    await became(id, "email.delivered");
    await begin();
    await search("order_id=52019");
    await page().locator("button.row").first().waitFor();
    await page().keyboard.press("j");
    await page().keyboard.press("Enter");
    await page()
      .frameLocator("iframe:not(.waiting)")
      .getByRole("heading", { name: "Thank you, Ada" })
      .waitFor();
    expect(await window.violations()).toEqual([]);
    expect(window.complaints).toEqual([]);
  });
});

describe("support", () => {
  it("lifts a suppression and sends the message again in two steps", async () => {
    const address = "jo@support.example";
    await team.ask("POST", "/v1/suppressions", { email: address, topic: "*" });
    const id = await team.sent(address, "Reset your password");
    await became(id, "email.suppressed");
    await begin();
    await search(id);
    await page().getByRole("heading", { level: 2, name: "Timeline" }).waitFor();
    await page().getByRole("button", { name: "Lift and send again" }).waitFor();
    await reach("Lift and send again");
    await page().getByRole("dialog").waitFor();
    await reach("Lift and send again");
    await page().getByRole("link", { name: "Sent again" }).waitFor();
    await vi.waitFor(async () => expect(await team.inbox(`&to=${address}`)).toHaveLength(1), OFTEN);
    expect(window.complaints).toEqual([]);
  });

  it("lifts several suppressions at once, with their reasons named before", async () => {
    for (const name of ["one", "two", "three"])
      await team.ask("POST", "/v1/suppressions", { email: `${name}@several.example`, topic: "*" });
    await begin("/suppressions#several.example");
    await page().locator("button.row").nth(2).waitFor();
    for (let row = 0; row < 2; row += 1) {
      await page().keyboard.press("j");
      await page().keyboard.press("x");
    }
    await page().getByText("2 chosen").waitFor();
    await page().getByRole("button", { name: "Lift 2 suppressions" }).press("Enter");
    const dialog = page().getByRole("dialog", { name: "Lift 2 suppressions?" });
    await dialog.getByText("Added manually: 2.").waitFor();
    await dialog.getByRole("button", { name: "Lift", exact: true }).press("Enter");
    await dialog.waitFor({ state: "detached" });
    const left = await team.ask("GET", "/v1/suppressions?email_contains=several.example");
    expect((left as { data: unknown[] }).data).toHaveLength(1);
  });
});

describe("a product person", () => {
  it("sees both texts after another person saved, and keeps both", async () => {
    const made = { name: "Of roles", subject: "Hello", html: "<p>One order</p>" };
    const { id } = await team.ask<{ id: string }>("POST", "/v1/templates", made);
    await begin(`/templates/${id}`);
    await page().getByLabel("Subject", { exact: true }).fill("Hello Ada");
    await team.ask("PATCH", `/v1/templates/${id}/draft`, { html: "<p>One parcel</p>" });
    await page().keyboard.press("Control+s");
    await page().getByText("Nothing was saved").waitFor();
    const draft = () => team.ask("GET", `/v1/templates/${id}/draft`);
    expect(await draft()).toMatchObject({ subject: "Hello", html: "<p>One parcel</p>" });
    await page().reload();
    await page().getByRole("button", { name: "Save draft" }).press("Enter");
    await reach("Merge both");
    await page().keyboard.press("Control+s");
    await expect
      .poll(draft, OFTEN)
      .toMatchObject({ subject: "Hello Ada", html: "<p>One parcel</p>" });
    expect(window.complaints).toEqual([]);
    expect(await window.violations()).toEqual([]);
  });

  it("sees both texts also when publishing, and nothing is published", async () => {
    const made = { name: "Of two", subject: "Hello", html: "<p>One order</p>" };
    const { id } = await team.ask<{ id: string }>("POST", "/v1/templates", made);
    await begin(`/templates/${id}`);
    await page().getByLabel("Subject", { exact: true }).fill("Hello Ada");
    await team.ask("PATCH", `/v1/templates/${id}/draft`, { html: "<p>One parcel</p>" });
    await page().getByRole("button", { name: "Publish", exact: true }).click();
    await page().getByRole("button", { name: "Save and publish" }).click();
    await page().getByText("Nothing was saved").waitFor();
    expect(await page().getByRole("dialog").count()).toBe(0);
    expect(await page().getByLabel("Subject", { exact: true }).inputValue()).toBe("Hello Ada");
    const stored = await team.ask("GET", `/v1/templates/${id}/draft`);
    expect(stored).toMatchObject({ subject: "Hello", html: "<p>One parcel</p>" });
  });
});

describe("the operator", () => {
  it("finds a team by its domain, sees its mail, and opens the console as this team", async () => {
    window = await ConsoleWindow.open(team.dev);
    await window.signInAsOperator("/operator/teams");
    await page().getByRole("searchbox", { name: "Search by name, domain or ID" }).fill("roles.ex");
    await page().getByText("1 team", { exact: true }).waitFor();
    const row = page().getByRole("table", { name: "Teams" }).locator("tbody tr");
    await expect.poll(() => row.getByRole("cell").nth(2).textContent()).toMatch(/^\d+$/);
    expect(await window.violations()).toEqual([]);
    await row.locator("button.row").press("Enter");
    await page().getByRole("button", { name: "Open as this team" }).press("Enter");
    await page()
      .getByRole("dialog")
      .getByRole("button", { name: "Open as this team" })
      .press("Enter");
    await page().getByRole("heading", { level: 1, name: "Overview" }).waitFor();
    await page().getByText("Roles", { exact: false }).first().waitFor();
    expect(new URL(page().url()).pathname).toBe("/console/");
    expect(window.complaints).toEqual([]);
  });
});

describe("a new team", () => {
  it("sees its first steps, which of them are done, and its first message when it comes", async () => {
    const young = await shared().team("young.example", "Young");
    window = await ConsoleWindow.open(young.dev);
    await window.signIn();
    const steps = page().getByRole("region", { name: "Get started" }).getByRole("listitem");
    await expect
      .poll(() => steps.locator(".pill").allTextContents())
      .toEqual(["Done", "Done", "To do", "To do"]);
    expect(await window.violations()).toEqual([]);
    await young.sent("ann@customer.example", "Hello");
    await page().getByRole("region", { name: "Needs attention" }).waitFor();
    expect(window.complaints).toEqual([]);
  });
});
