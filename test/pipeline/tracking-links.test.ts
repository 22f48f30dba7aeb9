// Tests opens and clicks end to end (src/mail/compose/track.ts, src/mail/feedback/track-visit.ts).
// People and image proxies make events, other machines do not. A link leads only to the target in
// the message.
import { beforeEach, describe, expect, it, vi } from "vitest";
import { releaseDayAt } from "../../src/mail/recipient-ref.ts";
import { trackingUrl } from "../../src/mail/tracking-link.ts";
import { bindings, numberOf, ok, headOf, statement } from "../support/api.ts";
import { CHROME, trackOn, visit } from "../support/recipient.ts";
import { settingsOf } from "../../src/settings.ts";
import { type TestPulledEvent, someone, Harness } from "../support/harness.ts";
import { ofEachTest } from "../support/before-tests.ts";

const GMAIL =
  "Mozilla/5.0 (Windows NT 5.1; rv:11.0) Gecko Firefox/11.0 (via ggpht.com GoogleImageProxy)";
const HTML =
  '<body><a href="https://shop.example/a?x=1&amp;y=2">A</a> <a href="https://shop.example/b">B</a> <a href="https://shop.example/c">C</a></body>';

/** The time in which visits count as one burst (src/mail/feedback/visit-filter.ts). */
const BURST_MS = 2_000;

const harness = ofEachTest(Harness.make);
let host: string;

beforeEach(async () => {
  host = await trackOn(harness.domain);
  // The worker waits before it counts a followed link, in case a burst of visits follows. No burst
  // follows here, so the wait is skipped.
  const wait = scheduler.wait.bind(scheduler);
  vi.spyOn(scheduler, "wait").mockImplementation((ms, options) =>
    wait(ms === BURST_MS ? 0 : ms, options),
  );
});

interface Delivered {
  readonly id: string;
  readonly links: readonly string[];
  readonly pixel: string | undefined;
}

async function deliver(to: string, body: Record<string, unknown> = {}): Promise<Delivered> {
  const id = await harness.send({ to: [to], html: HTML, ...body });
  await harness.history(id, 2);
  return { id, ...partsOf((await harness.copyTo(to)).html ?? "") };
}

function partsOf(html: string): Omit<Delivered, "id"> {
  const links = Array.from(html.matchAll(/<a href="([^"]+)"/g), ([, link = ""]) => link);
  return { links, pixel: /<img src="([^"]+)"/.exec(html)?.[1] };
}

async function reactions(id: string): Promise<TestPulledEvent[]> {
  return [
    ...(await harness.events(`email_id=${id}&event_type=email.opened`)),
    ...(await harness.events(`email_id=${id}&event_type=email.clicked`)),
  ];
}

describe("a message from a domain that tracks", () => {
  it("gets links and a pixel per recipient on the tracking host, and is otherwise unchanged", async () => {
    const [one, other] = [someone(), someone()];
    const id = await harness.send({ to: [one, other], html: HTML, text: "https://shop.example/a" });
    await harness.history(id, 4);
    const [first, second] = await Promise.all([one, other].map((to) => harness.copyTo(to)));
    const all = [first, second].flatMap((copy) => {
      const { links, pixel = "" } = partsOf(copy?.html ?? "");
      return [...links, pixel];
    });
    expect(new Set(all).size).toBe(8);
    for (const url of all)
      expect(url).toMatch(
        new RegExp(`^https://${host.replaceAll(".", "\\.")}/[co]/[A-Za-z0-9_-]+$`),
      );
    expect(first?.text?.trim()).toBe("https://shop.example/a");
  });

  it.each([
    [{}, { clicks: false }, { clicks: false, opens: true }],
    [{}, { opens: false }, { clicks: true, opens: false }],
    [{}, { opens: false, clicks: false }, { clicks: false, opens: false }],
    [{ opens: false }, {}, { clicks: true, opens: false }],
    [{ opens: false }, { opens: true }, { clicks: true, opens: true }],
  ])("with the domain's flags %j and its own %j tracks %j", async (flags, tracking, tracked) => {
    await trackOn(harness.domain, flags);
    const { links, pixel } = await deliver(someone(), { tracking });
    const clicks = links[1]?.startsWith(`https://${host}/c/`);
    expect({ clicks, opens: pixel !== undefined }).toEqual(tracked);
  });

  it("keeps its unsubscribe links and those of its own List-Unsubscribe", async () => {
    const to = someone();
    const html =
      '<a href="{{unsubscribe_url}}">x</a><a href="https://shop.example/leave">y</a><a href="https://shop.example/">z</a>';
    const own = { "List-Unsubscribe": "https://shop.example/leave" };
    const message = { html, topic: "news", unsubscribe: { mode: "generate" }, headers: own };
    const { links } = await deliver(to, message);
    expect(links).toEqual([
      expect.stringMatching(/^https:\/\/postern\.test\/u\//),
      "https://shop.example/leave",
      expect.stringContaining(`https://${host}/c/`),
    ]);
  });
});

describe("a sensitive message", () => {
  it("has no click-tracked link, whether the send, its template or an SMTP option says so", async () => {
    const to = [someone(), someone(), someone()] as const;
    const named = { name: "Reset", alias: "reset", html: HTML, subject: "Reset", sensitive: true };
    await ok(harness.post("/v1/templates", named), 201);
    await ok(harness.post("/v1/templates/reset/publish"));
    const tracking = { opens: true, clicks: true };
    const head = `From: hello@${harness.domain}\r\nSubject: Hi\r\nContent-Type: text/html\r\n`;
    const ids = [
      await harness.send({ to: [to[0]], html: HTML, sensitive: true, tracking }),
      await harness.send({ to: [to[1]], template_id: "reset", text: undefined, sensitive: false }),
      await harness.submit([to[2]], `X-Service-Sensitive: true\r\n${head}\r\n${HTML}\r\n`),
    ];
    for (const [index, id] of ids.entries()) {
      await harness.history(id, 2);
      const { links, pixel } = partsOf((await harness.copyTo(to[index] ?? "")).html ?? "");
      expect([links[1], pixel]).toEqual(["https://shop.example/b", expect.any(String)]);
    }
  });
});

describe("a message from a domain that does not track", () => {
  it.each([
    ["does not track", () => Promise.resolve()],
    [
      "has no verified tracking host",
      async (domain: string) => {
        await trackOn(domain);
        const unverified = "UPDATE domains SET tracking_status = 'pending' WHERE name = ?";
        await statement(unverified, domain).run();
      },
    ],
  ])("is unchanged if the domain %s, whatever the message's settings", async (_, prepare) => {
    const plain = await Harness.make();
    await prepare(plain.domain);
    const to = someone();
    const tracking = { opens: true, clicks: true };
    await plain.history(await plain.send({ to: [to], html: HTML, tracking }), 2);
    expect((await plain.copyTo(to)).html?.trim()).toBe(HTML);
  });
});

describe("a person", () => {
  it("is redirected to the link's target and makes an event with it", async () => {
    const to = someone();
    const message = { topic: "news", tags: ["a", "b"], campaign: "spring" };
    const { id, links } = await deliver(to, message);
    const response = await visit(links[0] ?? "");
    const expected = [302, "https://shop.example/a?x=1&y=2", "no-store"];
    expect(headOf(response, "Location", "Cache-Control")).toEqual(expected);
    const events = await harness.history(id, 3);
    expect(events[2]).toMatchObject({
      type: "email.clicked",
      recipient: to,
      topic: "news",
      tags: ["a", "b"],
      campaign: "spring",
      subject: "Hi",
      attempt: null,
      smtp_code: null,
      tracking: { url: "https://shop.example/a?x=1&y=2", user_agent: CHROME },
    });
    expect(Object.keys(events[2]?.tracking ?? {}).sort()).toEqual(["url", "user_agent"]);
  });

  it("loads a transparent pixel, which counts as one open for each mail client", async () => {
    const { id, pixel = "" } = await deliver(someone());
    const response = await visit(pixel);
    await visit(pixel);
    await visit(pixel, { agent: "Outlook-iOS/709.2226530.prod.iphone (3.24.1)" });
    const bytes = new Uint8Array(await response.arrayBuffer());
    const expected = [200, "image/gif", "no-store"];
    expect(headOf(response, "Content-Type", "Cache-Control")).toEqual(expected);
    expect(new TextDecoder().decode(bytes.subarray(0, 6))).toBe("GIF89a");
    expect([...bytes.subarray(6, 10)]).toEqual([1, 0, 1, 0]);
    const events = await harness.history(id, 4);
    const opened = { type: "email.opened", tracking: null };
    expect(events.slice(2)).toMatchObject([opened, opened]);
  });
});

describe("a mailbox's image proxy", () => {
  it("is labelled in the event", async () => {
    const { id, pixel = "" } = await deliver(someone());
    await visit(pixel, { agent: GMAIL });
    const events = await harness.history(id, 3);
    expect(events[2]).toMatchObject({
      type: "email.opened",
      tracking: { user_agent: GMAIL, bot: { source: "gmail", kind: "proxy" } },
    });
  });
});

describe("a machine", () => {
  it("gets its response but makes no event", async () => {
    const { id, links, pixel = "" } = await deliver(someone());
    const [link = ""] = links;
    expect((await visit(link, { method: "HEAD" })).status).toBe(302);
    expect((await visit(pixel, { method: "HEAD" })).status).toBe(200);
    expect((await visit(link, { agent: "Barracuda Sentinel (EE)" })).status).toBe(302);
    expect((await visit(pixel, { agent: null })).status).toBe(200);
    expect((await visit(link, { agent: GMAIL })).status).toBe(302);
    const prefetch = await visit(link, { headers: { "Sec-Purpose": "prefetch;prerender" } });
    expect(prefetch.status).toBe(302);
    // The worker judges the person's click after the clicks of machines. If the list of events has
    // this click, it is therefore complete.
    await visit(link);
    await harness.history(id, 3);
    const byPerson = { type: "email.clicked", tracking: { user_agent: CHROME } };
    expect(await reactions(id)).toMatchObject([byPerson]);
  });
});

describe("an old link", () => {
  it("still redirects, and makes events for the 35 days that its message is kept", async () => {
    const { id } = await deliver(someone());
    const { signingKey } = settingsOf(bindings);
    const today = releaseDayAt(Date.now());
    const teamNumber = await numberOf(harness.id);
    const copy = { teamNumber, emailId: id, recipientIndex: 0, url: "https://shop.example/a" };
    for (const [days, agent] of [
      [36, CHROME],
      [35, `${CHROME} Edg/129.0.0.0`],
    ] as const) {
      const link = await trackingUrl(signingKey, host, "c", { ...copy, releaseDay: today - days });
      expect((await visit(link, { agent })).headers.get("Location")).toBe("https://shop.example/a");
    }
    await harness.history(id, 3);
    await scheduler.wait(300);
    expect(await reactions(id)).toMatchObject([
      { tracking: { user_agent: `${CHROME} Edg/129.0.0.0` } },
    ]);
  });
});

describe("a tracking host", () => {
  it("does not redirect for another path, query, token or host", async () => {
    const { links, pixel = "" } = await deliver(someone());
    const [link = ""] = links;
    const elsewhere = await Harness.make();
    const others = [
      await trackOn(elsewhere.domain),
      "api.postern.test",
      "evil.example",
      `www.${host}`,
      `${host}.evil.example`,
    ];
    const token = link.slice(link.lastIndexOf("/") + 1);
    const urls = [
      ...others.map((other) => link.replace(host, other)),
      ...others.map((other) => pixel.replace(host, other)),
      link.replace("/c/", "/o/"),
      pixel.replace("/o/", "/c/"),
      link.slice(0, -1),
      `${link}A`,
      `${link}/`,
      `https://${host}/c/`,
      `https://${host}/c/https://evil.example/`,
      `https://${host}/c/?url=https://evil.example/`,
      `https://${host}/c/x?${token}`,
      `https://${host}//evil.example/`,
      `https://${host}/c//evil.example`,
      `https://${host}/u/${token}`,
    ];
    for (const url of urls) {
      const response = await visit(url);
      expect([response.status, response.headers.get("Location")], url).toEqual([404, null]);
    }
    const led = await visit(`${link}?url=https://evil.example/#https://evil.example/`, {
      headers: { "X-Forwarded-Host": "evil.example" },
    });
    expect(headOf(led, "Location")).toEqual([302, "https://shop.example/a?x=1&y=2"]);
    expect((await visit(link.replace(host, `${host.toUpperCase()}:8443`))).status).toBe(302);
  });

  it("answers only GET and HEAD", async () => {
    const { links, pixel = "" } = await deliver(someone());
    for (const url of [links[0] ?? "", pixel]) {
      const response = await visit(url, { method: "POST" });
      expect(headOf(response, "Allow", "Location")).toEqual([405, "GET", null]);
    }
  });

  it("explains itself at its root, unlike any other host", async () => {
    const response = await visit(`https://${host}/`);
    expect(headOf(response, "Content-Type")).toEqual([200, "text/html; charset=UTF-8"]);
    expect(await response.text()).toContain(`<bdi>${host}</bdi>`);
    const elsewhere = await visit("https://unknown.example/");
    expect([elsewhere.status, elsewhere.headers.get("Location")]).toEqual([302, "/docs"]);
  });

  it("still serves mail sent before tracking was turned off", async () => {
    const { links } = await deliver(someone());
    const { data } = await ok<{ data: { id: string }[] }>(harness.get("/v1/domains"));
    const off = { tracking: { opens_enabled: false, clicks_enabled: false } };
    expect((await harness.patch(`/v1/domains/${data[0]?.id}`, off)).status).toBe(200);
    expect((await visit(links[0] ?? "")).status).toBe(302);
    const to = someone();
    await deliver(to);
    expect((await harness.copyTo(to)).html?.trim()).toBe(HTML);
  });
});
