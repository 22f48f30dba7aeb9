// Measures how soon each page of the console paints. The figures are printed, and no test judges
// them, because they depend on the machine. The measurement runs after the tests, so that nothing
// disturbs it.
import type { Browser } from "playwright-core";
import { OPERATOR_PAGES, TEAM_PAGES } from "./console-paths.ts";
import { type Dev, StackClient } from "../stack/stack-client.ts";
import { ConsoleWindow } from "./console-window.ts";

const NAME_WIDTH = 22;

/**
 * Returns a table with one line for each page of the console: how many milliseconds its first paint
 * took.
 */
export async function firstPaintTable(dev: Dev, browser: Browser): Promise<string> {
  const rows = await firstPaints(browser, dev);
  const lines = [["page", "first paint ms"], ...rows.map(([name, ms]) => [name, ms.toFixed(0)])];
  return lines.map(([name = "", ms]) => `${name.padEnd(NAME_WIDTH)} | ${ms}\n`).join("");
}

async function firstPaints(
  browser: Browser,
  dev: Dev,
): Promise<(readonly [page: string, ms: number])[]> {
  const rows: (readonly [string, number])[] = [];
  const measure = async (window: ConsoleWindow, pages: Record<string, string>): Promise<void> => {
    for (const [name, path] of Object.entries(pages))
      rows.push([name, await window.firstPaintOf(path)]);
  };
  // A window behind another window paints late, so the operator's window is opened afterwards.
  const team = await ConsoleWindow.open(dev, browser);
  await team.signIn();
  await measure(team, { ...TEAM_PAGES, ...(await openedPages(dev)) });
  const operator = await ConsoleWindow.open(dev, browser);
  await operator.signInAsOperator();
  await measure(operator, OPERATOR_PAGES);
  return rows;
}

/**
 * Returns the paths of the console's pages for single resources, such as one message. It leaves out
 * resources that the tests have not created.
 */
async function openedPages(dev: Dev): Promise<Record<string, string>> {
  const first = async (path: string): Promise<Record<"id" | "email_id", string> | undefined> =>
    (await new StackClient(dev).ask<{ data: never[] }>("GET", `${path}?limit=1`)).data[0];
  const [event, template, webhook] = await Promise.all(
    ["/v1/events", "/v1/templates", "/v1/webhooks"].map(first),
  );
  return {
    ...(event && { message: `/messages/${event.email_id}`, why: `/why#${event.email_id}` }),
    ...(template && { template: `/templates/${template.id}` }),
    ...(webhook && { webhook: `/webhooks/${webhook.id}` }),
  };
}
