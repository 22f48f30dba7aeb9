// Compares src/mail/feedback/bots.ts with two independent lists: every machine of
// crawler-user-agents, and the most common browsers of top-user-agents.
import crawlers from "crawler-user-agents";
import browsers from "top-user-agents";
import { describe, expect, it } from "vitest";
import { visitorOf } from "../../src/mail/feedback/bots.ts";

/**
 * Entries of crawler-user-agents that also match people's browsers: a build of a phone's system,
 * and a browser for one site.
 */
const PEOPLE_AFTER_ALL: ReadonlySet<string> = new Set(["AP3A\\.240617\\.008", "Fluid"]);
/** Image proxies of mailbox providers, which load images for readers. */
const MAILBOX_PROXIES: ReadonlySet<string> = new Set([
  "GoogleImageProxy",
  "YahooMailProxy",
  "yandex\\.com\\/bots",
]);

const machines = crawlers
  .filter(({ pattern }) => !PEOPLE_AFTER_ALL.has(pattern))
  .flatMap(({ pattern, instances }) => instances.map((agent) => ({ pattern, agent })));

/** Passes the User-Agent as a header does: one Latin-1 character for each byte of its UTF-8. */
const kindOf = (kind: "open" | "click", agent: string) =>
  visitorOf(kind, new Headers({ "User-Agent": Buffer.from(agent).toString("latin1") })).kind;

describe("the machines that crawler-user-agents lists", () => {
  it("are more than 2,000", () => {
    expect(machines.length).toBeGreaterThan(2_000);
  });

  it("are never counted as clicking", () => {
    expect(machines.filter(({ agent }) => kindOf("click", agent) !== "machine")).toEqual([]);
  });

  it("are never counted as opening, except mailboxes' image proxies", () => {
    const opened = machines.filter(({ agent }) => kindOf("open", agent) !== "machine");
    expect(opened.filter(({ pattern }) => !MAILBOX_PROXIES.has(pattern))).toEqual([]);
    expect(opened.filter(({ agent }) => kindOf("open", agent) !== "proxy")).toEqual([]);
  });
});

it("every browser that top-user-agents lists counts as a person", () => {
  expect(browsers.length).toBeGreaterThan(50);
  expect(
    browsers.filter(
      (agent) => kindOf("open", agent) !== "person" || kindOf("click", agent) !== "person",
    ),
  ).toEqual([]);
});
