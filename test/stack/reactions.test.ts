// Tests recipients' reactions through the whole stack as `npm start` runs it: a tracking host is
// verified over DNS, a tracked link is followed on it, and a recipient unsubscribes by one click.
import { request } from "node:http";
import { beforeAll, describe, expect, it } from "vitest";
import PostalMime from "postal-mime";
import { sharedStack } from "./shared-stack.ts";
import type { InboxMessage, StackClient } from "./stack-client.ts";

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

let stack: StackClient;

beforeAll(async () => {
  stack = await (await sharedStack()).team("reactions.test");
});

/** Enables tracking for the domain as a customer does. */
async function track(): Promise<Domain> {
  const { data } = (await (await stack.api("GET", "/v1/domains")).json()) as { data: Domain[] };
  const path = `/v1/domains/${data[0]?.id}`;
  const changed = await stack.api("PATCH", path, {
    tracking: { opens_enabled: true, clicks_enabled: true, subdomain: "links" },
  });
  const [record] = ((await changed.json()) as Domain).tracking.dns_records;
  await stack.publish({
    name: `${record?.name}.${stack.domain}`,
    type: "CNAME",
    data: record?.value ?? "",
  });
  return (await (await stack.api("POST", `${path}/verify`)).json()) as Domain;
}

/** Requests a link from the stack's worker, whatever the link's host is. */
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
  await expect.poll(() => stack.inbox(`&to=${to}`), { interval: 50 }).toHaveLength(1);
  const [message] = await stack.inbox(`&to=${to}`);
  if (!message) throw new Error("it is gone again");
  return message;
}

describe("a recipient", () => {
  it("opens, clicks and unsubscribes right after the message arrives", async () => {
    expect((await track()).tracking.status).toBe("verified");
    const sent = await stack.api("POST", "/v1/email", {
      from: `hello@${stack.domain}`,
      to: ["ann@reactions.example"],
      subject: "Links",
      html: '<body><a href="https://shop.example/?a=1&amp;b=2">x</a></body>',
      topic: "news",
      unsubscribe: { mode: "generate" },
    });
    const { id } = (await sent.json()) as { id: string };
    const mail = await PostalMime.parse(
      await stack.raw((await arrival("ann@reactions.example")).id),
    );
    const [pixel = ""] =
      /https:\/\/links\.reactions\.test\/o\/[A-Za-z0-9_-]+/.exec(mail.html ?? "") ?? [];
    const [link = ""] =
      /https:\/\/links\.reactions\.test\/c\/[A-Za-z0-9_-]+/.exec(mail.html ?? "") ?? [];
    const leave =
      mail.headers.find(({ key }) => key === "list-unsubscribe")?.value.slice(1, -1) ?? "";

    expect((await follow(pixel)).status).toBe(200);
    expect(await follow(link)).toEqual({ status: 302, location: "https://shop.example/?a=1&b=2" });
    expect(
      (await follow(link.replace("links.reactions.test", "other.reactions.test"))).status,
    ).toBe(404);
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
