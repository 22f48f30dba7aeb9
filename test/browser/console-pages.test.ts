// Every page of both consoles, in both themes and two widths: axe finds nothing, the policy is kept,
// and nothing is wider than the window.
import type { Browser } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import {
  callApi,
  ConsoleWindow,
  launchBrowser,
  sendTo,
  THEMES,
  type WindowSize,
  WIDTHS,
} from "./console-window.ts";

const SIZES = Object.keys(WIDTHS) as WindowSize[];
const LOOKS = THEMES.flatMap((theme) => SIZES.map((size) => ({ theme, size })));
const TEAM_PAGES = {
  overview: "/",
  messages: "/messages",
  domains: "/domains",
  templates: "/templates",
  "new-template": "/templates/new",
  suppressions: "/suppressions",
  webhooks: "/webhooks",
  keys: "/keys",
  usage: "/usage",
};
const OPERATOR_PAGES = {
  "operator-overview": "/operator",
  "operator-teams": "/operator/teams",
  "operator-shards": "/operator/shards",
  "operator-dead-letters": "/operator/dead-letters",
  "operator-couriers": "/operator/couriers",
  "operator-metrics": "/operator/metrics",
};

let browser: Browser;
const opened: Record<string, string> = {};

beforeAll(async () => {
  browser = await launchBrowser();
  const bounced = await sendTo("bounced@simulator.postern.test", "Reset your password");
  await sendTo("ann@example.net", "Your order of today");
  const template = (await callApi("POST", "/v1/templates", {
    name: "Receipt of the pages",
    kind: "markdown",
    subject: "Thank you, {{name}}",
    markdown: "# Thank you, {{name}}",
  })) as { id: string };
  const webhook = (await callApi("POST", "/v1/webhooks", {
    url: "https://hooks.example.com/postern",
    events: ["email.bounced"],
    name: "Orders of the pages",
  })) as { id: string };
  await callApi("POST", "/v1/suppressions", { email: "kept@example.net", topic: "*" });
  opened["message"] = `/messages/${bounced}`;
  opened["template"] = `/templates/${template.id}`;
  opened["webhook"] = `/webhooks/${webhook.id}`;
  opened["why"] = `/why#${encodeURIComponent("bounced@simulator.postern.test")}`;
});

afterAll(() => browser.close());

/** Looks at each page in turn, and returns what is wrong with any. */
async function faultsOf(window: ConsoleWindow, pages: Record<string, string>): Promise<string[]> {
  const faults: string[] = [];
  for (const [name, path] of Object.entries(pages)) {
    await window.goTo(path);
    await window.keepPicture(name);
    const overflow = await window.overflow();
    if (overflow > 0) faults.push(`${name}: ${overflow} pixels too wide`);
    faults.push(...(await window.violations()).map((one) => `${name}: ${one}`));
  }
  return [...faults, ...window.complaints];
}

describe.each(LOOKS)("on a $size in the $theme", (look) => {
  it("the team's pages have no violation of axe or of their policy, and fit", async () => {
    const window = await ConsoleWindow.open(browser, look);
    await window.signIn();
    expect(await faultsOf(window, { ...TEAM_PAGES, ...opened })).toEqual([]);
    await window.close();
  });

  it("the operator's pages have no violation of axe or of their policy, and fit", async () => {
    const window = await ConsoleWindow.open(browser, look);
    await window.signInAsOperator();
    expect(await faultsOf(window, OPERATOR_PAGES)).toEqual([]);
    await window.close();
  });
});
