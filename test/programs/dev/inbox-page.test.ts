// Tests the inbox's page as a reader uses it, in a DOM without a browser: the list and a message,
// also by keyboard, the search, and axe's accessibility checks. The test computes the contrast from
// the style sheet's own colours, because such a DOM paints nothing.
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setImmediate as immediate } from "node:timers/promises";
import axe from "axe-core";
import { JSDOM, type PageDocument, type PageElement } from "jsdom";
import { createTransport } from "nodemailer";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { type Inbox, startInbox } from "../../../tools/dev/inbox/inbox.ts";

let directory: string;
let inbox: Inbox;
let dom: JSDOM | undefined;
/** The page's requests that have no response yet. */
const asked = new Set<Promise<unknown>>();

beforeEach(async () => {
  directory = mkdtempSync(join(tmpdir(), "inbox-page-"));
  inbox = await startInbox({ http: 0, mx: 0 }, directory);
});

afterEach(async () => {
  await close();
  await inbox.close();
  rmSync(directory, { recursive: true });
});

const attachments = [{ filename: "a.txt", content: "x" }];
const ORDER = { subject: "Order", text: "plain", html: "<p>rich</p>", attachments };
async function deliver(mail: Record<string, unknown>): Promise<void> {
  const server = { host: "127.0.0.1", port: inbox.mxPort };
  const transport = createTransport({ ...server, tls: { rejectUnauthorized: false } });
  const envelope = { from: "bounce+1@bounces.example.test", to: ["rita@example.net"] };
  await transport.sendMail({
    envelope,
    from: "Ünïcode Shop <hello@example.test>",
    to: "Rita <rita@example.net>, sam@example.net",
    ...mail,
  });
  transport.close();
}

/** Opens the page, runs its script and waits until the list has `count` entries. */
async function openPage(count: number): Promise<PageDocument> {
  const url = `http://127.0.0.1:${inbox.httpPort}/`;
  const text = async (path: string): Promise<string> => (await fetch(url + path)).text();
  const scripts = [await text("inbox-parts.js"), await text("inbox.js")];
  dom = new JSDOM(await text(""), {
    url,
    runScripts: "outside-only",
    pretendToBeVisual: true,
    beforeParse(window) {
      window.fetch = (path, init) =>
        dom?.window === window ? ask(new URL(path, url), init) : new Promise(() => undefined);
    },
  });
  for (const script of scripts) dom.window.eval(script);
  const { document } = dom.window;
  await vi.waitFor(() => expect(document.querySelectorAll("#list li")).toHaveLength(count));
  return document;
}

/** Waits until the answer is complete, and returns it. */
function ask(url: URL, init?: RequestInit): Promise<Response> {
  const answer = fetch(url, init).then(
    async (response) => new Response(await response.arrayBuffer(), response),
  );
  asked.add(answer);
  const forget = (): void => void asked.delete(answer);
  answer.then(forget, forget);
  return answer;
}

/** Closes the page after all responses, because a later one would have no window. */
async function close(): Promise<void> {
  const window = dom?.window;
  dom = undefined;
  await Promise.allSettled(asked);
  await immediate();
  window?.close();
}

const wordsOf = (element: PageElement | null): string =>
  (element?.textContent ?? "").replace(/\s+/g, " ").trim();

async function violations(): Promise<string[]> {
  const window = dom?.window;
  if (!window) throw new Error("no page is open");
  window.eval(axe.source);
  const found = window as unknown as { axe: typeof axe };
  // A DOM without a browser has no layout, so axe cannot check the contrast here. The tests below
  // compute it.
  const { violations: all } = await found.axe.run(window.document as object as axe.ElementContext, {
    rules: { "color-contrast": { enabled: false } },
  });
  return all.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(" ")}`);
}

async function choose(document: PageDocument): Promise<void> {
  document.querySelector("#list button")?.click();
  await vi.waitFor(() => expect(document.querySelector("#pane")).not.toBeNull());
}

function press(document: PageDocument, key: string): void {
  const { KeyboardEvent } = (dom as JSDOM).window;
  const event = new KeyboardEvent("keydown", { key, bubbles: true });
  (document.activeElement ?? document.body).dispatchEvent(event);
}

it("the inbox's page lists From, Subject, To and the envelope", async () => {
  await deliver({ subject: "Ünï order" });
  const document = await openPage(1);
  const [entry] = document.querySelectorAll("#list button");
  expect(wordsOf(entry?.querySelector(".from") ?? null)).toBe("Ünïcode Shop <hello@example.test>");
  expect(wordsOf(entry?.querySelector(".subject") ?? null)).toBe("Ünï order");
  expect(wordsOf(entry?.querySelector(".to") ?? null)).toMatch(
    /^To "?Rita"? <rita@example\.net>, sam@example\.net$/,
  );
  expect(wordsOf(entry?.querySelector(".envelope") ?? null)).toMatch(
    /^Envelope to rita@example\.net · \d+ B · TLSv1\.3 · from bounce\+1@bounces\.example\.test$/,
  );
});

it("the inbox's page lists a message to several people once, selects the newest, and offers each copy", async () => {
  await deliver({ subject: "Alone" });
  for (const to of ["ann@example.net", "ben@example.net"])
    await deliver({
      subject: "Shared",
      messageId: "<one@shop.example>",
      envelope: { from: "", to },
    });
  const document = await openPage(2);
  await vi.waitFor(() => expect(document.querySelector("h2")?.textContent).toBe("Shared"));
  expect(wordsOf(document.querySelector("#list .envelope"))).toBe(
    "2 copies: ben@example.net, ann@example.net",
  );
  const names = [...document.querySelectorAll(".copies option")].map(wordsOf);
  expect(names).toEqual(["ben@example.net", "ann@example.net"]);
  expect(document.querySelector("#reply")).toBeNull();
});

it("the inbox's page shows a message under its From, To and Date, offers to answer, and moves through its parts with the arrow keys", async () => {
  // An answer to this address comes back to the service.
  await deliver({ ...ORDER, replyTo: `r+${"a".repeat(61)}@bounces.example.test` });
  const document = await openPage(1);
  await choose(document);
  expect(wordsOf(document.querySelector("#reply summary"))).toBe("Reply");
  const terms = [...document.querySelectorAll("dt")].map((term) => term.textContent);
  expect([document.querySelector("h2")?.textContent, terms]).toEqual([
    "Order",
    ["From", "To", "Date", "MAIL FROM", "RCPT TO", "Session"],
  ]);
  expect(wordsOf(document.querySelector("dl.envelope"))).toMatch(
    /^MAIL FROM<bounce\+1@bounces\.example\.test>RCPT TO<rita@example\.net>Session[\d.]+ K?B · TLSv1\.3 · message 1 of the session from \S+ \(\S*127\.0\.0\.1\) · /,
  );
  const tabs = [...document.querySelectorAll('[role="tab"]')];
  const names = ["HTML", "Text", "Headers", "Source", "Check", "Attachments (1)"];
  expect(tabs.map((tab) => tab.textContent)).toEqual(names);
  tabs[0]?.focus();
  press(document, "ArrowRight");
  const shown = (selector: string) =>
    [document.activeElement, document.querySelector(selector)].map(wordsOf);
  expect(shown("#pane")).toEqual(["Text", "plain"]);
  press(document, "ArrowLeft");
  press(document, "ArrowLeft");
  expect(shown("#pane a")).toEqual(["Attachments (1)", "a.txt"]);
  expect(tabs.filter((tab) => tab.getAttribute("tabindex") === "0")).toHaveLength(1);
  expect(wordsOf(document.querySelector("#pane table"))).toBe("FileSizeTypea.txt1 Btext/plain");
});

it("the inbox's page shows what a check finds in the message, from the worst to the least", async () => {
  await deliver({ subject: "First", text: "rich", html: '<p>rich</p><a href="shop">x</a>' });
  const document = await openPage(1);
  await choose(document);
  press(document, "5");
  await vi.waitFor(() => expect(document.querySelectorAll(".check li")).toHaveLength(1));
  expect(wordsOf(document.querySelector(".check li"))).toMatch(
    /^error The link shop has no host\..* links, html line 1, column 12\.$/,
  );
});

it("the inbox's page shows the HTML in a phone's width and a dark theme, also for the next message, and marks field names in the source", async () => {
  for (const subject of ["First", "Second"]) await deliver({ subject, html: "<p>rich</p>" });
  const document = await openPage(2);
  await choose(document);
  const shown = () => document.querySelector(".html")?.className;
  expect(shown()).toBe("html");
  document.querySelector("#as-phone")?.click();
  press(document, "d");
  expect(shown()).toBe("html phone dark");
  expect(document.querySelector("#as-dark")?.getAttribute("aria-pressed")).toBe("true");
  press(document, "j");
  await vi.waitFor(() => expect(document.querySelector("h2")?.textContent).toBe("First"));
  expect(shown()).toBe("html phone dark");
  expect(document.querySelector("iframe")?.getAttribute("sandbox")).toBe(
    "allow-popups allow-popups-to-escape-sandbox",
  );
  press(document, "3");
  await vi.waitFor(() => {
    const names = [...document.querySelectorAll("pre .name")].map(wordsOf);
    expect(names).toEqual(expect.arrayContaining(["From:", "Subject:"]));
  });
  expect(document.querySelector("pre")?.textContent).toContain("\r\nSubject: First\r\n");
  press(document, "k");
  await vi.waitFor(() => expect(document.querySelector("h2")?.textContent).toBe("Second"));
  press(document, "/");
  expect(document.activeElement?.getAttribute("id")).toBe("search");
  press(document, "j");
  expect(document.querySelector("h2")?.textContent).toBe("Second");
});

it("the inbox's page returns from a message to the list on a narrow screen", async () => {
  await deliver({ subject: "Order" });
  const document = await openPage(1);
  await choose(document);
  // The list and the message are drawn after separate responses, so the test waits for both.
  await vi.waitFor(() => {
    expect(document.body.className).toBe("reading");
    expect(document.querySelector("#list [aria-current=true]")).not.toBeNull();
  });
  document.querySelector("#back")?.click();
  expect(document.body.className).toBe("");
  expect(document.activeElement?.getAttribute("aria-current")).toBe("true");
});

it("the inbox's page shows a message's content as text, never as markup", async () => {
  await deliver({
    subject: "<img src=x onerror=alert(1)>",
    from: '"<b>x</b>" <hello@example.test>',
    text: "<script>alert(1)</script>",
  });
  const document = await openPage(1);
  await choose(document);
  expect(
    document.querySelectorAll("#message img, #message b, #message script, nav img, nav b"),
  ).toHaveLength(0);
  expect(document.querySelector("h2")?.textContent).toBe("<img src=x onerror=alert(1)>");
});

it("the inbox's page passes axe without messages, with a list, and in every part of a message", async () => {
  await openPage(0);
  expect(await violations()).toEqual([]);
  await close();
  await deliver(ORDER);
  const document = await openPage(1);
  expect(await violations()).toEqual([]);
  await choose(document);
  for (const tab of document.querySelectorAll('[role="tab"]')) {
    tab.click();
    expect([tab.textContent, await violations()]).toEqual([tab.textContent, []]);
  }
});

describe("the search", () => {
  async function found(query: string): Promise<string[]> {
    const response = await fetch(
      `http://127.0.0.1:${inbox.httpPort}/api/messages?q=${encodeURIComponent(query)}`,
    );
    return ((await response.json()) as { subject: string }[]).map(({ subject }) => subject);
  }

  beforeEach(async () => {
    await deliver({ subject: "Your Ünïcode order", text: "Pineapple, 3 pieces" });
    await deliver({ subject: "Invoice", html: "<p>For the <b>pine</b>apple &amp; pear</p>" });
    await deliver({ subject: "Other", from: "Other Shop <else@example.test>", text: "Nothing" });
  });

  it.each([
    ["order", ["Your Ünïcode order"]],
    ["ÜNÏCODE ORDER", ["Your Ünïcode order"]],
    ["pineapple", ["Your Ünïcode order"]],
    ["pear", ["Invoice"]],
    ["& pear", ["Invoice"]],
    ["invoice pear", ["Invoice"]],
    ["invoice pineapple pieces", []],
    ["else@example", ["Other"]],
    ["bounce+1@", ["Other", "Invoice", "Your Ünïcode order"]],
    ["<b>", []],
    ["  ", ["Other", "Invoice", "Your Ünïcode order"]],
  ])("finds messages by %s", async (query, subjects) => {
    expect(await found(query)).toEqual(subjects);
  });

  it("no longer finds deleted messages", async () => {
    expect(await found("pear")).toHaveLength(1);
    await fetch(`http://127.0.0.1:${inbox.httpPort}/api/messages`, { method: "DELETE" });
    expect(await found("pear")).toEqual([]);
  });

  it("uses the text of the page's search field", async () => {
    const document = await openPage(3);
    const field = document.querySelector("#search");
    if (field) field.value = "pear";
    field?.dispatchEvent(new (dom as JSDOM).window.Event("input"));
    const status = () => document.querySelector("#status")?.textContent;
    await vi.waitFor(() => expect(status()).toBe("1 message found"));
    expect(wordsOf(document.querySelector("#list .subject"))).toBe("Invoice");
  });
});

describe("the colours", () => {
  const sheet = new URL("../../../tools/dev/inbox/inbox-page.css", import.meta.url);
  const style = readFileSync(sheet, "utf8");
  const [light = "", dark = ""] = Array.from(
    style.matchAll(/:root \{([^}]*)\}/g),
    ([, block]) => block,
  );

  it.each([
    ["light", light],
    ["dark", dark],
  ])("have the contrast that WCAG 2.2 requires, %s", (_, block) => {
    const colour = (name: string): string =>
      new RegExp(`--${name}: #([0-9a-f]{6});`).exec(block)?.[1] ?? "none";
    const pairs = ["ink", "soft", "accent", "warn"].flatMap((ink) =>
      ["paper", "ground", "chosen"].map((ground) => [ink, ground] as const),
    );
    for (const [ink, ground] of pairs)
      expect(contrast(colour(ink), colour(ground)), `${ink} on ${ground}`).toBeGreaterThanOrEqual(
        4.5,
      );
    const edge = contrast(colour("edge"), colour("paper"));
    expect(edge, "the edge of fields and buttons").toBeGreaterThanOrEqual(3);
  });

  it("are defined only in the two blocks of the style sheet", () => {
    const rest = style.replace(/:root \{[^}]*\}/g, "").replace(/#fff;/g, "");
    expect(rest).not.toMatch(/(?:color|background|border[a-z-]*|outline):[^;]*#[0-9a-f]{3}/);
  });
});

/** Returns the contrast of two six-digit colours by WCAG 2.2. */
function contrast(one: string, other: string): number {
  const [left, right] = [luminance(one), luminance(other)];
  return (Math.max(left, right) + 0.05) / (Math.min(left, right) + 0.05);
}

function luminance(hex: string): number {
  const [red = 0, green = 0, blue = 0] = [0, 2, 4].map((at) => {
    const part = Number.parseInt(hex.slice(at, at + 2), 16) / 255;
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}
