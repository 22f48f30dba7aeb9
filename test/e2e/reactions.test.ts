// Recipients' reactions through the whole stack as `npm start` runs it: a tracking host verified
// over DNS, a tracked link followed on it, and one-click unsubscribing.
import { request } from "node:http";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import PostalMime from "postal-mime";
import { type InboxMessage, Stack } from "./stack.ts";

const BROWSER =
  "Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/127.0.0.0 " +
  "Safari/537.36";

interface Domain {
  readonly id: string;
  readonly tracking: {
    readonly status: string;
    readonly dns_records: { readonly name: string; readonly value: string }[];
  };
}

let stack: Stack;

beforeAll(async () => {
  stack = await Stack.start();
});

afterAll(async () => {
  await stack.destroy();
});

/** Enables tracking for example.test as a customer does. */
async function track(): Promise<Domain> {
  const { data } = (await (await stack.api("GET", "/v1/domains")).json()) as { data: Domain[] };
  const path = `/v1/domains/${data[0]?.id}`;
  const changed = await stack.api("PATCH", path, {
    tracking: { opens_enabled: true, clicks_enabled: true, subdomain: "links" },
  });
  const [record] = ((await changed.json()) as Domain).tracking.dns_records;
  await fetch(`${stack.dev.dns_url}/records`, {
    method: "PUT",
    body: JSON.stringify({
      name: `${record?.name}.example.test`,
      type: "CNAME",
      data: record?.value,
    }),
  });
  return (await (await stack.api("POST", `${path}/verify`)).json()) as Domain;
}

/** GETs a link whatever its host: here the worker serves all of them. */
async function follow(
  url: string,
): Promise<{ status: number | undefined; location: string | undefined }> {
  const { host, pathname } = new URL(url);
  return new Promise((resolve, reject) => {
    const asked = request(
      stack.dev.api_url + pathname,
      { headers: { Host: host, "User-Agent": BROWSER } },
      (response) => {
        response.resume();
        resolve({ status: response.statusCode, location: response.headers.location });
      },
    );
    asked.on("error", reject);
    asked.end();
  });
}

async function arrival(to: string): Promise<InboxMessage> {
  const found = async () => (await stack.inbox()).find(({ rcpt_to }) => rcpt_to.includes(to));
  await expect.poll(found, { interval: 50 }).toBeDefined();
  const message = await found();
  if (!message) throw new Error("it is gone again");
  return message;
}

describe("a recipient", () => {
  it("opens, clicks and unsubscribes right after the message arrives", async () => {
    expect((await track()).tracking.status).toBe("verified");
    const sent = await stack.api("POST", "/v1/email", {
      from: "hello@example.test",
      to: ["ann@receiver.test"],
      subject: "Links",
      html: '<body><a href="https://shop.example/?a=1&amp;b=2">x</a></body>',
      topic: "news",
      unsubscribe: { mode: "generate" },
    });
    const { id } = (await sent.json()) as { id: string };
    const mail = await PostalMime.parse(await stack.raw((await arrival("ann@receiver.test")).id));
    const [pixel = ""] =
      /https:\/\/links\.example\.test\/o\/[A-Za-z0-9_-]+/.exec(mail.html ?? "") ?? [];
    const [link = ""] =
      /https:\/\/links\.example\.test\/c\/[A-Za-z0-9_-]+/.exec(mail.html ?? "") ?? [];
    const leave =
      mail.headers.find(({ key }) => key === "list-unsubscribe")?.value.slice(1, -1) ?? "";

    expect((await follow(pixel)).status).toBe(200);
    expect(await follow(link)).toEqual({ status: 302, location: "https://shop.example/?a=1&b=2" });
    expect((await follow(link.replace("links.example.test", "other.example.test"))).status).toBe(
      404,
    );
    expect(leave.startsWith(`${stack.dev.api_url}/u/`)).toBe(true);
    expect((await fetch(leave)).status).toBe(200);
    const body = new URLSearchParams({ "List-Unsubscribe": "One-Click" });
    expect((await fetch(leave, { method: "POST", body, redirect: "error" })).status).toBe(200);

    await expect.poll(() => stack.history(id), { interval: 200 }).toHaveLength(5);
    expect((await stack.history(id)).toSorted()).toEqual([
      "email.clicked",
      "email.delivered",
      "email.opened",
      "email.sent",
      "email.unsubscribed",
    ]);
  });
});
