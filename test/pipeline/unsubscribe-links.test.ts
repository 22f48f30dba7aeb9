// Tests that each recipient gets an unsubscribe link (src/mail/compose/unsubscribe-headers.ts), and
// tests the link's page. Viewing the page changes nothing.
import { headOf } from "../support/api.ts";
import { describe, expect, it } from "vitest";
import { visit } from "../support/recipient.ts";
import { headersOf, someone, Harness, kindsOf } from "../support/harness.ts";
import { GENERATE, linkTo, sendWithLink } from "./unsubscribe-sends.ts";
import { ofEachTest } from "../support/before-tests.ts";

const harness = ofEachTest(Harness.make);

describe("a send that asks for unsubscribe links", () => {
  it("gives each recipient a link of their own in subject, header and bodies, and no event shows it", async () => {
    const people = [someone(), someone(), someone()];
    const id = await harness.send({
      to: people.slice(0, 2),
      bcc: people.slice(2),
      ...GENERATE,
      subject: "News{{#if unsubscribe_url}}!{{/if}}",
      headers: { "X-Bye": "{{unsubscribe_url}}" },
      html: '<a href="{{unsubscribe_url}}">Leave</a>',
    });
    const events = await harness.history(id, 6);
    expect(JSON.stringify(events)).not.toMatch(/unsubscribe-|https?:/);
    const links = await Promise.all(people.map((person) => linkTo(harness, person)));
    expect(new Set(links).size).toBe(3);
    for (const [index, link] of links.entries()) {
      expect(link).toMatch(/^https:\/\/postern\.test\/u\/[A-Za-z0-9_-]+$/);
      const copy = await harness.copyTo(people[index] ?? "");
      expect(headersOf(copy, "List-Unsubscribe-Post")).toEqual(["List-Unsubscribe=One-Click"]);
      expect([copy.subject, headersOf(copy, "X-Bye")]).toEqual(["News!", [link]]);
      expect(copy.text?.trim()).toBe(`Leave: ${link}`);
      expect(copy.html?.trim()).toBe(`<a href="${link}">Leave</a>`);
      const [signature = ""] = headersOf(copy, "DKIM-Signature");
      expect(signature.replace(/\s/g, "")).toContain(
        ":list-unsubscribe:list-unsubscribe:list-unsubscribe-post:list-unsubscribe-post;",
      );
    }
  });
});

describe("the unsubscribe page", () => {
  it("names the sender and asks, and changes nothing when it is viewed", async () => {
    const to = someone();
    const { id, link } = await sendWithLink(harness, to, {
      unsubscribe: { mode: "generate", display_name: "The <Daily> Shop" },
    });
    for (const method of ["GET", "HEAD", "GET"]) {
      const response = await visit(link, { method });
      expect(headOf(response, "Content-Type")).toEqual([200, "text/html; charset=UTF-8"]);
      expect(response.headers.get("Cache-Control")).toBe("no-store");
      expect(response.headers.get("Referrer-Policy")).toBe("no-referrer");
      expect(response.headers.get("X-Robots-Tag")).toContain("noindex");
      expect(response.headers.get("Content-Security-Policy")).toContain("default-src 'none'");
      expect(response.headers.get("Set-Cookie")).toBeNull();
      const html = await response.text();
      expect(html.includes("The &#60;Daily&#62; Shop")).toBe(method === "GET");
    }
    expect(await harness.suppressionsOf(to)).toEqual([]);
    expect(kindsOf(await harness.history(id, 2))).toBe("sent delivered");
  });

  it("names the sender by its from name, or else by its domain", async () => {
    const [to, other] = [someone(), someone()];
    const { link } = await sendWithLink(harness, to);
    expect(await (await visit(link)).text()).toContain("<bdi>The Shop</bdi>");
    const bare = await sendWithLink(harness, other, { from: `hello@${harness.domain}` });
    expect(await (await visit(bare.link)).text()).toContain(`<bdi>${harness.domain}</bdi>`);
  });

  it("is in the visitor's language in every state, and its headers declare the language", async () => {
    const { link } = await sendWithLink(harness, someone());
    const headers = { "Accept-Language": "sv, pt-BR;q=0.8, de;q=0.5" };
    const pages = [
      await visit(link, { headers }),
      await visit(`${link}x`, { headers }),
      await visit(link, { headers, method: "HEAD" }),
    ];
    pages.push(
      await visit(link, {
        headers,
        method: "POST",
        body: new URLSearchParams({ "List-Unsubscribe": "One-Click" }),
      }),
    );
    expect(pages.map(({ status }) => status)).toEqual([200, 404, 200, 200]);
    for (const page of pages) {
      const expected = ["pt", "Accept-Language"];
      expect([page.headers.get("Content-Language"), page.headers.get("Vary")]).toEqual(expected);
      expect(await page.text()).toMatch(/^(?:<!doctype html>\n<html lang="pt">|$)/);
    }
    const english = await visit(link, { headers: { "Accept-Language": "tlh" } });
    const rows = ["en", expect.stringContaining('lang="en"')];
    expect([english.headers.get("Content-Language"), await english.text()]).toEqual(rows);
  });

  it("is a 404 for an invalid token, with every method", async () => {
    const { link } = await sendWithLink(harness, someone());
    for (const url of [
      link.slice(0, -1),
      `${link}A`,
      "https://postern.test/u/x",
      "https://postern.test/u/%00",
      `https://postern.test/u/${"A".repeat(8_000)}`,
    ]) {
      for (const method of ["GET", "POST", "HEAD"])
        expect((await visit(url, { method })).status, `${method} ${url}`).toBe(404);
    }
  });

  it("answers 405 to other methods", async () => {
    const { link } = await sendWithLink(harness, someone());
    for (const method of ["PUT", "DELETE", "PATCH"]) {
      const response = await visit(link, { method });
      expect([response.status, response.headers.get("Allow")]).toEqual([405, "GET, POST"]);
    }
  });
});
