// Unsubscribing end to end (src/mail/compose/unsubscribe-headers.ts,
// src/mail/feedback/unsubscribe.ts): a link for each recipient, a page that changes nothing by
// being looked at, and a click that holds for its topic alone.
import { beforeEach, describe, expect, it, vi } from "vitest";
import { newEmailId } from "../../src/lib/ids.ts";
import { releaseDayAt } from "../../src/mail/recipient-ref.ts";
import { unsubscribeUrl, type UnsubscribeRef } from "../../src/mail/unsubscribe-link.ts";
import { suppressionsOf as listOf } from "../../src/db/client.ts";
import { suppressForUnsubscribe } from "../../src/resources/suppressions/automatic-suppressions.ts";
import { teamFor } from "../../src/resources/teams/team-cache.ts";
import { ADMIN_TOKEN, bindings, call, numberOf } from "../support/api.ts";
import { type TestSuppression } from "../support/suppressions.ts";
import { unsubscribeByOneClick, visit } from "../support/recipient.ts";
import { headersOf, someone, Harness, typesOf } from "../support/harness.ts";

const DAY_MS = 24 * 60 * 60 * 1_000;
const KEY = "signing-key-for-tests-0123456789abcdef";
const GENERATE = {
  topic: "news",
  unsubscribe: { mode: "generate" },
  text: "Leave: {{unsubscribe_url}}",
};

let stand: Harness;

beforeEach(async () => {
  vi.restoreAllMocks();
  stand = await Harness.make();
});

async function suppressionsOf(email: string): Promise<TestSuppression[]> {
  const response = await call("GET", `/v1/suppressions/${encodeURIComponent(email)}`, {
    key: stand.team.key,
  });
  return response.status === 404 ? [] : (await response.json<{ data: TestSuppression[] }>()).data;
}

/** The recipient's link, out of a delivered copy. */
async function linkTo(recipient: string): Promise<string> {
  const [value = ""] = headersOf(await stand.copyTo(recipient), "List-Unsubscribe");
  return value.slice(1, -1);
}

async function sent(
  to: string,
  body: Record<string, unknown> = {},
): Promise<{ id: string; link: string }> {
  const id = await stand.send({ to: [to], ...GENERATE, ...body });
  await stand.history(id, 2);
  return { id, link: await linkTo(to) };
}

/**
 * What the link of a message stands for that was accepted at that time, and of which nothing else
 * is known.
 */
async function unrememberedRef(at: number): Promise<UnsubscribeRef> {
  const names = {
    teamNumber: await numberOf(stand.team.id),
    emailId: newEmailId(at),
    releaseDay: releaseDayAt(at),
  };
  return { ...names, recipient: someone(), topic: "news", sender: "Shop" };
}

const linkOf = (ref: UnsubscribeRef) => unsubscribeUrl("https://postern.test", KEY, ref);

/**
 * Suppresses the address for "news" as an unsubscribing does, at `at`, without its event: a process
 * was killed between the two.
 */
async function suppressAt(at: number, email: string): Promise<void> {
  const team = await teamFor(bindings, stand.team.id, Date.now());
  await suppressForUnsubscribe(listOf(bindings, team!), email, "news", at);
}

describe("a send that asks for unsubscribe links", () => {
  it("gives each of three recipients a link of their own, in the header and in the words, under the signature", async () => {
    const people = [someone(), someone(), someone()];
    const id = await stand.send({
      to: people.slice(0, 2),
      bcc: people.slice(2),
      ...GENERATE,
      html: '<a href="{{unsubscribe_url}}">Leave</a>',
    });
    await stand.history(id, 6);
    const links = await Promise.all(people.map(linkTo));
    expect(new Set(links).size).toBe(3);
    for (const [index, link] of links.entries()) {
      expect(link).toMatch(/^https:\/\/postern\.test\/u\/[A-Za-z0-9_-]+$/);
      const copy = await stand.copyTo(people[index] ?? "");
      expect(headersOf(copy, "List-Unsubscribe-Post")).toEqual(["List-Unsubscribe=One-Click"]);
      expect(copy.text?.trim()).toBe(`Leave: ${link}`);
      expect(copy.html?.trim()).toBe(`<a href="${link}">Leave</a>`);
      const [signature = ""] = headersOf(copy, "DKIM-Signature");
      expect(signature.replace(/\s/g, "")).toContain(
        ":list-unsubscribe:list-unsubscribe:list-unsubscribe-post:list-unsubscribe-post;",
      );
    }
  });

  it("passes the caller's own header through, mended, and adds none", async () => {
    const to = someone();
    const id = await stand.send({
      to: [to],
      ...GENERATE,
      headers: { "list-unsubscribe": "https://shop.example/leave" },
    });
    await stand.history(id, 2);
    const copy = await stand.copyTo(to);
    expect(headersOf(copy, "List-Unsubscribe")).toEqual(["<https://shop.example/leave>"]);
    expect(headersOf(copy, "List-Unsubscribe-Post")).toEqual([]);
    expect(copy.text).toMatch(/Leave: https:\/\/postern\.test\/u\//);
  });

  it("stands before the caller's own mailto in one field, over HTTP and SMTP alike, and in place of what no program can read", async () => {
    const [web, smtp, unreadable] = [someone(), someone(), someone()];
    const mailto = "<mailto:leave@shop.example>";
    const ids = [
      await stand.send({
        to: [web],
        ...GENERATE,
        headers: { "List-Unsubscribe": "leave@shop.example" },
      }),
      await stand.submit(
        [smtp],
        `X-Service-Topic: news\r\nX-Service-Unsubscribe: generate\r\nFrom: hello@${stand.domain}\r\nList-Unsubscribe: ${mailto}\r\nSubject: Hi\r\n\r\nx\r\n`,
      ),
      await stand.send({
        to: [unreadable],
        ...GENERATE,
        headers: { "List-Unsubscribe": "ask us" },
      }),
    ];
    for (const id of ids) await stand.history(id, 2);
    for (const to of [web, smtp, unreadable]) {
      const copy = await stand.copyTo(to);
      const [value = "", ...more] = headersOf(copy, "List-Unsubscribe");
      expect(more).toEqual([]);
      expect(value.replace(/\s+/g, " ")).toMatch(
        /^<https:\/\/postern\.test\/u\/[A-Za-z0-9_-]+>(?:, <mailto:leave@shop\.example>)?$/,
      );
      expect(value.endsWith(mailto)).toBe(to !== unreadable);
      expect(headersOf(copy, "List-Unsubscribe-Post")).toEqual(["List-Unsubscribe=One-Click"]);
    }
    const [link = ""] =
      /https:[^>]+/.exec(headersOf(await stand.copyTo(smtp), "List-Unsubscribe")[0] ?? "") ?? [];
    expect((await unsubscribeByOneClick(link)).status).toBe(200);
  });

  it("is not needed for the caller's own header, and adds nothing by itself", async () => {
    const [to, other] = [someone(), someone()];
    const own = {
      "List-Unsubscribe": "<https://shop.example/leave>",
      "List-Unsubscribe-Post": "List-Unsubscribe=One-Click",
    };
    await stand.history(
      await stand.send({
        to: [to],
        text: "{{unsubscribe_url}}",
        unsubscribe: { mode: "none" },
        headers: own,
      }),
      2,
    );
    await stand.history(await stand.send({ to: [other], text: "x" }), 2);
    const copy = await stand.copyTo(to);
    expect([headersOf(copy, "List-Unsubscribe"), headersOf(copy, "List-Unsubscribe-Post")]).toEqual(
      [["<https://shop.example/leave>"], ["List-Unsubscribe=One-Click"]],
    );
    expect(copy.text?.trim()).toBe("{{unsubscribe_url}}");
    expect((await stand.copyTo(other)).raw).not.toMatch(/^list-unsubscribe/im);
  });

  it("does the same by SMTP", async () => {
    const to = someone();
    const options = "X-Service-Topic: news\r\nX-Service-Unsubscribe: generate\r\n";
    const id = await stand.submit(
      [to],
      `${options}From: hello@${stand.domain}\r\nTo: ${to}\r\nSubject: Hi\r\n\r\nLeave: {{unsubscribe_url}}\r\n`,
    );
    await stand.history(id, 2);
    const link = await linkTo(to);
    expect((await stand.copyTo(to)).text?.trim()).toBe(`Leave: ${link}`);
    expect((await unsubscribeByOneClick(link)).status).toBe(200);
    expect(await suppressionsOf(to)).toMatchObject([{ topic: "news", reason: "unsubscribed" }]);
  });
});

describe("one click", () => {
  it("suppresses the address for the topic, makes one event, and stops the next send of that topic and of no other", async () => {
    const to = `Mixed.Case-${crypto.randomUUID().slice(0, 8)}@receiver.example`;
    const { id, link } = await sent(to, { tags: ["weekly"], campaign: "spring" });
    const response = await unsubscribeByOneClick(link);
    expect([
      response.status,
      response.headers.get("Location"),
      response.headers.get("Set-Cookie"),
    ]).toEqual([200, null, null]);
    const events = await stand.history(id, 3);
    expect(typesOf(events)).toEqual(["email.sent", "email.delivered", "email.unsubscribed"]);
    expect(events[2]).toMatchObject({
      email_id: id,
      recipient: to,
      subject: "Hi",
      from: `hello@${stand.domain}`,
      from_domain: stand.domain,
      topic: "news",
      tags: ["weekly"],
      campaign: "spring",
      smtp_code: null,
      attempt: null,
      tracking: null,
      bounce_type: null,
    });
    const rows = await suppressionsOf(to);
    expect(rows).toMatchObject([
      {
        email: to.toLowerCase(),
        topic: "news",
        reason: "unsubscribed",
        origin: "auto",
        classification: null,
        smtp_code: null,
        note: null,
        expires_at: null,
      },
    ]);
    expect(rows[0]?.suppressed_at).toBe(events[2]?.occurred_at);

    const stopped = await stand.send({ to: [to], topic: "news", text: "x" });
    expect(typesOf(await stand.history(stopped, 1))).toEqual(["email.suppressed"]);
    const other = await stand.send({ to: [to], topic: "receipts", text: "x" });
    expect(typesOf(await stand.history(other, 2))).toEqual(["email.sent", "email.delivered"]);
    const without = await stand.send({ to: [to], text: "x" });
    expect(typesOf(await stand.history(without, 2))).toEqual(["email.sent", "email.delivered"]);
  });

  it("changes nothing without the pair that RFC 8058 names, and answers 400 with the page", async () => {
    const to = someone();
    const { id, link } = await sent(to);
    const other = new FormData();
    other.set("List-Unsubscribe", "Two-Clicks");
    const bodies: [body: BodyInit | null, type?: string][] = [
      [null],
      ["", "application/x-www-form-urlencoded"],
      [new URLSearchParams({ "List-Unsubscribe": "one-click" })],
      [new URLSearchParams({ "list-unsubscribe": "One-Click" })],
      [other],
      ["List-Unsubscribe=One-Click", "text/plain"],
      ['{"List-Unsubscribe":"One-Click"}', "application/json"],
      ["--b\r\nnonsense", "multipart/form-data; boundary=b"],
      ["List-Unsubscribe=One-Click", "multipart/form-data"],
    ];
    for (const [body, type] of bodies) {
      const headers: Record<string, string> = type === undefined ? {} : { "Content-Type": type };
      const response = await visit(link, {
        method: "POST",
        headers,
        ...(body === null ? {} : { body }),
      });
      expect([response.status, response.headers.get("Content-Type")], type).toEqual([
        400,
        "text/html; charset=UTF-8",
      ]);
      expect(await response.text()).toContain(
        '<input type="hidden" name="List-Unsubscribe" value="One-Click">',
      );
    }
    expect(await suppressionsOf(to)).toEqual([]);
    expect(typesOf(await stand.history(id, 2))).toEqual(["email.sent", "email.delivered"]);
  });

  it("may come in any form, many times, at once", async () => {
    const { id, link } = await sent(someone());
    const form = new FormData();
    form.set("List-Unsubscribe", "One-Click");
    const responses = await Promise.all([
      visit(link, { method: "POST", body: form }),
      ...Array.from({ length: 5 }, () => unsubscribeByOneClick(link)),
    ]);
    expect(responses.map(({ status }) => status)).toEqual(Array.from({ length: 6 }, () => 200));
    expect((await unsubscribeByOneClick(link)).status).toBe(200);
    expect(
      typesOf(await stand.events(`email_id=${id}&event_type=email.unsubscribed`)),
    ).toHaveLength(1);
  });

  it("on two messages of one topic is an event of each, and one suppression", async () => {
    const to = someone();
    const [first, second] = [await sent(to), await sent(to)];
    const links = stand.egress
      .to(to)
      .map(({ message }) => /^List-Unsubscribe: <([^>]+)>/m.exec(message)?.[1] ?? "");
    for (const link of links) expect((await unsubscribeByOneClick(link)).status).toBe(200);
    for (const { id } of [first, second])
      expect(await stand.events(`email_id=${id}&event_type=email.unsubscribed`)).toHaveLength(1);
    expect(await suppressionsOf(to)).toHaveLength(1);
  });

  it("works again after the team has lifted the suppression", async () => {
    const to = someone();
    const { id, link } = await sent(to);
    await unsubscribeByOneClick(link);
    expect(
      (
        await call("DELETE", `/v1/suppressions/${encodeURIComponent(to)}/news`, {
          key: stand.team.key,
        })
      ).status,
    ).toBe(204);
    await scheduler.wait(5);
    await unsubscribeByOneClick(link);
    expect(await suppressionsOf(to)).toHaveLength(1);
    expect(await stand.events(`email_id=${id}&event_type=email.unsubscribed`)).toHaveLength(2);
  });

  it("leaves what the team decided itself as it is, and is still an event", async () => {
    const to = someone();
    const { id, link } = await sent(to);
    await call("POST", "/v1/suppressions", {
      key: stand.team.key,
      body: { email: to, topic: "news", note: "by phone" },
    });
    await unsubscribeByOneClick(link);
    await unsubscribeByOneClick(link);
    expect(await suppressionsOf(to)).toMatchObject([
      { reason: "manual", origin: "manual", note: "by phone" },
    ]);
    expect(await stand.events(`email_id=${id}&event_type=email.unsubscribed`)).toHaveLength(1);
  });

  it("makes the event that a killed process left to it, with the suppression's time", async () => {
    const to = someone();
    const { id, link } = await sent(to);
    await suppressAt(Date.now(), to);
    for (let clicks = 0; clicks < 3; clicks += 1)
      expect((await unsubscribeByOneClick(link)).status).toBe(200);
    const [event, ...more] = await stand.events(`email_id=${id}&event_type=email.unsubscribed`);
    expect(more).toEqual([]);
    expect(event?.occurred_at).toBe((await suppressionsOf(to))[0]?.suppressed_at);
  });

  it("works for a message that is long forgotten, by what the link says", async () => {
    const ref = await unrememberedRef(Date.now() - 200 * DAY_MS);
    const link = await linkOf(ref);
    expect((await unsubscribeByOneClick(link)).status).toBe(200);
    expect(await suppressionsOf(ref.recipient)).toMatchObject([
      { topic: "news", reason: "unsubscribed" },
    ]);
    const events = await stand.events(`email_id=${ref.emailId}`);
    expect(events).toMatchObject([
      {
        type: "email.unsubscribed",
        recipient: ref.recipient,
        topic: "news",
        message_id: "",
        subject: "",
      },
    ]);
    await unsubscribeByOneClick(link);
    expect(await stand.events(`email_id=${ref.emailId}`)).toHaveLength(1);
  });

  it("adds no event to an unsubscribing that is older than the team's retention", async () => {
    const ref = await unrememberedRef(Date.now() - 200 * DAY_MS);
    await suppressAt(Date.now() - 31 * DAY_MS, ref.recipient);
    expect((await unsubscribeByOneClick(await linkOf(ref))).status).toBe(200);
    expect(await stand.events(`email_id=${ref.emailId}`)).toEqual([]);
    expect(await suppressionsOf(ref.recipient)).toHaveLength(1);
  });

  it("answers for a team that is gone, and does nothing", async () => {
    const ref = await unrememberedRef(Date.now());
    expect(
      (await unsubscribeByOneClick(await linkOf({ ...ref, teamNumber: 2_000_000 }))).status,
    ).toBe(200);
    expect(await suppressionsOf(ref.recipient)).toEqual([]);
    expect(
      (await call("DELETE", `/admin/teams/${stand.team.id}`, { key: ADMIN_TOKEN })).status,
    ).toBe(204);
    expect((await unsubscribeByOneClick(await linkOf(ref))).status).toBe(200);
  });
});

describe("the page", () => {
  it("asks, names sender and topic, and changes nothing by being looked at", async () => {
    const to = someone();
    const { id, link } = await sent(to, {
      unsubscribe: { mode: "generate", display_name: "The <Daily> Shop" },
    });
    for (const method of ["GET", "HEAD", "GET"]) {
      const response = await visit(link, { method });
      expect([response.status, response.headers.get("Content-Type")]).toEqual([
        200,
        "text/html; charset=UTF-8",
      ]);
      expect(response.headers.get("Cache-Control")).toBe("no-store");
      expect(response.headers.get("Referrer-Policy")).toBe("no-referrer");
      expect(response.headers.get("X-Robots-Tag")).toContain("noindex");
      expect(response.headers.get("Content-Security-Policy")).toContain("default-src 'none'");
      expect(response.headers.get("Set-Cookie")).toBeNull();
      const html = await response.text();
      expect(html.includes("The &#60;Daily&#62; Shop")).toBe(method === "GET");
    }
    expect(await suppressionsOf(to)).toEqual([]);
    expect(typesOf(await stand.history(id, 2))).toEqual(["email.sent", "email.delivered"]);
  });

  it("calls the sender by its from name, else its domain", async () => {
    const [to, other] = [someone(), someone()];
    const { link } = await sent(to);
    expect(await (await visit(link)).text()).toContain("<bdi>The Shop</bdi>");
    const bare = await sent(other, { from: `hello@${stand.domain}` });
    expect(await (await visit(bare.link)).text()).toContain(`<bdi>${stand.domain}</bdi>`);
  });

  it("speaks the visitor's language, in every state, and says so to caches and readers", async () => {
    const { link } = await sent(someone());
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
      expect([page.headers.get("Content-Language"), page.headers.get("Vary")]).toEqual([
        "pt",
        "Accept-Language",
      ]);
      expect(await page.text()).toMatch(/^(?:<!doctype html>\n<html lang="pt">|$)/);
    }
    const english = await visit(link, { headers: { "Accept-Language": "tlh" } });
    expect([english.headers.get("Content-Language"), await english.text()]).toEqual([
      "en",
      expect.stringContaining('lang="en"'),
    ]);
  });

  it("is a 404 for a token that is not ours, whoever asks how", async () => {
    const { link } = await sent(someone());
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

  it("answers no other method", async () => {
    const { link } = await sent(someone());
    for (const method of ["PUT", "DELETE", "PATCH"]) {
      const response = await visit(link, { method });
      expect([response.status, response.headers.get("Allow")]).toEqual([405, "GET, POST"]);
    }
  });
});
