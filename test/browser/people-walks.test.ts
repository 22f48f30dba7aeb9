// Tests the four people of `npm start -- --people` in the console: each signs in at a deep link,
// and sees an action only if the session's operations include it. A viewer with both switches
// lifts a suppression and sends again, and the owner reads who did it.
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import { PEOPLE } from "../../tools/dev/people/known-people.ts";
import { Stack } from "../e2e/stack.ts";
import { ConsoleWindow } from "./console-window.ts";
import { ofFile } from "../support/before-tests.ts";

const ADDRESS = "bounced+walks@simulator.postern.test";

const stack = ofFile(() => Stack.start({}, ["--people"]));
let window: ConsoleWindow;
/** Ids of what the pages show. */
const made = { domain: "", template: "", webhook: "", key: "", bounced: "", scheduled: "" };

const api = (method: string, path: string, body?: unknown) =>
  stack.ask<{ id: string; data: { id: string }[] }>(method, path, body);
const page = () => window.page;
const button = (name: string) => page().getByRole("button", { name, exact: true });

beforeAll(async () => {
  await api("PATCH", "/v1/team", { content_days: 3 });
  made.domain = (await api("GET", "/v1/domains")).data[0]?.id ?? "";
  made.key = (await api("GET", "/v1/api-keys")).data[0]?.id ?? "";
  const hook = { name: "Shop", url: "https://shop.example/hook", events: ["email.bounced"] };
  made.webhook = (await api("POST", "/v1/webhooks", hook)).id;
  made.template = (
    await api("POST", "/v1/templates", { name: "Receipt", subject: "First", html: "<p>One</p>" })
  ).id;
  await api("POST", `/v1/templates/${made.template}/publish`);
  await api("PATCH", `/v1/templates/${made.template}/draft`, { html: "<p>Two</p>" });
  await api("POST", `/v1/templates/${made.template}/publish`);
  const mail = { from: "shop@example.test", subject: "Your order", html: "<p>Thank you</p>" };
  made.bounced = (await api("POST", "/v1/email", { ...mail, to: [ADDRESS] })).id;
  const later = new Date(Date.now() + 3_600_000).toISOString();
  const waiting = { ...mail, to: ["ada@customer.example"], scheduled_at: later };
  made.scheduled = (await api("POST", "/v1/email", waiting)).id;
  const outcome = `/v1/events?email_id=${made.bounced}&event_type=email.bounced`;
  await vi.waitFor(async () => expect((await api("GET", outcome)).data).toHaveLength(1));
  await api("POST", "/v1/suppressions", { email: ADDRESS, topic: "*" });
});
afterAll(() => stack.destroy());
beforeEach(open);
afterEach(() => window.close());

async function open(): Promise<void> {
  window = await ConsoleWindow.open({ ...stack.dev, api_url: consoleHost() });
}

function consoleHost(): string {
  return new URL(stack.dev.people_url ?? "").origin;
}

/** Signs in at a page of the console, by the link of the sign-in page. */
async function enter(name: string, path: string): Promise<void> {
  await page().goto(`${consoleHost()}/console${path}`);
  await page().getByRole("link", { name, exact: true }).click();
  await page().waitForURL(`**/console${path}`);
  await window.settle();
}

/** Pages with the names of their actions, and the operation that each action calls. */
const actions = (): readonly (readonly [path: string, names: Record<string, string>])[] => [
  ["/domains", { "Add domain": "POST /v1/domains" }],
  [
    `/domains/${made.domain}`,
    {
      "Delete domain": "DELETE /v1/domains/{id}",
      "Save tracking": "PATCH /v1/domains/{id}",
    },
  ],
  ["/templates", { "Add template": "POST /v1/templates" }],
  ["/templates/new", { "Add template": "POST /v1/templates" }],
  [
    `/templates?open=${made.template}`,
    {
      Duplicate: "POST /v1/templates/{id}/duplicate",
      Delete: "DELETE /v1/templates/{id}",
    },
  ],
  [
    `/templates/${made.template}`,
    {
      Rename: "PATCH /v1/templates/{id}",
      "Save draft": "PATCH /v1/templates/{id}/draft",
      Publish: "POST /v1/templates/{id}/publish",
      "Send a test": "POST /v1/email",
    },
  ],
  [
    "/suppressions",
    {
      "Add suppression": "POST /v1/suppressions",
      "Import CSV": "POST /v1/suppressions/import",
      "Download CSV": "GET /v1/suppressions/export",
    },
  ],
  ["/webhooks", { "Add webhook": "POST /v1/webhooks" }],
  [
    `/webhooks/${made.webhook}`,
    {
      "Send a test": "POST /v1/webhooks/{id}/test",
      Edit: "PATCH /v1/webhooks/{id}",
      Disable: "PATCH /v1/webhooks/{id}",
      "Rotate secret": "POST /v1/webhooks/{id}/rotate-secret",
      Delete: "DELETE /v1/webhooks/{id}",
      "Replay past events": "POST /v1/webhooks/{id}/replay",
    },
  ],
  ["/keys", { "Add key": "POST /v1/api-keys" }],
  [`/keys?open=${made.key}`, { "Delete key": "DELETE /v1/api-keys/{id}" }],
  ["/settings", { "Save settings": "PATCH /v1/team" }],
  [
    `/messages/${made.bounced}`,
    {
      "Lift suppression": "DELETE /v1/suppressions/{email}/{topic}",
      "Lift and send again": "POST /v1/email/{id}/send-again",
      Desktop: "GET /v1/email/{id}/content",
    },
  ],
  [
    `/messages/${made.scheduled}`,
    {
      Reschedule: "PATCH /v1/email/{id}",
      "Cancel message": "POST /v1/email/{id}/cancel",
    },
  ],
  [
    "/usage",
    {
      Replies: "GET /v1/replies",
      Members: "POST /console/members",
      Audit: "GET /console/audit",
    },
  ],
];

describe("each person sees the actions that the table allows, and no other", () => {
  it.each(PEOPLE.map(({ name, about }) => [name, about] as const))("%s, %s", async (name) => {
    await enter(name, "/messages");
    const session = await page().evaluate(async () =>
      (await fetch("/console/session", { headers: { "X-Postern-Console": "1" } })).json(),
    );
    const { operations } = session as { operations: readonly string[] };
    const wrong: string[] = [];
    for (const [path, names] of actions()) {
      await window.goTo(path);
      const texts = await page()
        .locator("button, a")
        .evaluateAll((all) => all.map(({ firstChild }) => firstChild?.textContent?.trim()));
      for (const [text, operation] of Object.entries(names))
        if (texts.includes(text) !== operations.includes(operation))
          wrong.push(`${path}: ${text}, ${operations.includes(operation) ? "missing" : "shown"}`);
      expect(await page().getByRole("alert").count(), path).toBe(0);
    }
    expect(wrong).toEqual([]);
    const mayEdit = operations.includes("PATCH /v1/templates/{id}/draft");
    await window.goTo(`/templates/${made.template}`);
    expect(await page().getByLabel("Subject", { exact: true }).isEditable()).toBe(mayEdit);
    expect(await page().getByLabel("HTML source").isEditable()).toBe(mayEdit);
    expect(window.complaints).toEqual([]);
  });
});

describe("the trail", () => {
  it("tells the owner which viewer lifted a suppression and sent again, and who restored a version", async () => {
    await enter("Sam", `/messages/${made.bounced}`);
    await button("Lift and send again").click();
    await page().getByRole("dialog").getByRole("button", { name: "Lift and send again" }).click();
    await page().getByRole("link", { name: "Sent again" }).waitFor();
    await window.keepPictures("viewer-sent-again");
    await window.close();

    await open();
    await enter("Ben", `/templates/${made.template}`);
    await page().getByRole("button", { name: "Compare version 1" }).click();
    await page().locator("pre.diff ins, pre.diff .added").first().waitFor();
    await window.keepPictures("version-compared");
    await button("Restore version 1 as the draft").click();
    await page().getByText("Draft").first().waitFor();
    await window.close();

    await open();
    await enter("Ada", "/audit");
    for (const [operation, person] of [
      ["suppression.delete", "sam@example.test"],
      ["email.send_again", "sam@example.test"],
      ["template_version.restore", "ben@example.test"],
    ] as const)
      await page().getByRole("row").filter({ hasText: operation }).getByText(person).waitFor();
    await window.keepPictures("audit-of-people");
    expect(await window.violations()).toEqual([]);
  });
});
