// A window of the machine's Chromium on the console of a stack, by default the shared one. It
// collects the browser's complaints about the page, and keeps pictures of pages for people to look
// at. Tests show a page in each theme and width without loading it again, because loading costs
// more.
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import axe from "axe-core";
import { type Browser, chromium, type Page, type Request } from "playwright-core";
import { afterEach, inject } from "vitest";
import { type Dev, StackClient } from "../stack/stack-client.ts";
import { ofEachTest } from "../support/before-tests.ts";

const WIDTHS = { desktop: 1280, phone: 390, narrow: 320 } as const;
const HEIGHT = 900;

interface MetricsSample {
  readonly size: keyof typeof WIDTHS;
  readonly theme: "light" | "dark";
}

/**
 * All combinations of theme and width that a page must support. Only the theme or the width changes
 * from one to the next.
 */
export const LOOKS: readonly MetricsSample[] = [
  { size: "desktop", theme: "light" },
  { size: "desktop", theme: "dark" },
  { size: "phone", theme: "dark" },
  { size: "phone", theme: "light" },
  { size: "narrow", theme: "light" },
  { size: "narrow", theme: "dark" },
];
const FIRST_LOOK: MetricsSample = { size: "desktop", theme: "light" };
const PHONE_IN_THE_DARK: MetricsSample = { size: "phone", theme: "dark" };
const CONTEXT = {
  viewport: { width: WIDTHS[FIRST_LOOK.size], height: HEIGHT },
  colorScheme: FIRST_LOOK.theme,
  reducedMotion: "reduce",
  locale: "en-GB",
  timezoneId: "UTC",
} as const;
/** The folder with the pictures of the last run. CI keeps it. */
const PICTURES = join(import.meta.dirname, "../../.postern-browser");

/** The URL, the team's key and the operator's token of the stack. */
export type ConsolePlace = Pick<Dev, "api_url" | "api_key" | "admin_token">;

export class ConsoleWindow {
  readonly page: Page;
  /**
   * The browser's complaints about the page: errors, and violations of the content security policy.
   */
  readonly complaints: string[] = [];
  readonly #place: ConsolePlace;
  /** The browser's requests for the present page that have no response yet. */
  readonly #unanswered = new Set<Request>();

  private constructor(page: Page, place: ConsolePlace) {
    this.page = page;
    this.#place = place;
    page.on("request", (request) => {
      if (request.isNavigationRequest() && request.frame() === page.mainFrame())
        this.#unanswered.clear();
      this.#unanswered.add(request);
    });
    page.on("requestfinished", (request) => this.#unanswered.delete(request));
    page.on("requestfailed", (request) => this.#unanswered.delete(request));
    page.on("pageerror", (error) => this.complaints.push(error.message));
    page.on("console", (message) => {
      const { url } = message.location();
      // The browser also reports every 404 and 401 as an error. The console expects some of them,
      // for example when an address is not suppressed or the user is not signed in.
      const isAnswer = url.includes("/v1/") || url.includes("/console/session");
      if (message.type() === "error" && !isAnswer) this.complaints.push(`${message.text()} ${url}`);
    });
  }

  /**
   * All windows share one browser context, so that the browser loads and compiles the console once.
   */
  static async open(place: ConsolePlace = inject("stack"), own?: Browser) {
    const program = own ?? (await sharedBrowser());
    const [context = await program.newContext(CONTEXT)] = program.contexts();
    const page = await context.newPage();
    // Playwright needs no limit, because Vitest's limit ends a test that hangs.
    page.setDefaultTimeout(0);
    await page.addInitScript(noteShifts);
    return new ConsoleWindow(page, place);
  }

  /** Opens a path of the console, and waits until its heading and its data are shown. */
  async goTo(path: string): Promise<void> {
    await this.page.goto(`${this.#place.api_url}/console${path}`);
    await this.settle();
  }

  /** Waits until the page has its heading, every request has its response, and all is drawn. */
  async settle(): Promise<void> {
    await this.page.getByRole("heading", { level: 1 }).first().waitFor();
    const skeletons = this.page.getByText("Loading", { exact: true });
    // The page may send more requests when it draws a response, so the loop checks again. While the
    // browser compiles a loaded module, the page shows a skeleton and sends no request.
    do await this.#idle();
    while (this.#unanswered.size > 0 || (await skeletons.count()) > 0);
  }

  /**
   * Opens a path of the console without a session, signs in there, and ends on that path's page.
   */
  async signIn(path = "/", secret = this.#place.api_key): Promise<void> {
    await this.page.goto(`${this.#place.api_url}/console${path}`);
    await this.giveSecret("API key", secret);
    await this.settle();
  }

  async signInAsOperator(path = "/operator"): Promise<void> {
    await this.page.goto(`${this.#place.api_url}/console${path}`);
    await this.giveSecret("Admin token", this.#place.admin_token);
    await this.settle();
  }

  /** Fills in the sign-in form, and waits until it disappears. */
  async giveSecret(field: "API key" | "Admin token", secret: string): Promise<void> {
    await this.page.getByLabel(field).fill(secret);
    await this.page.getByRole("button", { name: "Sign in" }).click();
    await this.page.getByLabel(field).waitFor({ state: "detached" });
  }

  /**
   * Opens a path with an empty cache. Returns the time until the first paint in milliseconds, as
   * the browser counts it from the beginning of the navigation.
   */
  async firstPaintOf(path: string): Promise<number> {
    const session = await this.page.context().newCDPSession(this.page);
    await session.send("Network.clearBrowserCache");
    await session.detach();
    // The empty page forces a load: the browser does not load a URL again if only its fragment
    // changed.
    await this.page.goto("about:blank");
    await this.page.goto(`${this.#place.api_url}/console${path}`);
    return this.page.evaluate(
      () =>
        new Promise<number>((painted) => {
          const look = (list: PerformanceObserverEntryList): void => {
            const [paint] = list.getEntriesByName("first-contentful-paint");
            if (paint) painted(paint.startTime);
          };
          new PerformanceObserver(look).observe({ type: "paint", buffered: true });
        }),
    );
  }

  /** Shows the page in another theme and width, and waits until it is drawn. */
  async show({ size, theme }: MetricsSample): Promise<void> {
    await this.page.emulateMedia({ colorScheme: theme });
    await this.page.setViewportSize({ width: WIDTHS[size], height: HEIGHT });
    await this.#drawn();
  }

  async #drawn(): Promise<void> {
    await this.page.evaluate(
      () => new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn))),
    );
  }

  /** Waits until the page is drawn and has nothing to run. */
  async #idle(): Promise<void> {
    await this.#drawn();
    await this.page.evaluate(() => new Promise((idle) => requestIdleCallback(idle)));
  }

  /** Returns axe's violations as `rule: element`. */
  async violations(): Promise<string[]> {
    // The page's policy does not apply to code that Playwright runs in the page.
    if (await this.page.evaluate(() => !("axe" in globalThis)))
      await this.page.evaluate(axe.source);
    const { violations } = await this.page.evaluate(() =>
      (globalThis as unknown as { axe: typeof axe }).axe.run(document, {
        resultTypes: ["violations"],
        // Axe skips frames. They show customers' mail, in which no script runs, so axe would wait
        // for their answer for ever.
        iframes: false,
      }),
    );
    return violations.flatMap(({ id, nodes }) => nodes.map(({ html }) => `${id}: ${html}`));
  }

  /**
   * Returns the browser's score for the elements that have moved in view since the page was opened.
   */
  async layoutShift(): Promise<number> {
    return this.page.evaluate(() => (globalThis as unknown as ShiftNote).layoutShift);
  }

  /** Returns by how many pixels the page, or its navigation, is wider than the window. */
  async overflow(): Promise<number> {
    return this.page.evaluate(() => {
      const parts = Array.from(document.querySelectorAll("nav > *"));
      const ends = parts.map((part) => part.getBoundingClientRect().right);
      return Math.max(document.documentElement.scrollWidth, ...ends) - innerWidth;
    });
  }

  /** Keeps a picture of the whole page. The picture's name tells the width and the theme. */
  async keepPicture(name: string, { size, theme }: MetricsSample): Promise<void> {
    mkdirSync(PICTURES, { recursive: true });
    const width = WIDTHS[size];
    const height = await this.page.evaluate(() => document.documentElement.scrollHeight);
    // Makes the window as high as the page, so that the phone's bar is at the end of the picture
    // and covers nothing.
    await this.page.setViewportSize({ width, height });
    await this.page.screenshot({ path: join(PICTURES, `${name}-${size}-${theme}.png`) });
    await this.page.setViewportSize({ width, height: HEIGHT });
  }

  /** Keeps two pictures of the page: the desktop's width in light, the phone's in the dark. */
  async keepPictures(name: string): Promise<void> {
    for (const look of [FIRST_LOOK, PHONE_IN_THE_DARK]) {
      await this.show(look);
      await this.keepPicture(name, look);
    }
    await this.show(FIRST_LOOK);
  }

  /**
   * Closes the browser page, and resets what it changed in the browser context for the next test.
   */
  async close(): Promise<void> {
    const context = this.page.context();
    await this.page.close();
    await context.setOffline(false);
    await context.clearCookies();
  }
}

interface ShiftNote {
  layoutShift: number;
}

/** Runs in the page. Adds up the layout shifts that do not follow an action of a person. */
function noteShifts(): void {
  const note = globalThis as unknown as ShiftNote;
  note.layoutShift = 0;
  const observer = new PerformanceObserver((list) => {
    for (const entry of list.getEntries()) {
      const shift = entry as unknown as { value: number; hadRecentInput: boolean };
      if (!shift.hadRecentInput) note.layoutShift += shift.value;
    }
  });
  observer.observe({ type: "layout-shift", buffered: true });
}

let browser: Promise<Browser> | undefined;

/** Connects to the run's shared browser. Each Vitest worker does this once. */
function sharedBrowser(): Promise<Browser> {
  browser ??= chromium.connect(inject("browser"));
  return browser;
}

/** The shared stack, called with the key of its seeded team. */
export const shared = () => new StackClient(inject("stack"));

/** Returns a window that is opened before each test and closed after it. */
export function windowOfEachTest(open = () => ConsoleWindow.open()): ConsoleWindow {
  const window = ofEachTest(open);
  afterEach(() => window.close());
  return window;
}
