// Tests every page of both consoles, in both themes and three widths: axe finds nothing, the
// content security policy is kept, no element is wider than the window, and no element jumps when
// an answer comes. The data has long words wherever a person or a stranger may write them. A page
// that is 320 pixels wide has the same elements as on a phone, so axe does not read it.
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { OPERATOR_PAGES, TEAM_PAGES } from "./console-paths.ts";
import { type ConsolePlace, ConsoleWindow, LOOKS, shared } from "./console-window.ts";
import { ofFile } from "../support/before-tests.ts";

/**
 * The largest score that counts as good (web.dev/cls). One long name that comes late causes up to
 * 0.07.
 */
const MOST_SHIFT = 0.1;
const LONG_WORD =
  "Donaudampfschifffahrtselektrizitätenhauptbetriebswerkbauunterbeamtengesellschaft";
const LONG_ADDRESS = `${"a-long-local-part.".repeat(3)}end@${"department.".repeat(6)}example.net`;

const windows: ConsoleWindow[] = [];
const opened: Record<string, string> = {};
/**
 * The team of this file's tests. No other test changes its data, so that elements on its pages do
 * not move.
 */
const team = ofFile(() => shared().team("pages.example", "Pages"));

beforeAll(async () => {
  const bounced = await team.sent("bounced@simulator.postern.test", "Reset your password");
  const several = await team.sent(
    ["bounced@simulator.postern.test", LONG_ADDRESS, "ann@example.net"],
    `Your order of today, ${LONG_WORD} ${LONG_WORD}`,
  );
  const template = await team.ask<{ id: string }>("POST", "/v1/templates", {
    name: `Receipt of the pages ${LONG_WORD}`,
    kind: "markdown",
    subject: "Thank you, {{name}}",
    markdown: "# Thank you, {{name}}",
  });
  const webhook = await team.ask<{ id: string }>("POST", "/v1/webhooks", {
    url: `https://hooks.example.com/${"postern-".repeat(20)}`,
    events: ["email.bounced"],
    name: `Orders of the pages ${LONG_WORD}`,
  });
  await team.ask("POST", "/v1/api-keys", { name: LONG_WORD, permissions: "full" });
  await team.ask("POST", "/v1/suppressions", { email: "kept@example.net", topic: "*" });
  const kept = await team.ask<{ id: string }>("POST", "/v1/suppressions", {
    email: LONG_ADDRESS,
    topic: "a-topic.".repeat(8).slice(0, 64),
    note: `${LONG_WORD} ${"x".repeat(900)}`,
  });
  opened["messages"] = `/messages?open=${several}`;
  opened["suppressions"] = `/suppressions?open=${kept.id}`;
  opened["message"] = `/messages/${bounced}`;
  opened["template"] = `/templates/${template.id}`;
  opened["webhook"] = `/webhooks/${webhook.id}`;
  opened["why"] = `/why#${encodeURIComponent("bounced@simulator.postern.test")}`;
});

afterAll(async () => {
  for (const window of windows) await window.close();
});

/** Opens a window with a session. Each session has a window of its own. */
async function openWindow(place?: ConsolePlace): Promise<ConsoleWindow> {
  const window = await ConsoleWindow.open(place);
  windows.push(window);
  return window;
}

/** Opens each page in each theme and width. Returns all faults that it finds there. */
async function faultsOf(window: ConsoleWindow, pages: Record<string, string>): Promise<string[]> {
  const faults: string[] = [];
  for (const [name, path] of Object.entries(pages)) {
    await window.goTo(path);
    const shift = await window.layoutShift();
    if (shift > MOST_SHIFT) faults.push(`${name}: it jumps by ${shift.toFixed(3)}`);
    for (const look of LOOKS) {
      const seen = `${name}, ${look.size}, ${look.theme}`;
      await window.show(look);
      await window.keepPicture(name, look);
      const overflow = await window.overflow();
      if (overflow > 0) faults.push(`${seen}: ${overflow} pixels too wide`);
      if (look.size === "narrow") continue;
      faults.push(...(await window.violations()).map((one) => `${seen}: ${one}`));
    }
  }
  return [...faults, ...window.complaints];
}

describe.concurrent("in every theme and width", () => {
  it("the team's pages have no violation of axe or of their policy, and fit into the window", async () => {
    const window = await openWindow(team.dev);
    await window.signIn();
    expect(await faultsOf(window, { ...TEAM_PAGES, ...opened })).toEqual([]);
  });

  it("the operator's pages have no violation of axe or of their policy, and fit into the window", async () => {
    const window = await openWindow();
    await window.signInAsOperator();
    expect(await faultsOf(window, OPERATOR_PAGES)).toEqual([]);
  });
});
