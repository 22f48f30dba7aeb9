// A window of the machine's Chromium on the console of the shared stack. It gathers what the page
// reports against its policy, and keeps pictures of pages for people to look at.
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import axe from "axe-core";
import { type Browser, type BrowserContext, chromium, type Page } from "playwright-core";
import { inject } from "vitest";

export const THEMES = ["light", "dark"] as const;
export const WIDTHS = { desktop: 1280, phone: 390 } as const;
export type WindowSize = keyof typeof WIDTHS;

const HEIGHT = 900;
/** The pictures of the last run. CI keeps them. */
const PICTURES = join(import.meta.dirname, "../../.postern-browser");

interface WindowChoice {
  readonly theme?: (typeof THEMES)[number];
  readonly size?: WindowSize;
}

export class ConsoleWindow {
  readonly page: Page;
  /** Messages of the browser about the page: errors, and breaches of its policy. */
  readonly complaints: string[] = [];
  readonly #context: BrowserContext;
  readonly #name: string;

  private constructor(context: BrowserContext, page: Page, name: string) {
    this.page = page;
    this.#context = context;
    this.#name = name;
    page.on("pageerror", (error) => this.complaints.push(error.message));
    page.on("console", (message) => {
      const { url } = message.location();
      // The browser reports a 404 of the API too, which is an answer: no suppression is there.
      const isAnswer = url.includes("/v1/");
      if (message.type() === "error" && !isAnswer) this.complaints.push(`${message.text()} ${url}`);
    });
  }

  static async open(browser: Browser, choice: WindowChoice = {}): Promise<ConsoleWindow> {
    const { theme = "light", size = "desktop" } = choice;
    const context = await browser.newContext({
      viewport: { width: WIDTHS[size], height: HEIGHT },
      colorScheme: theme,
      locale: "en-GB",
      timezoneId: "UTC",
    });
    return new ConsoleWindow(context, await context.newPage(), `${size}-${theme}`);
  }

  /** Opens a path of the console, and waits until its heading and its data are there. */
  async goTo(path: string): Promise<void> {
    await this.page.goto(`${inject("stack").api_url}/console${path}`);
    await this.settle();
  }

  /** Waits until the page has its heading and waits for no answer. */
  async settle(): Promise<void> {
    await this.page.getByRole("heading", { level: 1 }).first().waitFor();
    await this.page.waitForLoadState("networkidle");
  }

  async signIn(key = inject("stack").api_key): Promise<void> {
    await this.goTo("/sign-in");
    await this.page.getByLabel("API key").fill(key);
    await this.page.getByRole("button", { name: "Sign in" }).click();
    await this.page.getByRole("heading", { level: 1, name: "Overview" }).waitFor();
  }

  async signInAsOperator(): Promise<void> {
    await this.goTo("/operator/sign-in");
    await this.page.getByLabel("Admin token").fill(inject("stack").admin_token);
    await this.page.getByRole("button", { name: "Sign in" }).click();
    await this.page.waitForURL(/\/console\/operator$/);
    await this.settle();
  }

  /** Returns axe's violations as `rule: element`. */
  async violations(): Promise<string[]> {
    // Playwright evaluates in the page from outside, so the page's policy does not apply to it.
    await this.page.evaluate(axe.source);
    const { violations } = await this.page.evaluate(() =>
      (globalThis as unknown as { axe: typeof axe }).axe.run(document, {
        resultTypes: ["violations"],
      }),
    );
    return violations.flatMap(({ id, nodes }) => nodes.map(({ html }) => `${id}: ${html}`));
  }

  /** Pixels by which the page is wider than the window. */
  async overflow(): Promise<number> {
    return this.page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
  }

  async keepPicture(name: string): Promise<void> {
    mkdirSync(PICTURES, { recursive: true });
    const path = join(PICTURES, `${name}-${this.#name}.png`);
    await this.page.screenshot({ path, fullPage: true });
  }

  async close(): Promise<void> {
    await this.#context.close();
  }
}

export function launchBrowser(): Promise<Browser> {
  // The root user of a container has no sandbox to give.
  return chromium.launch({ executablePath: inject("chromium"), args: ["--no-sandbox"] });
}

/** Calls the API of the shared stack with the team's key. */
export async function callApi(method: string, path: string, body?: unknown): Promise<unknown> {
  const { api_url, api_key } = inject("stack");
  const response = await fetch(api_url + path, {
    method,
    headers: { Authorization: `Bearer ${api_key}`, "Content-Type": "application/json" },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  if (!response.ok) throw new Error(`${method} ${path}: ${response.status}`);
  return response.status === 204 ? null : response.json();
}

/** Sends a message from the team's verified domain, and returns its id. */
export async function sendTo(recipient: string, subject: string): Promise<string> {
  const { id } = (await callApi("POST", "/v1/email", {
    from: "Shop <shop@example.test>",
    to: [recipient],
    subject,
    text: "Your link is inside.",
  })) as { id: string };
  return id;
}
