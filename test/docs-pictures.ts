// `npm run pictures`: takes the pictures of the console for the documents (docs/pictures). It
// starts its own stack and sends mail: most of it arrives, one provider refuses all mail, and one
// mailbox does not exist.
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { chromium, type Page } from "playwright-core";
import { findChromium, HOW_TO_INSTALL } from "./browser/machine-chromium.ts";
import { Stack } from "./e2e/stack.ts";

const PICTURES = join(import.meta.dirname, "../docs/pictures");
const WIDTH = 1280;
const REPORT = "Your weekly report";

const REFUSED = addresses("reader", 24, "outlook.com");
const TAKEN = [
  ...addresses("anna", 90, "gmail.com"),
  ...addresses("ben", 45, "yahoo.com"),
  ...addresses("cleo", 30, "icloud.com"),
  ...addresses("dora", 18, "northwind.example"),
];
const UNKNOWN = "maria.keller@northwind.example";
const RULES = [
  {
    rcpt: "@outlook\\.com$",
    stage: "rcpt",
    reply:
      "550 5.7.1 Unfortunately, messages from [192.0.2.25] weren't sent. Please contact your " +
      "Internet service provider since part of their network is on our block list (S3150).",
  },
  { rcpt: "^maria", stage: "rcpt", reply: "550 5.1.1 <maria.keller>: user unknown" },
];

const TEMPLATE = {
  name: "Order shipped",
  kind: "markdown",
  subject: "Your order is on its way, {{first_name}}",
  markdown: `# Hello {{first_name}},

Your order has left our warehouse:

{{#each items}}
- {{this}}
{{/each}}

[**Track your parcel**]({{tracking_url}})

Thank you, and enjoy it!`,
} as const;

interface Picture {
  readonly file: string;
  readonly path: string;
  readonly height: number;
  readonly theme: "light" | "dark";
}

function addresses(name: string, count: number, domain: string): string[] {
  return Array.from({ length: count }, (_, index) => `${name}${index + 1}@${domain}`);
}

/**
 * Sends mail with different results, and waits until each recipient has an outcome. Returns the
 * pages of which pictures are taken.
 */
async function preparePages(stack: Stack): Promise<readonly Picture[]> {
  await stack.rules(RULES);
  for (const address of [...TAKEN, ...REFUSED]) await stack.sent(address, REPORT);
  const lost = await stack.sent(UNKNOWN, "Reset your password");
  const { id } = await stack.ask<{ id: string }>("POST", "/v1/templates", TEMPLATE);
  while ((await countOpen(stack)) > 0) await wait(500);
  return [
    { file: "message", path: `/messages/${lost}`, height: 900, theme: "light" },
    { file: "overview", path: "/", height: 1262, theme: "light" },
    { file: "template", path: `/templates/${id}`, height: 1029, theme: "dark" },
  ];
}

async function countOpen(stack: Stack): Promise<number> {
  const { delivery } = await stack.ask<{ delivery: Readonly<Record<string, unknown>> }>(
    "GET",
    "/v1/usage",
  );
  const { waiting, queued, attempting, deferred } = delivery;
  return Number(waiting) + Number(queued) + Number(attempting) + Number(deferred);
}

async function take(page: Page, stack: Stack, picture: Picture): Promise<void> {
  const { file, path, height, theme } = picture;
  await page.setViewportSize({ width: WIDTH, height });
  await page.emulateMedia({ colorScheme: theme, reducedMotion: "reduce" });
  await page.goto(`${stack.dev.api_url}/console${path}`);
  await page.waitForLoadState("networkidle");
  // The console draws the preview and the charts some time after the responses.
  await wait(2_000);
  writeFileSync(join(PICTURES, `${file}.png`), await page.screenshot());
  process.stdout.write(`docs/pictures/${file}.png\n`);
}

const executablePath = findChromium();
if (executablePath === null) throw new Error(HOW_TO_INSTALL);
const stack = await Stack.start();
// Chromium's sandbox does not work for the root user of a container.
const browser = await chromium.launch({ executablePath, args: ["--no-sandbox"] });
try {
  const pictures = await preparePages(stack);
  const page = await browser.newPage({ locale: "en-GB", timezoneId: "UTC" });
  await page.goto(`${stack.dev.api_url}/console`);
  await page.getByLabel("API key").fill(stack.dev.api_key);
  await page.getByRole("button", { name: "Sign in" }).click();
  await page.getByLabel("API key").waitFor({ state: "detached" });
  for (const picture of pictures) await take(page, stack, picture);
} finally {
  await browser.close();
  await stack.destroy();
}
